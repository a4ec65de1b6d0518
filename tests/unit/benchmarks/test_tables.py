"""The tables of the benchmark: read as they are, and the random one is the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.tables import load_table, random_table


def test_a_table_is_read_with_its_zeros_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sex,ill,count\nm,yes,3\nf,no,0\nm,no,2\n", encoding="utf-8")
    table = load_table(tmp_path, "t")
    assert table is not None
    assert [variable.categories for variable in table.variables] == [("f", "m"), ("no", "yes")]
    assert table.dense().tolist() == [[0, 0], [2, 3]]
    assert load_table(tmp_path, "none") is None


def test_two_tables_are_at_hand_without_a_folder() -> None:
    tables = [load_table(None, name) for name in ("autoworkers", "rochdale")]
    assert [table.total for table in tables if table is not None] == [1841, 665]


def test_the_random_table_is_the_same_each_time() -> None:
    one, other = (random_table((4, 3, 2), 500, seed=1) for _ in range(2))
    assert np.array_equal(one.dense(), other.dense())
    assert (one.total, one.shape) == (500, (4, 3, 2))
    firsts = one.marginal(["A"]).dense()
    assert firsts[0] > firsts[-1]
