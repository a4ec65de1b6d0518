"""Tables of records are generalized and drawn alike on DuckDB and on Spark."""

from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata import generalize, nominal, numeric
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import Attribute, hierarchical
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of
from graphkit.microdata.risk.closeness import Distance
from graphkit.microdata.table import TableGeneralization, drawn_table, generalize_table, verify_generalized_table
from graphkit.microdata.verify_diversity import verify_seen
from graphkit.microdata.verify_freeform import FreeformClaim

RNG = np.random.default_rng(4)
ATTRIBUTES = [numeric(np.arange(40)), nominal(5), nominal(70), hierarchical([4, 4, 5, 5, 6, 6, 6], 4)]
RECORDS = np.column_stack(
    (RNG.integers(0, 40, 800), RNG.integers(0, 5, 800), RNG.integers(0, 70, 800), RNG.integers(0, 4, 800))
)
NAMES = ("a b", "b", "c", "d")
EFFORT = 0.15


def generalized(
    connection: Any, records: np.ndarray, k: int = 3, attributes: list[Attribute] | None = None, **options: Any
) -> TableGeneralization:
    """Generalize records that are in another order than that of their numbers, as a backend may hold them."""
    chosen = ATTRIBUTES if attributes is None else attributes
    order = np.random.default_rng(0).permutation(records.shape[0])
    columns = {name: records[order, number] for number, name in enumerate(NAMES[: len(chosen)])}
    rows = connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(pa.table({"record": order} | columns)))
    given = {"effort": EFFORT, "part_size": 160, **options}
    return generalize_table(connection, rows, chosen, k, columns=list(columns), **given)


def held(connection: Any, table: Any) -> tuple[np.ndarray, np.ndarray]:
    """What the rows of a table cover, and their extents, by their numbers."""
    found = connection.to_pyarrow(table).sort_by("record")
    assert found.column("record").to_pylist() == list(range(found.num_rows))
    return tuple(np.array(found.column(name).to_pylist()) for name in ("covered", "extent"))  # type: ignore[return-value]


def test_coverings_and_draws_are_the_same_bits_as_on_duckdb(connection: Any) -> None:
    here = ibis.duckdb.connect(threads=1)
    answers = [(on, generalized(on, RECORDS, seed=7)) for on in (here, connection)]
    assert answers[1][1].parts > 3
    assert answers[0][1].loss == answers[1][1].loss
    before, drawn = (
        [held(on, table) for on, table in tables]
        for tables in (
            [(on, answer.table) for on, answer in answers],
            [(on, drawn_table(on, answer, (5, 6))) for on, answer in answers],
        )
    )
    for one, other in (before, drawn):
        assert (one[0] == other[0]).all()
        assert (one[1] == other[1]).all()


def test_every_record_is_covered_k_times_and_the_loss_is_that_of_the_extents(connection: Any) -> None:
    answer = generalized(connection, RECORDS)
    covered, extents = held(connection, answer.table)
    is_regular(covered, 3)
    layout = layout_of(ATTRIBUTES)
    assert (joined(layout, RECORDS, covered) == extents).all()
    assert answer.loss == pytest.approx(losses_of(layout, extents).mean(), rel=1e-12)
    together = generalize(RECORDS, ATTRIBUTES, 3, effort=EFFORT)
    assert answer.loss <= 1.1 * together.loss
    drawn, again = held(connection, drawn_table(connection, answer, (1,)))
    is_regular(drawn, 3)
    assert (drawn == np.arange(800)[:, None]).any(axis=1).all()
    assert (joined(layout, RECORDS, drawn) == again).all()


def is_regular(covered: np.ndarray, k: int) -> None:
    assert (np.bincount(covered.ravel(), minlength=len(covered)) == k).all()
    assert (np.diff(np.sort(covered, axis=1), axis=1) > 0).all()


