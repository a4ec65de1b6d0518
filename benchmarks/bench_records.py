"""Files of records audited: classes, diversity, closeness and weighted risk; then what singles records out."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.process import Measured, auditor, measure, median_seconds
from benchmarks.records import QUASI_IDENTIFIERS, alone_in, write_records
from benchmarks.row import Row

_SIZES = ((1_000_000, None, None), (10_000_000, 60.0, 240.0))
_FEW = 1_000
_CHECKED = 3
_RUNS = 5


def run(data_dir: Path | None) -> list[Row]:
    """Measure files of 10³, 10⁶ and 10⁷ records with eight quasi-identifiers; making them is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "few.parquet"
        write_records(file, _FEW)
        seconds = median_seconds(_command(file), runs=_RUNS, expect=1)
        rows = [Row(f"microdata audit FILE, {_FEW:,} records, no store", seconds, "s", bar=1.5)]
        for size, bar, special_bar in _SIZES:
            rows += _measured(Path(folder) / f"{size}.parquet", size, bar, special_bar)
    return rows


def _command(file: Path, *more: str) -> list[str]:
    roles = ("--quasi-identifier", ",".join(QUASI_IDENTIFIERS), "--sensitive", "s", "--weight", "w")
    return auditor("--json", "microdata", "audit", str(file), *roles, *more)


def _measured(file: Path, size: int, bar: float | None, special_bar: float | None) -> list[Row]:
    write_records(file, size)
    plain = measure(_command(file), expect=1)
    special = measure(_command(file, "--suda", "4"), expect=1, timeout=1800)
    _check(file, plain, special)
    work = f"microdata audit, {size:.0e} records, 8 quasi-identifiers"
    return [
        Row(f"{work}: k, l, t and weighted risk", plain.seconds, "s", bar=bar),
        Row(f"{work}: k, l, t and weighted risk, peak memory", plain.peak_mib, "MiB"),
        Row(f"{work}: the same, and SUDA up to 4", special.seconds, "s", bar=special_bar),
        Row(f"{work}: the same, and SUDA up to 4, peak memory", special.peak_mib, "MiB"),
    ]


def _check(file: Path, plain: Measured, special: Measured) -> None:
    """Compare what was counted with what DuckDB groups."""
    data: dict[str, Any] = json.loads(plain.stdout)
    assert data["classes"]["unique_records"] == alone_in(file, QUASI_IDENTIFIERS)
    found = json.loads(special.stdout)["special_uniques"]
    assert found["is_complete"]
    for combination in found["combinations"][:_CHECKED]:
        assert combination["unique_records"] == alone_in(file, tuple(combination["quasi_identifiers"]))
