"""Degree risk against counting vertex by vertex."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.networks import audit, degree_risk
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.strategies import graphs


@given(graph=graphs(max_n=14), k=st.integers(2, 8))
def test_every_figure_is_a_count_over_vertices(graph: SimpleGraph, k: int) -> None:
    degrees = graph.degrees().tolist()
    size = [degrees.count(d) for d in degrees]
    risk = audit(graph, k)
    assert risk.n == graph.n
    assert risk.vertices_below_k == sum(s < k for s in size) == risk.below(k)
    assert risk.unique_vertices == size.count(1)
    assert risk.smallest_block == min(size, default=0)
    assert risk.blocks_below_k == sum(degrees.count(d) < k for d in set(degrees))
    assert risk.reidentification_rate == pytest.approx(sum(1 / s for s in size) / max(graph.n, 1))
    assert risk.is_anonymous == (risk.share_below_k == 0)
    for j in range(2, 18):
        last = np.searchsorted(risk.curve_k, j, side="right") - 1
        assert risk.curve_below[last] == sum(s < j for s in size)


def test_k_below_two_and_negative_blocks_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 2"):
        degree_risk([3], 1)
    with pytest.raises(InvalidInput, match="negative"):
        degree_risk([3, -1], 2)
