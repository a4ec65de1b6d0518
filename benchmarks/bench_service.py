"""The service: ticks of processes that die, a long ledger, due audits, pages under load, simultaneous requests."""

from __future__ import annotations

from pathlib import Path

from benchmarks.row import Row
from benchmarks.service_due import run_due_audits
from benchmarks.service_lattice import run_lattice_page
from benchmarks.service_ledger import run_ledger
from benchmarks.service_load import run_load
from benchmarks.service_races import run_races
from benchmarks.service_ticks import run_ticks

_PARTS = (run_ledger, run_ticks, run_due_audits, run_load, run_lattice_page, run_races)


def run(data_dir: Path | None) -> list[Row]:
    """Measure the service."""
    return [row for part in _PARTS for row in part(data_dir)]
