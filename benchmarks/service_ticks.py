"""Scheduler processes that die and are replaced, on one store."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.networks import private_store
from benchmarks.row import Row
from benchmarks.schedule_workers import add_backlog, run_with_kills

_PROCESSES = 4
_SCHEDULES = 20
_TICKS = 500
_BETWEEN_KILLS = 2.0


def run_ticks(data_dir: Path | None) -> list[Row]:
    """Measure 500 ticks by four processes, one of which is killed (-9) every two seconds and replaced."""
    from auditor.config import load_settings
    from auditor.store import open_store

    with private_store() as environment:
        settings = load_settings(environ={**os.environ, **environment})
        with open_store(settings) as store:
            add_backlog(store, _SCHEDULES, _TICKS // _SCHEDULES)
        found = run_with_kills(
            settings, processes=_PROCESSES, runs=_TICKS, seconds_between_kills=_BETWEEN_KILLS, seed=1
        )
    if found.runs != _TICKS or not found.intact:
        raise RuntimeError(f"this is no figure: {found}")
    work = f"service: {_TICKS} ticks, {_PROCESSES} processes, one killed every {_BETWEEN_KILLS:g} s"
    return [
        Row(f"{work}: ticks without an audit", float(_TICKS - found.done + found.lost), "ticks", bar=0),
        Row(f"{work}: audits too many", float(found.doubled + abs(found.entries - found.audits)), "audits", bar=0),
        Row(f"{work}: time", found.seconds, "s", peer=f"kills: {found.kills}, ticks taken over: {found.taken_over}"),
    ]
