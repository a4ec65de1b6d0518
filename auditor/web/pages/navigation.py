"""Which pages there are, for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.access.rights import Right
    from auditor.web.security.identity import Identity

__all__ = ["places"]

_PLACES: tuple[tuple[str, str, Right], ...] = (
    ("/", "Overview", "view"),
    ("/tables", "Tables", "view"),
    ("/networks", "Networks", "view"),
    ("/exports", "Exports", "view"),
    ("/findings", "Findings", "view"),
    ("/schedules", "Schedules", "view"),
    ("/jobs", "Jobs", "schedule"),
    ("/approvals", "Approvals", "view"),
    ("/ledger", "Ledger", "ledger"),
    ("/tokens", "Tokens", "tokens"),
    ("/policy", "Policy", "view"),
)


def places(identity: Identity) -> list[tuple[str, str]]:
    """Return addresses and names of the pages that somebody may see, in order."""
    return [(path, name) for path, name, right in _PLACES if identity.may(right)]