def test_the_check_finds_what_is_wrong(connection: Any) -> None:
    records = RECORDS[:60] % [40, 4, 70, 4]
    answer = generalized(connection, records, effort=0.01)
    table = connection.to_pyarrow(drawn_table(connection, answer, (1,)))
    columns = {name: table.column(name).to_pylist() for name in table.column_names}

    def failed(k: int = 3, n: int = 60, codes: np.ndarray = records, **changed: Any) -> list[str]:
        given = {"record": np.arange(len(codes))} | {f"c{place}": column for place, column in enumerate(codes.T)}
        tables = [
            connection.create_table(ibis.util.gen_name("rows"), ibis.memtable(pa.table(one)))
            for one in (columns | changed, given)
        ]
        claim = FreeformClaim(k, n, NAMES)
        found = verify_generalized_table(connection, claim, ATTRIBUTES, *tables)
        return [check.name for check in found.checks if not check.passed]

    assert failed() == []
    assert failed(extent=columns["extent"][1:] + columns["extent"][:1]) == ["extents"]
    assert failed(k=4) == ["regular"]
    if connection.name == "pyspark":
        # the queries are the same, and take Spark seconds each
        return
    assert failed(n=59) == ["records", "regular"]
    assert failed(codes=np.where(np.arange(4) == 2, 70, records)) == ["records"]
    # the second attribute of others
    assert failed(codes=np.where(np.arange(4) == 1, 4, records)) == ["extents"]
    first, second, *others = columns["covered"]
    assert failed(covered=[[first[0]] * 3, second, *others]) == ["regular"]
    assert failed(covered=[first, first, *others]) == ["regular"]
    assert failed(record=[(one + 1) % 60 for one in columns["record"]]) == ["drawn"]


