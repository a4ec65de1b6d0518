"""Which pages there are, for whom."""

from typing import cast

from auditor.access.rights import Right
from auditor.core.kinds import kinds
from auditor.web.security.identity import Identity

_FIRST: tuple[tuple[str, str, Right], ...] = (("/", "Overview", "view"),)
_LAST: tuple[tuple[str, str, Right], ...] = (
    ("/findings", "Findings", "view"),
    ("/schedules", "Schedules", "view"),
    ("/jobs", "Jobs", "schedule"),
    ("/approvals", "Approvals", "view"),
    ("/ledger", "Ledger", "ledger"),
    ("/month", "Month-end", "ledger"),
    ("/tokens", "Tokens", "tokens"),
    ("/policy", "Policy", "view"),
)


def navigation_items(identity: Identity) -> list[tuple[str, str]]:
    """Return addresses and names of the pages that somebody may see, in order."""
    of_kinds = [cast(tuple[str, str, Right], item) for kind in kinds() for item in kind.navigation]
    return [(path, name) for path, name, right in (*_FIRST, *of_kinds, *_LAST) if identity.may(right)]
