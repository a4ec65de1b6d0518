"""What annealing leaves is improved by cycles, and only where that is little work beside the search."""

import numpy as np

from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import within_groups
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.search._finishing import finish
from graphkit.microdata.microaggregation.standing import Standing


def standing_of(n: int) -> Standing:
    points = np.random.default_rng(n).normal(size=(n, 3))
    return Standing(points, mdav(points, 3), Budget())


def test_cycles_make_a_partition_better_and_keep_it_valid() -> None:
    standing = standing_of(300)
    before = standing.loss
    finish(standing.points, 3, standing, 20_000_000)
    assert standing.loss < before
    assert standing.loss == within_groups(standing.points, standing.labels)
    assert 3 <= np.bincount(standing.labels).min() <= np.bincount(standing.labels).max() <= 5
    assert standing.budget.work > 0


def test_nothing_is_done_where_it_would_be_much_of_the_work_or_there_are_few_records() -> None:
    for n, units in ((300, 1_000), (250, 20_000_000)):
        standing = standing_of(n)
        before = standing.loss
        finish(standing.points, 3, standing, units)
        assert (standing.loss, standing.budget.work) == (before, 0)