HARD = {
    "alike": np.zeros((1000, 4), dtype=np.int64),
    "one rare value": np.column_stack((np.arange(1000) // 999, np.zeros((1000, 3), dtype=np.int64))),
    "as many as k": RECORDS[:3],
    "fewer than two parts": RECORDS[:161],
}


@pytest.mark.parametrize("name", sorted(HARD))
def test_hard_records_are_covered(connection: Any, name: str) -> None:
    records = HARD[name]
    answer = generalized(connection, records, effort=0.05)
    covered, extents = held(connection, answer.table)
    is_regular(covered, 3)
    assert (joined(layout_of(ATTRIBUTES), records, covered) == extents).all()


@pytest.mark.parametrize("method", ["greedy", "sort-greedy", "hungarian"])
def test_other_methods_cover_each_part_by_itself(method: str) -> None:
    here = ibis.duckdb.connect()
    covered, _ = held(here, generalized(here, RECORDS, 4, method=method).table)
    is_regular(covered, 4)


def test_regions_are_drawn_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphkit.microdata.table.generalizing.REGION", 250)
    here = ibis.duckdb.connect()
    answer = generalized(here, RECORDS, part_size=100)
    assert answer.regions > 2
    drawn, _ = held(here, drawn_table(here, answer, (1,)))
    is_regular(drawn, 3)


@pytest.mark.parametrize(
    ("records", "options", "words"),
    [
        (RECORDS, {"k": 1}, "k (1) must be at least 2"),
        (RECORDS[:5], {"k": 6}, "k (6) is larger than the number of records (5)"),
        (RECORDS, {"method": "icsm"}, "unknown method 'icsm'"),
        (RECORDS, {"part_size": 11}, "parts of 11 records are too small for k = 3"),
        (RECORDS, {"part_size": None, "memory": 1000}, "are too small for k = 3"),
        (RECORDS, {"attributes": []}, "name at least one column"),
        (RECORDS + 0.5, {}, "holds something else than numbers of values"),
        (np.where(np.arange(800)[:, None] < 2, -1, RECORDS), {}, "2 records with a number in 'a b'"),
    ],
)
def test_bad_input_is_refused_in_a_line(records: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        generalized(ibis.duckdb.connect(), records, **options)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def closed(connection: Any, **options: Any) -> tuple[TableGeneralization, Any]:
    """Generalize records with strata, households and a sensitive value, in any order."""
    order = np.random.default_rng(0).permutation(len(RECORDS))
    columns = {name: RECORDS[order, number] for number, name in enumerate(NAMES)}
    more = {"place": PLACES[order], "home": HOMES[order], "ill": ILL[order]}
    rows = connection.create_table(
        ibis.util.gen_name("rows"), ibis.memtable(pa.table({"record": order} | columns | more))
    )
    given = {"effort": EFFORT, "part_size": 160, **options}
    answer = generalize_table(connection, rows, ATTRIBUTES, 3, columns=list(columns), **given)
    return answer, connection.to_pyarrow(drawn_table(connection, answer, [5, 6])).sort_by("record")


PLACES = np.repeat([0, 1, 2, 9], [400, 330, 58, 12])
HOMES = np.arange(800) // 2
ILL = np.random.default_rng(9).integers(0, 4, 800)
DEMANDS = [Demand("ill", 2), Demand("home", 3, of_households=True)]


def test_what_parts_have_to_keep_is_kept_in_each(connection: Any) -> None:
    answer, drawn = closed(
        connection, demands=DEMANDS, sensitive=["ill", "home"], stratum="place", suppressed=0.02, seed=7
    )
    covered, numbers = np.array(drawn.column("covered").to_pylist()), drawn.column("record").to_numpy()
    assert answer.suppressed == 800 - len(covered)
    assert 0 < answer.suppressed <= 16
    assert np.array_equal(np.unique(covered), numbers)
    assert (np.unique(covered, return_counts=True)[1] == 3).all()
    assert (covered == numbers[:, None]).any(axis=1).all()
    assert (PLACES[covered] == PLACES[numbers][:, None]).all()
    assert answer.parts > 4
    # rows by the number of the record that is drawn
    places = np.searchsorted(numbers, covered)
    seen = verify_seen(places, DEMANDS, [ILL[numbers], HOMES[numbers]], np.arange(len(numbers)))
    assert seen.passed
    assert [check.name for check in seen.checks] == ["diverse", "diverse", "households"]
    extents = joined(layout_of(ATTRIBUTES), RECORDS, covered)
    assert np.array_equal(extents, np.array(drawn.column("extent").to_pylist()))
    assert answer.loss == pytest.approx(losses_of(layout_of(ATTRIBUTES), extents).mean())


@pytest.mark.parametrize(("distance", "t"), [("equal", 0.55), ("ordered", 0.3)])
def test_what_each_sees_in_its_part_is_near_the_whole_table(connection: Any, distance: Distance, t: float) -> None:
    demands = [Demand("ill", t=t, distance=distance)]
    answer, drawn = closed(connection, demands=demands, sensitive=["ill"], stratum="place", seed=7)
    covered, numbers = np.array(drawn.column("covered").to_pylist()), drawn.column("record").to_numpy()
    assert answer.parts > 4
    assert np.array_equal(numbers, np.arange(800))
    assert verify_seen(covered, demands, [ILL]).passed
    free = closed(connection, demands=[Demand("home", 2)], sensitive=["home"], stratum="place", seed=7)[1]
    assert not verify_seen(np.array(free.column("covered").to_pylist()), demands, [ILL]).passed


def test_closed_parts_are_the_same_bits_on_every_backend(connection: Any) -> None:
    here = ibis.duckdb.connect(threads=1)
    options = {"demands": DEMANDS[:1], "sensitive": ["ill"], "stratum": "place", "seed": 3}
    first, second = (closed(on, **options)[1] for on in (here, connection))
    assert first.equals(second)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"demands": [Demand("ill", t=0.2)], "sensitive": ["ill"], "suppressed": 0.02}, "no part sees"),
        ({"demands": DEMANDS, "sensitive": ["ill"]}, "column of each demand"),
        ({"demands": DEMANDS[:1], "sensitive": ["ill"], "method": "greedy"}, "knows no demands"),
        ({"demands": DEMANDS[:1], "sensitive": ["sick"]}, "no column 'sick'"),
        ({"stratum": "ill_", "seed": 1}, "no column 'ill_'"),
        ({"stratum": "home"}, "a stratum has 2 records"),
        ({"suppressed": 1.0}, "must be at least 0"),
    ],
)
def test_what_parts_cannot_keep_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        closed(ibis.duckdb.connect(threads=1), **options)
