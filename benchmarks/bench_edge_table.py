"""Networks larger than memory: a Parquet edge table protected through the database, with export and verification."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.edge_tables import degree_blocks, write_power_law
from benchmarks.process import auditor, measure
from benchmarks.row import Row

_K = 10
_MEMORY = "6g"
# a few vertices get no edge and do not appear, and partners drawn twice count once
_SIZES = ((1_001_000, 10_020_000, None, None), (10_005_000, 100_100_000, 600.0, 12 * 1024.0))


def run(data_dir: Path | None) -> list[Row]:
    """Measure power laws of 10⁶ vertices with 10⁷ edges, and of 10⁷ with 10⁸; making them is not counted.

    The large one needs 15 GB of room in the folder for temporary files.
    """
    return [row for size in _SIZES for row in _measured(*size)]


def _measured(vertices: int, edges: int, seconds: float | None, mib: float | None) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "power-law.parquet", Path(folder) / "released.parquet"
        rows = write_power_law(file, vertices, edges)
        command = ["network", "anonymize", str(file), "--edge-table", "--k", str(_K), "--out", str(out)]
        done = measure(auditor(*command, "--memory", _MEMORY, "--json"), timeout=3600)
        figures = json.loads(done.stdout)
        blocks = degree_blocks(out)
        assert sum(degree * size for degree, size in blocks.items()) == 2 * (rows + figures["edges_added"])
        assert min(blocks.values()) >= _K
        assert all(check["passed"] for check in figures["verification"])
    work = f"network anonymize --edge-table, power law, {sum(blocks.values()):.3g} vertices, {rows:.3g} edges, k = {_K}"
    return [
        Row(f"{work}, with export and verification", done.seconds, "s", bar=seconds),
        Row(f"{work}, peak memory", done.peak_mib, "MiB", bar=mib),
        Row(f"{work}, edges added", figures["edges_added"], "edges", peer=f"proven: {figures['lower_bound']} or more"),
    ]
