"""What vertices that are no hubs give to a set of hubs is never more than the programs allow."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphkit.networks.bounds.programs.gifts import Gifts
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.sequences.group_costs import UNREACHABLE, least_from
from tests.support.strategies import graphs


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_wherever_others_end_they_give_no_more_than_that(data: st.DataObject) -> None:
    view = IgraphView.of(data.draw(graphs(min_n=5, max_n=9)))
    k, limit = data.draw(st.integers(1, 2)), data.draw(st.integers(4, 9))
    positions = Positions.of(view, k, limit)
    exact = Positions.of(view, k, 100).core
    degrees, n = exact.degrees, exact.size
    hubs = data.draw(st.integers(1, min(n - 1, positions.core.size - 1)))
    borders = [b for b in range(hubs, positions.core.size) if least_from(degrees, k, 1, 0, 0)[b] < UNREACHABLE]
    assume(borders)
    border = data.draw(st.sampled_from(borders))
    # where all others end, descending, those behind the border in groups
    ends = sorted(data.draw(st.lists(st.integers(0, 9), min_size=n - hubs, max_size=n - hubs)), reverse=True)
    if k == 2:
        behind = ends[border - hubs :]
        ends[border - hubs :] = [
            behind[max(0, min(i - i % 2, len(behind) - 3 + len(behind) % 2))] for i in range(len(behind))
        ]
    assume(ends == sorted(ends, reverse=True))
    _, counts = np.unique(ends[border - hubs :], return_counts=True)
    assume(counts.size == 0 or counts.min() >= k)
    order = np.array(data.draw(st.permutations(range(n - hubs))))
    demands = np.array(ends)[order] - degrees[hubs:]
    assume((demands >= 0).all())
    members = np.array(data.draw(st.lists(st.booleans(), min_size=hubs, max_size=hubs)))
    given_to = int(np.minimum(demands, exact.joinable[hubs:, :hubs][:, members].sum(axis=1)).sum())

    before = np.arange(hubs, border)
    levels = np.array(ends[: border - hubs], dtype=np.int64)
    gifts = Gifts(positions, hubs, before, levels - degrees[before], np.array([border]))
    in_columns, by_border = gifts.to(members)
    more = int(demands.sum() - (levels - degrees[before]).sum() - least_from(degrees, k, 1, 0, 0)[border])
    assert given_to <= in_columns.sum() + by_border[0] + more
