"""Tables of records are grouped and verified alike on DuckDB and on Spark."""

from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata import microaggregate
from graphkit.microdata.table import TableMicroaggregation, microaggregate_table, verify_table
from graphkit.microdata.table.mapping import drop, mapped_parts
from graphkit.microdata.verify import GroupClaim

RNG = np.random.default_rng(4)
CLUMPS = RNG.normal(size=(3000, 4)) @ RNG.normal(size=(4, 4)) + RNG.integers(0, 3, (3000, 1)) * 4
NAMES = ("a b", "b", "c", "d")
EFFORT = 0.3


def table_of(connection: Any, records: np.ndarray) -> Any:
    """Records in another order than that of their numbers, as a backend may hold them."""
    order = np.random.default_rng(0).permutation(records.shape[0])
    columns = {name: records[order, number] for number, name in enumerate(NAMES[: records.shape[1]])}
    return connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(pa.table({"record": order} | columns)))


def grouped(connection: Any, records: np.ndarray, k: int = 3, **options: Any) -> TableMicroaggregation:
    return microaggregate_table(
        connection,
        table_of(connection, records),
        k,
        attributes=NAMES[: records.shape[1]],
        **{"effort": EFFORT, "part_size": 600, "rounds": 4, **options},
    )


def arrays_of(connection: Any, result: TableMicroaggregation, d: int) -> tuple[np.ndarray, np.ndarray]:
    found = connection.to_pyarrow(result.table).sort_by("record")
    assert found.column("record").to_pylist() == list(range(result.records))
    means = np.column_stack([found.column(f"m{number}").to_numpy() for number in range(d)])
    return found.column("group").to_numpy(), means


def test_groups_and_means_are_the_same_bits_as_on_duckdb(connection: Any) -> None:
    here = ibis.duckdb.connect(threads=1)
    expected, found = grouped(here, CLUMPS, seed=7), grouped(connection, CLUMPS, seed=7)
    assert found.parts > 3
    for one, other in zip(arrays_of(here, expected, 4), arrays_of(connection, found, 4), strict=True):
        assert (one == other).all()
    assert (found.sse, found.groups) == (expected.sse, expected.groups)
    if connection.name == "duckdb":
        other_seed = arrays_of(connection, grouped(connection, CLUMPS, seed=8), 4)
        assert (other_seed[0] != arrays_of(here, expected, 4)[0]).any()


def test_what_parts_lose_is_near_what_all_records_together_lose(connection: Any) -> None:
    result = grouped(connection, CLUMPS, effort=1.5)
    group, means = arrays_of(connection, result, 4)
    labels = np.unique(group, return_inverse=True)[1]
    sizes = np.bincount(labels)
    assert sizes.min() >= 3
    assert sizes.size == result.groups
    expected = np.column_stack([np.bincount(labels, weights=column) for column in CLUMPS.T]) / sizes[:, None]
    assert np.allclose(means, expected[labels], rtol=0, atol=1e-9)
    points = (CLUMPS - CLUMPS.mean(axis=0)) / CLUMPS.std(axis=0)
    centers = np.column_stack([np.bincount(labels, weights=column) for column in points.T]) / sizes[:, None]
    assert result.sse == pytest.approx(((points - centers[labels]) ** 2).sum(), rel=1e-5)
    together = microaggregate(CLUMPS, 3, effort=1.5)
    assert result.information_loss <= 1.05 * together.information_loss


HARD = {
    "alike": np.full((2000, 2), 5.0),
    "two values": np.repeat([[0.0, 1.0], [1.0, 0.0]], [2, 1998], axis=0),
    "a constant column": np.column_stack((CLUMPS[:1500, 0], np.full(1500, 1e9))),
    "one attribute": CLUMPS[:, :1],
    "an outlier": np.vstack((CLUMPS[:1500], [[1e12, -1e12, 1e12, 0.0]])),
    "as many as a group": CLUMPS[:3],
    "whole numbers": np.round(CLUMPS),
}


@pytest.mark.parametrize("name", sorted(HARD))
def test_hard_records_get_valid_groups_that_pass_the_check(connection: Any, name: str) -> None:
    records = HARD[name]
    d = records.shape[1]
    result = grouped(connection, records, effort=0.05)
    group, means = arrays_of(connection, result, d)
    assert np.unique(group, return_counts=True)[1].min() >= 3
    assert verification(connection, records, means).passed


