"""The overview: every subject with verdict, trend and next audit; made again only after a change."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from threading import Lock

from auditor.audits.overview import Overview, SubjectOverview
from auditor.core.representation import Representation
from auditor.schedules.repository import Schedules
from auditor.schedules.representation import known_due
from auditor.store import Store

_MOST_DRAWINGS = 64


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
    title: str | None = None
    """What people call it, where that is not its name."""


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
        self._drawn: tuple[tuple[int, datetime], dict[object, str]] = ((-1, datetime.min.replace(tzinfo=UTC)), {})

    def drawn(self, what: object, draw: Callable[[], str]) -> str:
        """Return what is drawn, drawn once as long as nothing of the store changes and no schedule comes due.

        Parameters
        ----------
        what : hashable
            Tells drawings apart; the first so many are kept.
        draw : callable
        """
        changes, now = Overview(self._store).changes(), self._store.ledger.clock()
        (known, until), drawings = self._drawn
        if known != changes or now >= until:
            drawings = {}
            self._drawn = ((changes, _next_due(self._store, now)), drawings)
        if what in drawings:
            return drawings[what]
        text = draw()
        if len(drawings) < _MOST_DRAWINGS:
            drawings[what] = text
        return text

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
    return sorted(subject_rows(store, Overview(store).read(), now), key=_urgency)


def subject_rows(store: Store, subjects: Iterable[SubjectOverview], now: datetime) -> list[SubjectOut]:
    """Return subjects, in their order, with when each is audited next."""
    due: dict[str, list[tuple[datetime | None, str]]] = {}
    for schedule in Schedules(store).list():
        times = known_due(schedule, now, 1)
        for audited in schedule.subjects:
            due.setdefault(audited, []).append((times[0] if times else None, schedule.name))
    rows = []
    for subject in subjects:
        found = due.get(subject.subject, [])
        next_audit = min((time for time, _ in found if time is not None), default=None)
        rows.append(SubjectOut.from_record(subject, next_audit=next_audit, schedules=[name for _, name in found]))
    return rows


def _next_due(store: Store, now: datetime) -> datetime:
    """Return when a page that names the next audits is old: at the next of them, and after a minute in any case."""
    due = [times[0] for schedule in Schedules(store).list() if (times := known_due(schedule, now, 1))]
    return min([*due, now + timedelta(minutes=1)])


def _urgency(subject: SubjectOut) -> tuple[int, int, str, str]:
    group = 0 if subject.open else 1 if subject.verdict is None else 2
    return group, -subject.open, subject.family, subject.name
