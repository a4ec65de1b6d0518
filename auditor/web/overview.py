"""The overview: every subject with verdict, trend and next audit; made again only after a change."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Lock

from auditor.audits.overview import Overview
from auditor.core.representation import Representation
from auditor.schedules.repository import Schedules
from auditor.schedules.representation import known_due
from auditor.store import Store


class SubjectOut(Representation):
    """A subject with what its newest audit said, and when it is audited next."""

    subject: str
    family: str
    name: str
    state: str | None
    of: str | None
    verdict: str | None
    audit: str | None
    at: datetime | None
    open: int
    waived: int
    trend: list[int]
    next_audit: datetime | None
    schedules: list[str]
    """Names of the schedules that audit it."""


class OverviewCache:
    """The rows of one service.

    Parameters
    ----------
    store : Store

    Notes
    -----
    What is kept is that of the store's count of changes, and no older than the next audit that it names: two workers
    agree, and a page is never older than what its reader has just done.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        self._kept: tuple[int, datetime, list[SubjectOut]] | None = None
        self._drawn: tuple[list[SubjectOut], dict[object, str]] = ([], {})

    def drawn(self, what: object, draw: Callable[[Sequence[SubjectOut]], str]) -> str:
        """Return what is drawn of the rows, drawn once as long as they are the same.

        Parameters
        ----------
        what : hashable
            Tells drawings apart; there are few.
        draw : callable
            Given the rows.
        """
        rows = self.rows()
        drawn_rows, drawings = self._drawn
        if drawn_rows is not rows:
            drawings = {}
            self._drawn = (rows, drawings)
        if what not in drawings:
            drawings[what] = draw(rows)
        return drawings[what]

    def rows(self) -> list[SubjectOut]:
        """Return the rows as they are now."""
        changes, now = Overview(self._store).changes(), self._store.ledger.clock()
        kept = self._kept
        if kept is not None and kept[0] == changes and now < kept[1]:
            return kept[2]
        with self._lock:
            kept = self._kept
            if kept is None or kept[0] != changes or now >= kept[1]:
                rows = overview_rows(self._store, now)
                times = [row.next_audit for row in rows if row.next_audit is not None]
                self._kept = kept = (changes, min([*times, now + timedelta(minutes=1)]), rows)
            return kept[2]


def overview_rows(store: Store, now: datetime) -> list[SubjectOut]:
    """Return the rows: those with open violations first, then what was never audited, then by name."""
    due: dict[str, list[tuple[datetime | None, str]]] = {}
    for schedule in Schedules(store).list():
        times = known_due(schedule, now, 1)
        for audited in schedule.subjects:
            due.setdefault(audited, []).append((times[0] if times else None, schedule.name))
    rows = []
    for subject in Overview(store).read():
        found = due.get(subject.subject, [])
        next_audit = min((time for time, _ in found if time is not None), default=None)
        rows.append(SubjectOut.from_record(subject, next_audit=next_audit, schedules=[name for _, name in found]))
    return sorted(rows, key=_urgency)


def _urgency(subject: SubjectOut) -> tuple[int, int, str, str]:
    group = 0 if subject.open else 1 if subject.verdict is None else 2
    return group, -subject.open, subject.family, subject.name
