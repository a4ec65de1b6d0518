"""Spark on two executors of this machine, one of which is killed meanwhile, and DuckDB with the same edge table."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.edge_tables import write_power_law
from benchmarks.executors import losing_one
from benchmarks.process import auditor, measure
from benchmarks.row import Row

_K, _VERTICES, _EDGES = 10, 1_001_000, 10_020_000
_MASTER = "local-cluster[2,1,3072]"
# as much for both: what DuckDB may use, and two executors of 3 GB
_MEMORY = "6g"
_FACTOR = 4.0


def run(data_dir: Path | None) -> list[Row]:
    """Measure a power law of 10⁶ vertices with 10⁷ edges; the executor is killed halfway through DuckDB's time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "power-law.parquet"
        write_power_law(file, _VERTICES, _EDGES)

        def released(name: str, *options: str) -> tuple[float, dict[str, Any], NDArray[np.int64]]:
            out, key = file.with_name(f"{name}.parquet"), file.with_name(f"{name}.csv")
            command = ["network", "anonymize", str(file), "--edge-table", "--k", str(_K), "--seed", "1"]
            done = measure(
                auditor(*command, "--out", str(out), "--key-file", str(key), *options, "--json"), timeout=3600
            )
            figures = json.loads(done.stdout)
            assert all(check["passed"] for check in figures["verification"])
            return done.seconds, figures, _edges(out, key)

        duckdb, expected, edges = released("duckdb", "--memory", _MEMORY)
        with losing_one(after=duckdb / 2) as killed:
            spark, figures, same = released("spark", "--engine", "spark", "--spark-master", _MASTER)
        assert len(killed) == 1
        assert np.array_equal(edges, same)
        assert figures["lower_bound"] == expected["lower_bound"]
    work = f"network anonymize --edge-table, power law, 1e+06 vertices, 1e+07 edges, k = {_K}, with export and key"
    return [
        Row(f"{work}, DuckDB", duckdb, "s"),
        Row(f"{work}, Spark on two executors of this machine, one of them killed", spark, "s"),
        Row(f"{work}, Spark by DuckDB, the same bits", spark / duckdb, "times", bar=_FACTOR),
    ]


def _edges(released: Path, key: Path) -> NDArray[np.int64]:
    """Return the edges of a release between the originals, ascending."""
    rows = csv.read_csv(key)
    originals = np.empty(rows.num_rows, dtype=np.int64)
    originals[rows.column("published").to_numpy()] = rows.column("original").to_numpy()
    table = pq.read_table(released)
    ends = np.sort(originals[np.column_stack([column.to_numpy() for column in table.columns])], axis=1)
    return ends[np.lexsort((ends[:, 1], ends[:, 0]))]
