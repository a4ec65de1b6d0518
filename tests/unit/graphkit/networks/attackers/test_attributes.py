"""Candidate sets by degree and attributes: those of a comparison of all pairs, and what an export refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.subjects.networks.exports.attributes import single_out
from graphkit.errors import InvalidInput
from graphkit.networks.attackers.attributes import attribute_sets
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.strategies import graphs


@settings(deadline=None)
@given(graphs(), st.data())
def test_vertices_share_a_set_where_degree_and_all_attributes_are_equal(
    graph: SimpleGraph, data: st.DataObject
) -> None:
    column = st.lists(st.sampled_from(["", "a", "b"]), min_size=graph.n, max_size=graph.n)
    attributes = {name: np.array(data.draw(column), dtype=object) for name in ("x", "y")}
    sets, degrees = attribute_sets(graph, attributes), graph.degrees()
    rows = list(zip(degrees.tolist(), *attributes.values(), strict=True))
    assert sets.candidates().tolist() == [rows.count(row) for row in rows]
    for k in (2, 3):
        assert bool(sets.below(k).size) == single_out(degrees, attributes, k)


def test_an_attribute_has_a_value_for_each_vertex() -> None:
    with pytest.raises(InvalidInput, match="'sex' must have one value"):
        attribute_sets(SimpleGraph.from_edges([(0, 1)]), {"sex": ["f"]})
