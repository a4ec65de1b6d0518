"""The large networks of the benchmark are simple, the same each time, and have a power law of degrees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import edge_tables
from benchmarks.edge_tables import degree_blocks, write_power_law


def test_the_graph_is_simple_and_the_same_each_time(tmp_path: Path) -> None:
    number = write_power_law(tmp_path / "a.parquet", 3000, 30_000)
    write_power_law(tmp_path / "b.parquet", 3000, 30_000)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table == pq.read_table(tmp_path / "b.parquet")
    pairs = np.sort(np.column_stack([column.to_numpy() for column in table.columns]), axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs) == number
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert abs(number - 30_000) < 3000
    degrees = np.unique(pairs, return_counts=True)[1]
    # twenty on average, and yet hubs of hundreds
    assert degrees.size > 2800
    assert degrees.max() > 8 * degrees.mean()


def test_pieces_do_not_change_who_may_be_tied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = write_power_law(tmp_path / "a.parquet", 2000, 10_000)
    monkeypatch.setattr(edge_tables, "_PIECE", 500)
    pieces = write_power_law(tmp_path / "b.parquet", 2000, 10_000)
    assert abs(whole - pieces) < 1000
    assert pq.ParquetFile(tmp_path / "b.parquet").num_row_groups > 5


def test_blocks_are_counted_from_the_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"source": [0, 0, 0, 1], "target": [1, 2, 3, 2]}), tmp_path / "t.parquet")
    assert degree_blocks(tmp_path / "t.parquet") == {1: 1, 2: 2, 3: 1}
