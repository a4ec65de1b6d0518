"""Limits of every engine, and graphs, that make no sense are refused in one line, whatever their type."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from graphkit import microdata, networks, tables
from graphkit.errors import InvalidInput
from graphkit.networks import Constraints, SimpleGraph

PAIRS = [("a", "b"), ("b", "c"), ("d", "e")]
SHAPE = tuple(tables.Variable(name, ("no", "yes")) for name in "abc")
TABLE = tables.ContingencyTable.from_dense([[[1, 6], [7, 8]], [[9, 10], [5, 1]]], SHAPE)
FRAME = {"age": [1, 2, 3, 4], "pay": [5, 6, 7, 8]}
CODES, ATTRIBUTES = np.array([[0], [1], [0], [1]]), [microdata.nominal(2)]

ENGINES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "networks.anonymize": (lambda **limit: networks.anonymize(PAIRS, 2, **limit), ("effort", "time_limit", "gap")),
    "networks.release": (lambda **limit: networks.release(PAIRS, 2, **limit), ("effort", "time_limit", "gap")),
    "networks.lower_bound": (lambda **limit: networks.lower_bound(PAIRS, 2, **limit), ("effort",)),
    "networks.lower_bound of a size": (lambda **limit: networks.lower_bound(PAIRS, 2, size=1, **limit), ("effort",)),
    "networks.anonymize_under": (
        lambda **limit: networks.anonymize_under(PAIRS, 2, Constraints(max_increase=2), **limit),
        ("time_limit",),
    ),
    "tables.decide": (lambda **limit: tables.decide(TABLE, [], "ab", **limit), ("time_limit",)),
    "tables.find_frontier": (lambda **limit: tables.find_frontier(TABLE, **limit), ("time_limit", "decision_limit")),
    "tables.bounds": (lambda **limit: tables.bounds(TABLE, ["ab"], **limit), ("time_limit",)),
    "tables.simulate": (lambda **limit: tables.simulate(TABLE, ["ab"], seed=0, **limit), ("time_limit",)),
    "microdata.generalize": (
        lambda **limit: microdata.generalize(CODES, ATTRIBUTES, 2, **limit),
        ("effort", "time_limit", "gap"),
    ),
    "microdata.microaggregate": (
        lambda **limit: microdata.microaggregate(np.arange(8.0).reshape(4, 2), 2, **limit),
        ("effort", "time_limit", "gap"),
    ),
    "microdata.release": (
        lambda **limit: microdata.release(FRAME, ["age", "pay"], 2, **limit),
        ("effort", "time_limit", "gap"),
    ),
}
LIMITS = [(name, limit) for name, (_, limits) in ENGINES.items() for limit in limits]


@pytest.mark.parametrize("value", ["5", "1%", True, [1], float("nan"), -1], ids=repr)
@pytest.mark.parametrize(("name", "limit"), LIMITS)
def test_a_limit_that_is_none_is_refused_by_every_engine(name: str, limit: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=limit.replace("_", " ")) as refused:
        ENGINES[name][0](**{limit: value})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [1, 0.5, Fraction(1, 2), np.float32(0.5), np.int64(1)], ids=repr)
@pytest.mark.parametrize(("name", "limit"), [row for row in LIMITS if row[1] != "gap"])
def test_every_number_is_a_limit(name: str, limit: str, value: Any) -> None:
    ENGINES[name][0](**{limit: value})


@pytest.mark.parametrize("size", ["5", -1, True, 1.5])
def test_a_size_that_no_solution_has_is_refused(size: Any) -> None:
    with pytest.raises(InvalidInput, match="a whole number from 0 on"):
        networks.lower_bound(PAIRS, 2, size=size)


@pytest.mark.parametrize(
    "edges", [[(10**12, 1)], [(10**20, 1)], np.array([[2**63, 1]], dtype=np.uint64), [(2_000_000, 1), (2, 3)]]
)
def test_an_id_far_above_the_number_of_edges_is_refused_before_memory_is_taken(edges: Any) -> None:
    for read in (lambda: networks.anonymize(edges, 2), lambda: SimpleGraph.from_edges(edges)):
        with pytest.raises(InvalidInput, match="pass the ids as text or in a frame") as refused:
            read()
        assert not any(character.isdigit() for character in str(refused.value).replace("from 0", ""))


def test_isolated_vertices_below_the_largest_id_are_still_vertices() -> None:
    assert SimpleGraph.from_edges([(999_999, 1)]).n == 1_000_000
    assert SimpleGraph.from_edges([(0, 1)], n=1 << 31).n == 1 << 31
    with pytest.raises(InvalidInput, match="at most 2\\^31 vertices"):
        SimpleGraph.from_edges([(0, 1)], n=10**12)


@pytest.mark.parametrize("graph", [(pair for pair in [(0, 1)]), {(0, 1)}, {("a", "b")}, {0: [1]}, 5, "ties.csv", None])
def test_what_is_no_graph_is_refused_with_what_to_pass(graph: Any) -> None:
    with pytest.raises(InvalidInput, match=r"pass a list of pairs, such as list\(edges\)"):
        networks.anonymize(graph, 2)
    with pytest.raises(InvalidInput, match=r"pass list\(edges\)"):
        SimpleGraph.from_edges(graph)
