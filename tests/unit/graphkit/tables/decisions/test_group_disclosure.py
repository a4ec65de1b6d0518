"""Groups of which a category is shown to have nobody: in every order of requests."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.decision import decide
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.small_tables import all_groupings, all_sets, table_of

ONLY_GROUPS = DisclosureRules(threshold=2, min_width=1, hide_small=False, group_disclosure=True)


def coarser_marginals(table: ContingencyTable) -> list[RecodedMarginal]:
    """Return all marginals, with all ways to merge categories."""
    return [
        RecodedMarginal(axes, groupings)
        for axes in all_sets(len(table.shape))
        if axes
        for groupings in product(*(all_groupings(table.shape[axis]) for axis in axes))
        if all(max(grouping) > 0 for grouping in groupings)
    ]


@pytest.mark.parametrize("counts", [[50, 0, 70], [50, 2, 70], [[5, 0, 7], [6, 8, 0]], [[5, 3], [0, 0], [6, 8]]])
def test_in_no_order_a_group_is_disclosed_that_alone_would_be_refused(counts: list[object]) -> None:
    table = table_of(np.array(counts))
    marginals = coarser_marginals(table)
    refused = [one for one in marginals if decide(table, [], one, ONLY_GROUPS).answer == "refuse"]
    rng = np.random.default_rng(1)
    numbers = range(len(marginals))
    few = len(marginals) <= 5
    orders = list(permutations(numbers)) if few else [tuple(rng.permutation(numbers).tolist()) for _ in range(60)]
    for order in orders:
        out: list[RecodedMarginal] = []
        for marginal in (marginals[number] for number in order):
            try:
                answer = decide(table, out, marginal, ONLY_GROUPS).answer
            except InvalidInput:
                continue  # crosses what is out
            if answer == "release":
                out.append(marginal)
        assert not [one for one in refused if any(one.within(known) for known in out)]


def test_what_is_refused_merged_is_refused_in_full() -> None:
    table = ContingencyTable.from_dense([50, 0, 70], (Variable("c", ("c0", "c1", "c2")),))
    merged = RecodedMarginal.of(table, {"c": [("c0", "c2")]}, ["c"])
    assert decide(table, [], merged, ONLY_GROUPS).answer == "refuse"
    assert decide(table, [], ["c"], ONLY_GROUPS).answer == "refuse"
    other = RecodedMarginal.of(table, {"c": [("c0", "c1")]}, ["c"])
    assert decide(table, [], other, ONLY_GROUPS).answer == "release"
