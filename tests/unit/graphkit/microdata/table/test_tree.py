"""Parts of a table: of about the size that was asked for, whatever the records are, and the same in the database."""

import ibis
import numpy as np
import pyarrow as pa
import pytest

from graphkit.microdata.table.tree import grown

RNG = np.random.default_rng(2)
RECORDS = {
    "normal": RNG.normal(size=(8000, 3)),
    "heavy tails": np.exp(3 * RNG.normal(size=(8000, 3))),
    "half of them alike": np.where(RNG.random((8000, 1)) < 0.5, 0.0, RNG.normal(size=(8000, 3))),
    "all alike": np.ones((8000, 3)),
    "two values": np.repeat([[0.0] * 3, [1.0] * 3], [7000, 1000], axis=0),
}


def with_numbers(records: np.ndarray) -> np.ndarray:
    return np.column_stack((records, np.arange(records.shape[0], dtype=np.float64)))


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_no_part_is_much_larger_than_asked_for(name: str) -> None:
    rows = with_numbers(RECORDS[name])
    tree = grown(rows, 16, np.random.default_rng(0))
    parts, sizes = np.unique(tree.part_of(rows), return_counts=True)
    assert parts.tolist() == tree.parts().tolist()
    assert sizes.max() <= 2 * 8000 / 16


def test_another_round_has_other_borders() -> None:
    rows = with_numbers(RECORDS["normal"])
    one, other = (grown(rows, 2, np.random.default_rng(seed)) for seed in (0, 1))
    assert (one.columns[0], one.borders[0]) != (other.columns[0], other.borders[0])


def test_the_database_finds_the_same_parts() -> None:
    rows = with_numbers(RECORDS["half of them alike"])
    tree = grown(rows, 11, np.random.default_rng(3))
    connection = ibis.duckdb.connect()
    columns = {f"c{number}": rows[:, number] for number in range(4)}
    table = connection.create_table("rows", ibis.memtable(pa.table(columns)))
    found = table.mutate(part=tree.expression([table[name] for name in columns])).order_by("c3")
    assert connection.to_pyarrow(found).column("part").to_pylist() == tree.part_of(rows).tolist()


def test_small_parts_become_one_with_those_beside_them() -> None:
    rows = with_numbers(RECORDS["normal"])
    tree = grown(rows, 16, np.random.default_rng(0))
    parts = tree.parts()
    sizes = dict.fromkeys(parts.tolist(), 100) | {int(parts[0]): 2}
    merged = tree.without_small(sizes, 3)
    assert merged.parts().size < parts.size
    assert np.unique(merged.part_of(rows)).tolist() == merged.parts().tolist()
    assert tree.without_small(dict.fromkeys(parts.tolist(), 1), 1000).parts().tolist() == [0]
