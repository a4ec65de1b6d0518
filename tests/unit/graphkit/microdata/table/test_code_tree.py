"""Parts of a table of categories and ranges: of about the size asked for, and the same in the database."""

import ibis
import numpy as np
import pyarrow as pa
import pytest

from graphkit.microdata import nominal, numeric
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.table.code_tree import CodeTree, grown_codes

RNG = np.random.default_rng(2)
LAYOUT = layout_of([numeric(np.arange(50)), nominal(9), nominal(3)])
RECORDS = {
    "independent": np.column_stack((RNG.integers(0, 50, 4000), RNG.integers(0, 9, 4000), RNG.integers(0, 3, 4000))),
    "one frequent value": np.column_stack((RNG.geometric(0.7, 4000) - 1, np.zeros((4000, 2), dtype=np.int64))),
    "all alike": np.zeros((4000, 3), dtype=np.int64),
}


def tree_of(codes: np.ndarray, parts: int, seed: int = 0, top: CodeTree | None = None) -> CodeTree:
    return grown_codes(LAYOUT, codes, np.arange(len(codes)), parts, np.random.default_rng(seed), top)


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_no_part_is_much_larger_than_asked_for(name: str) -> None:
    codes = RECORDS[name]
    tree = tree_of(codes, 16)
    parts, sizes = np.unique(tree.part_of(codes, np.arange(4000)), return_counts=True)
    assert parts.tolist() == tree.parts().tolist()
    assert sizes.max() <= 2 * 4000 / 16


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_the_database_finds_the_same_parts(name: str) -> None:
    codes = RECORDS[name]
    tree = tree_of(codes, 11, seed=3)
    connection = ibis.duckdb.connect()
    columns = {f"c{place}": codes[:, place] for place in range(3)} | {"record": np.arange(4000)}
    table = connection.create_table("rows", ibis.memtable(pa.table(columns)))
    found = table.mutate(part=tree.expression([table[name] for name in columns])).order_by("record")
    assert connection.to_pyarrow(found).column("part").to_pylist() == tree.part_of(codes, np.arange(4000)).tolist()


def test_values_that_no_sample_had_belong_somewhere() -> None:
    tree = tree_of(RECORDS["independent"][:, :3] // 2, 16)
    found = tree.part_of(RECORDS["independent"], np.arange(4000))
    assert np.isin(found, tree.parts()).all()


def test_cuts_of_a_tree_on_top_stay_in_every_round() -> None:
    codes, numbers = RECORDS["independent"], np.arange(4000)
    top = tree_of(codes, 3)
    regions = top.part_of(codes, numbers)
    rounds = [tree_of(codes, 12, seed, top) for seed in (1, 2)]
    for tree in rounds:
        for part in tree.parts():
            assert np.unique(regions[tree.part_of(codes, numbers) == part]).size == 1
    assert (rounds[0].part_of(codes, numbers) != rounds[1].part_of(codes, numbers)).any()


def test_small_parts_become_one_with_those_beside_them() -> None:
    codes, numbers = RECORDS["independent"], np.arange(4000)
    tree = tree_of(codes, 16)
    parts = tree.parts()
    merged = tree.without_small(dict.fromkeys(parts.tolist(), 100) | {int(parts[0]): 2}, 3)
    assert merged.parts().size < parts.size
    assert np.unique(merged.part_of(codes, numbers)).tolist() == merged.parts().tolist()
