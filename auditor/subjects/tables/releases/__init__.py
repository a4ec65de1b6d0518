"""What goes out of a table: requests for marginals, decided with all that is out, recorded, then answered."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.approving import ApprovedRequest, approve_request
    from auditor.subjects.tables.releases.recording import RequestAnswer
    from auditor.subjects.tables.releases.request import answer_request

__all__ = ["ApprovedRequest", "RequestAnswer", "answer_request", "approve_request"]

_HOMES = {
    "ApprovedRequest": "approving",
    "RequestAnswer": "recording",
    "answer_request": "request",
    "approve_request": "approving",
}


def __getattr__(name: str) -> Any:
    """Import what decides when it is first asked for: bounds are found without it."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
