"""What a schedule does besides auditing: a protected export of its network, where there is no good one."""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from auditor.core.kinds import kind_named, part
from auditor.core.recorded_runs import Run
from auditor.core.subject import parse_subject
from auditor.core.transactions import TransactionHook
from auditor.formats.compression import split_compression
from auditor.policy import Policy
from auditor.schedules.performing import Act
from auditor.schedules.repository import Schedule
from auditor.store import Store


def exports_in(store: Store) -> Act:
    """Return what makes the exports of schedules; their requester is who added the schedule, or resumed it last."""
    return partial(_export, store)


def dated_path(out: Path, due: datetime, number: int = 1) -> Path:
    """Return the name of an export beside the place that a schedule names: none is ever overwritten.

    Parameters
    ----------
    out : Path
        As the schedule has it.
    due : datetime
        Of the tick.
    number : int, optional
        Of exports in this tick; a second one is made where a worker died over the first.

    Examples
    --------
    >>> from datetime import UTC
    >>> dated_path(Path("out/friends.csv.gz"), datetime(2026, 3, 1, 6, tzinfo=UTC)).as_posix()
    'out/friends-20260301T0600Z.csv.gz'
    >>> dated_path(Path("friends.csv"), datetime(2026, 3, 1, 6, tzinfo=UTC), 2).name
    'friends-20260301T0600Z-2.csv'
    """
    plain, _ = split_compression(out.name)
    suffix = Path(plain).suffix
    stem = plain.removesuffix(suffix) if suffix else plain
    more = "" if number == 1 else f"-{number}"
    return out.with_name(f"{stem}-{due:%Y%m%dT%H%MZ}{more}{out.name[len(stem) :]}")


def _export(store: Store, schedule: Schedule, policy: Policy, run: Run, hold: TransactionHook) -> str | None:
    """Make an export where there is no good one, and return its id."""
    kind, _ = parse_subject(schedule.subjects[0])
    protect = part(kind_named(kind).protecting)
    return cast("str | None", protect(store, schedule, policy, run, hold))
