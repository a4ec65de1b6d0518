"""The service: ticks of processes that die, a long ledger, due audits, pages under load, simultaneous requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from benchmarks.row import Row
from benchmarks.service_due import run_due_audits
from benchmarks.service_lattice import run_lattice_page
from benchmarks.service_ledger import run_ledger
from benchmarks.service_load import run_load
from benchmarks.service_races import run_races
from benchmarks.service_ticks import run_ticks

PARTS: Mapping[str, Callable[[Path | None], Iterable[Row]]] = {
    "ledger": run_ledger,
    "ticks": run_ticks,
    "due": run_due_audits,
    "load": run_load,
    "lattice": run_lattice_page,
    "races": run_races,
}
