"""Audits of many subjects that did not change, all due at once."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.networks import private_store
from benchmarks.process import auditor
from benchmarks.row import Row
from benchmarks.small_subjects import add_network, add_schedule

if TYPE_CHECKING:
    from auditor.store import Store

_SUBJECTS = 200


def run_due_audits(data_dir: Path | None) -> list[Row]:
    """Measure `auditor schedule run --once` with 200 due audits of subjects that did not change since the last."""
    from auditor.config import load_settings
    from auditor.store import open_store

    with private_store() as environment:
        whole = {**os.environ, **environment}
        with open_store(load_settings(environ=whole)) as store:
            _add_subjects(store)
        command = auditor("schedule", "run", "--once", "--quiet")
        times = []
        # the first computes, the others have nothing to compute
        for _ in range(3):
            with open_store(load_settings(environ=whole)) as store:
                _make_due(store)
            began = time.monotonic()
            subprocess.run(command, env=whole, capture_output=True, check=False, timeout=600)
            times.append(time.monotonic() - began)
        with open_store(load_settings(environ=whole)) as store:
            counts = store.connection.read(
                "MATCH (a:AuditorAudit) RETURN count(a) AS all, sum(toInteger(a.repeats)) AS same"
            )
    if counts[0]["all"] != 3 * _SUBJECTS or counts[0]["same"] != 2 * _SUBJECTS:
        raise RuntimeError("this is no figure: not every audit was made")
    work = f"service: schedule run --once, {_SUBJECTS} due audits of subjects that did not change"
    return [Row(work, min(times[1:]), "s", bar=10.0)]


def _add_subjects(store: Store) -> None:
    for number in range(_SUBJECTS):
        name = f"network {number}"
        add_network(store, name)
        add_schedule(store, f"schedule {number}", name, "last")


def _make_due(store: Store) -> None:
    """Put all schedules back by a year, as if their ticks had not been."""
    began = f"{datetime(store.ledger.clock().year - 1, 6, 1, tzinfo=UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    store.connection.execute("MATCH (t:AuditorTick) DETACH DELETE t")
    store.connection.execute(
        "MATCH (s:AuditorSchedule) SET s.settled_until = $begin, s.begins_at = $begin", begin=began
    )
    # ids follow from the ticks, and these come again
    store.connection.execute("MATCH (a:AuditorAudit) SET a.id = randomUUID()")
    store.connection.execute("MATCH (f:AuditorFinding) SET f.id = randomUUID()")
    store.connection.execute(
        "MATCH (h:AuditorAuditHead) CALL (h) { MATCH (a:AuditorAudit {key: h.key}) RETURN a ORDER BY a.at DESC "
        "LIMIT 1 } SET h.audit = a.id"
    )
