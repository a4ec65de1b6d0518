"""What entries of the ledger about tables mean to a person who looks back on a period."""

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.ports.happening import Happening, LedgerEvent

_VIEWS = ("table_bounds", "table_frontier")
_YES = ("release", "simulate")
_NO = ("refuse", "coarsen", "undecided")


def happenings_of_table(event: LedgerEvent) -> Sequence[Happening]:
    """Return what an entry says: a marginal was released or refused, or figures behind a table were viewed.

    Notes
    -----
    A repeated request releases nothing new, unless a second person approved it: before, it was answered ``pending``.

    Examples
    --------
    >>> told = {"answer": "coarsen", "by": "bob", "explained": True, "marginal": ["sex", "age"], "rules": ["min_width"],
    ...         "repeated": False}
    >>> [(one.what, one.about, one.rules) for one in happenings_of_table(LedgerEvent("table_request", "table:t", told))]
    [('refused', 'sex, age', ('min_width',)), ('viewed', 'sex, age', ())]
    """
    if event.kind in _VIEWS:
        return (Happening("viewed", about=_named(event.payload)),)
    return _of_request(event.payload) if event.kind == "table_request" else ()


def _of_request(payload: Mapping[str, Any]) -> list[Happening]:
    answer, by, about = str(payload["answer"]), str(payload.get("by", "")), _named(payload)
    found = []
    if answer in _YES and (not payload.get("repeated") or "approval" in payload):
        detail = "simulated counts" if payload.get("simulated") else ""
        if payload.get("proof") == "implied":
            detail = "follows from what was released"
        found.append(Happening("released", about, answer, detail, by=by))
    elif answer in _NO:
        found.append(Happening("refused", about, answer, "", tuple(payload.get("rules", ())), by))
    if payload.get("explained"):
        found.append(Happening("viewed", about, detail="the cells behind an answer were viewed", by=by))
    return found


def _named(payload: Mapping[str, Any]) -> str:
    """Return the variables of a marginal, and of which of them categories were merged; both are public."""
    merged = payload.get("merged") or {}
    names = payload.get("marginal") or ()
    return ", ".join(f"{name} (merged)" if name in merged else str(name) for name in names)