def verification(connection: Any, records: np.ndarray, published: np.ndarray, k: int = 3, **changed: Any) -> Any:
    n, d = records.shape
    place = changed.pop("place", np.random.default_rng(1).permutation(n))
    written = np.empty_like(published)
    written[place] = published
    claim = GroupClaim(k, changed.pop("n", n), NAMES[:d], **changed)

    def table(**columns: np.ndarray) -> Any:
        return connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(pa.table(columns)))

    def attributes(values: np.ndarray) -> dict[str, np.ndarray]:
        return {f"c{number}": values[:, number] for number in range(d)}

    return verify_table(
        connection,
        claim,
        table(**attributes(written), row=np.arange(n)),
        table(**attributes(records), row=np.arange(n)),
        table(original=np.arange(n), published=place),
    )


def test_the_check_finds_what_is_wrong(connection: Any) -> None:
    records = np.repeat(np.arange(4.0), 3)[:, None] + np.tile([[-0.25], [0.0], [0.25]], (4, 1))
    means = np.repeat(np.arange(4.0), 3)[:, None]

    def failed(published: np.ndarray, **changed: Any) -> list[str]:
        checks = verification(connection, records, published, **changed).checks
        return [check.name for check in checks if not check.passed]

    assert failed(means) == []
    assert failed(means, k=4) == ["k-anonymous"]
    assert failed(means, n=13) == ["records", "rows", "values"]
    assert failed(means + 0.01) == ["values"]
    assert failed(means[::-1]) == ["values"]
    assert failed(means + 0.4, whole_numbers=("a b",)) == []
    assert failed(np.vstack((means[:-1], [[np.nan]])), k=2) == ["records", "k-anonymous", "values"]
    single = means.copy()
    single[0] += 1e-12
    assert failed(single) == ["k-anonymous", "values"]


@pytest.mark.parametrize(
    ("records", "options", "words"),
    [
        (CLUMPS, {"k": 1}, "k (1) must be at least 2"),
        (CLUMPS[:5], {"k": 6}, "k (6) is larger than the number of records (5)"),
        (CLUMPS, {"method": "icsm"}, "needs all records at once"),
        (CLUMPS, {"part_size": 11}, "parts of 11 records are too small for k = 3"),
        (np.where(np.arange(3000)[:, None] < 2, np.nan, CLUMPS), {}, "2 records without a finite number in"),
        (np.where(np.arange(3000)[:, None] < 1, np.inf, CLUMPS), {}, "1 record without a finite number in"),
    ],
)
def test_bad_input_is_refused_in_a_line(connection: Any, records: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        grouped(connection, records, **options)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_nothing_is_left_of_earlier_rounds(connection: Any, tmp_path: Path) -> None:
    is_spark = connection.name == "pyspark"
    if is_spark:
        connection._session.sparkContext.setCheckpointDir(str(tmp_path))
    rows = table_of(connection, CLUMPS[:600])

    def kept() -> int:
        return len(list(tmp_path.glob("*/rdd-*"))) if is_spark else len(written(connection))

    before = kept()
    result = microaggregate_table(connection, rows, 3, attributes=NAMES, effort=0.05, part_size=200, rounds=3)
    assert kept() == before + 1
    drop(connection, result.table)
    assert kept() == before


def test_nothing_is_left_of_a_round_that_failed() -> None:
    connection = ibis.duckdb.connect()
    rows = table_of(connection, CLUMPS[:600]).mutate(part=0)
    before = written(connection)

    def fails(rows: pa.Table) -> pa.Table:
        raise InvalidInput("no")

    with pytest.raises(InvalidInput):
        mapped_parts(connection, rows, "part", fails, {"record": "int64"}, lambda: None)
    assert written(connection) == before


def written(connection: Any) -> list[str]:
    """Tables of a DuckDB; views are of what is elsewhere."""
    found = connection.con.execute("SELECT table_name FROM duckdb_tables() ORDER BY table_name").fetchall()
    return [name for (name,) in found]
