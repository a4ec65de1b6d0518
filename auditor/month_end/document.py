"""The report on a period as a document: plain values that have canonical JSON, as page, API and files hold them."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import auditor
from auditor.month_end.period import Period
from auditor.month_end.reading import PeriodEntry, PeriodRecords, read_period
from auditor.month_end.rows import SECTIONS, Row, rows_of
from auditor.store.repository import OpenStore

Document = dict[str, Any]
"""Keys and values as docs/month-end.md describes them."""


def report_on(store: OpenStore, period: Period, *, patient: bool = True) -> Document:
    """Return the report on a period.

    Parameters
    ----------
    store : OpenStore
    period : Period
    patient : bool
        See :func:`~auditor.month_end.reading.read_period`.
    """
    records = read_period(store, period, SECTIONS, patient=patient)
    rows = rows_of(records, SECTIONS)
    return {**_told_of(records, period), "totals": _totals(rows), **rows}


def section_on(store: OpenStore, period: Period, section: str) -> Document:
    """Return the report on a period with one of its sections, and without totals; for a person who does not wait long.

    Raises
    ------
    StoreLocked
        If others change something all the time.
    """
    records = read_period(store, period, {section}, patient=False)
    return {**_told_of(records, period), **rows_of(records, {section})}


def _told_of(records: PeriodRecords, period: Period) -> Document:
    """Return what is in front of the sections.

    Notes
    -----
    It names the first and the last entry of the ledger that it follows from, with their hashes, and counts the entries
    of each kind: a ledger that was exported later tells whether they are the same.
    """
    entries = records.entries
    return {
        "period": {"name": period.name, "since": period.since, "until": period.until, "as_of": records.as_of},
        "made": {"at": records.at, "version": auditor.__version__},
        "ledger": {
            "ledger": records.ledger,
            "first": _place(entries[0]) if entries else None,
            "last": _place(entries[-1]) if entries else None,
            "entries": len(entries),
            "kinds": dict(sorted(Counter(entry.kind for entry in entries).items())),
            "head": {"entry": records.head[0], "hash": records.head[1]},
            "checkpoint": _checkpoint(records.checkpoint),
        },
    }


def is_complete(document: Document) -> bool:
    """Whether the period was over when the report was made."""
    return bool(document["period"]["as_of"] == document["period"]["until"])


def _place(entry: PeriodEntry) -> Row:
    return {"entry": entry.seq, "hash": entry.hash, "at": entry.at}


def _checkpoint(entry: PeriodEntry | None) -> Row | None:
    """Return up to which entry the ledger had been verified and signed."""
    if entry is None:
        return None
    payload = json.loads(entry.payload)
    told = {"entries": payload["entries"], "key": payload["key"]}
    return {"entry": entry.seq, "at": entry.at, "actor": entry.actor, **told}


def _totals(rows: dict[str, list[Row]]) -> Row:
    totals: Row = {name: len(rows[name]) for name in SECTIONS}
    verified = [row for row in rows["reverified"] if row["times"]]
    return totals | {
        "released_by_family": _counted([row["family"] for row in rows["released"]]),
        "refused_by_rule": _counted([rule for row in rows["refused"] for rule in row["rules"]]),
        "refused_by_role": _counted([row["role"] or "no token" for row in rows["refused"]]),
        "decided_by_decision": _counted([row["decision"] for row in rows["decided"]]),
        "decided_by_person": _counted([row["actor"] for row in rows["decided"]]),
        "reverified": len(verified),
        "exports": len(rows["reverified"]),
        "views": sum(row["views"] for row in rows["views"]),
    }


def _counted(names: Sequence[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
