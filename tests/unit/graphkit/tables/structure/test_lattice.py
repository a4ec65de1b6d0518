"""The lattice says what sets of variables say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.tables.structure.lattice import MarginalLattice, MarginalStatus
from graphkit.tables.structure.lattice_positions import axes_of, lattice_positions

Axes = tuple[int, ...]


def every_set(k: int) -> list[Axes]:
    return [axes for size in range(k + 1) for axes in combinations(range(k), size)]


@st.composite
def lattices(draw: st.DrawFn) -> MarginalLattice:
    k = draw(st.integers(1, 5))
    sets = st.lists(st.sampled_from(every_set(k)), max_size=4)
    return MarginalLattice("ABCDE"[:k], draw(sets), draw(sets))


def status_by_sets(lattice: MarginalLattice, axes: Axes) -> MarginalStatus:
    if axes in lattice.released:
        return MarginalStatus.RELEASED
    if any(set(axes) <= set(out) for out in lattice.released):
        return MarginalStatus.IMPLIED
    if any(set(axes) >= set(forbidden) for forbidden in lattice.unreleasable):
        return MarginalStatus.UNRELEASABLE
    return MarginalStatus.UNDECIDED


@given(lattices())
def test_statuses_and_frontiers_are_those_of_the_sets(lattice: MarginalLattice) -> None:
    sets = every_set(len(lattice.names))
    status = {axes: status_by_sets(lattice, axes) for axes in sets}
    assert {axes: lattice.status(axes) for axes in sets} == status
    out = [a for a in sets if status[a] in (MarginalStatus.RELEASED, MarginalStatus.IMPLIED)]
    forbidden = [a for a in sets if status[a] == MarginalStatus.UNRELEASABLE]
    assert list(lattice.released_frontier) == [a for a in out if not any(set(a) < set(b) for b in out)]
    assert list(lattice.unreleasable_frontier) == [a for a in forbidden if not any(set(a) > set(b) for b in forbidden)]
    assert list(lattice.undecided) == [a for a in sets if status[a] == MarginalStatus.UNDECIDED]
    assert lattice.counts() == {s: list(status.values()).count(s) for s in MarginalStatus}


@given(lattices())
@settings(deadline=None)  # the first call imports igraph
def test_edges_lead_to_one_variable_more(lattice: MarginalLattice) -> None:
    graph = lattice.to_igraph()
    sets = every_set(len(lattice.names))
    edges = {(axes_of(low), axes_of(high)) for low, high in graph.get_edgelist()}
    assert edges == {(a, b) for a in sets for b in sets if set(a) < set(b) and len(b) == len(a) + 1}
    assert graph.ecount() == len(edges)
    assert graph.is_dag()
    assert graph.vs["status"] == [lattice.status(axes_of(number)) for number in range(graph.vcount())]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_positions_are_levels_in_lexicographic_order_centred(k: int) -> None:
    where = lattice_positions(k)
    for level in range(k + 1):
        row = [sum(1 << axis for axis in axes) for axes in combinations(range(k), level)]
        assert where[row, 1].tolist() == [level] * len(row)
        assert np.allclose(np.diff(where[row, 0]), 1)
        assert where[row, 0].sum() == 0


def test_sixteen_variables() -> None:
    names = [f"v{i}" for i in range(16)]
    lattice = MarginalLattice(names, released=combinations(range(8), 2), unreleasable=combinations(range(16), 5))
    graph = lattice.to_igraph()
    assert (graph.vcount(), graph.ecount()) == (65_536, 524_288)
    assert len(lattice.unreleasable_frontier) == 4368
    # at most four variables, less the total, the eight single ones and the 28 pairs that are out
    assert len(lattice.undecided) == 1 + 16 + 120 + 560 + 1820 - 37
    assert lattice.status(["v0", "v9"]) is MarginalStatus.UNDECIDED


def test_what_is_out_stays_out() -> None:
    lattice = MarginalLattice("ABC", released=["AB"], unreleasable=["A"])
    assert lattice.status("A") is MarginalStatus.IMPLIED
    assert lattice.unreleasable_frontier == ((0, 2),)


def test_a_marginal_in_another_order_is_the_same() -> None:
    lattice = MarginalLattice("ABC", released=["BA", [0, 1], ["A", 1]])
    assert lattice.released == ((0, 1),)
    assert lattice == MarginalLattice("ABC", released=["AB"])


@pytest.mark.parametrize(
    ("names", "released", "message"),
    [
        ("", [], "at least one variable"),
        ("AA", [], "two variables of one name"),
        ([str(i) for i in range(21)], [], "too large"),
        ("AB", ["AC"], "no variable 'C'; the table has A, B"),
        ("AB", [[2]], "no variable '2'"),
        ("AB", ["AA"], "a variable twice"),
    ],
)
def test_what_cannot_be_meant_is_refused(names: Any, released: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        MarginalLattice(names, released)
