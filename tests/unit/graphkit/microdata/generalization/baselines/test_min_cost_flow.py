"""One minimum-cost flow: the least sum over pairs, against all regular graphs and the assignment."""

from itertools import combinations, product

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import nominal, numeric
from graphkit.microdata.generalization.baselines import min_cost_flow as flows
from graphkit.microdata.generalization.baselines.min_cost_flow import min_cost_flow
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of

ATTRIBUTES = (numeric([0, 1, 5, 9]), nominal(4))
LAYOUT = layout_of(ATTRIBUTES)


def pairs(codes: np.ndarray) -> np.ndarray:
    n = len(codes)
    both = np.array(list(product(range(n), repeat=2)))
    return losses_of(LAYOUT, joined(LAYOUT, codes, both)).reshape(n, n)


def total(losses: np.ndarray, covered: np.ndarray) -> float:
    return float(losses[covered[:, :1], covered[:, 1:]].sum())


@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 3), (4, 4), (5, 4)])
def test_no_regular_graph_has_a_smaller_sum(n: int, k: int) -> None:
    for seed in range(4):
        codes = np.random.default_rng(seed).integers(0, 4, size=(n, 2))
        losses = pairs(codes)
        least = np.inf
        for stars in product(*(list(combinations([i for i in range(n) if i != j], k - 1)) for j in range(n))):
            if (np.bincount(np.ravel(stars), minlength=n) == k - 1).all():
                least = min(least, total(losses, np.column_stack((np.arange(n), stars))))
        covered = min_cost_flow(codes, ATTRIBUTES, k)
        assert (np.bincount(covered.ravel()) == k).all()
        assert covered[:, 0].tolist() == list(range(n))
        assert total(losses, covered) == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("first", [1, 4])
def test_pairs_left_out_first_are_found_where_they_are_needed(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.optimize import linear_sum_assignment

    monkeypatch.setattr(flows, "_FIRST_EDGES", first)
    attributes = (numeric(np.arange(1000)), nominal(9))
    layout = layout_of(attributes)
    codes = np.random.default_rng(1).integers(0, [1000, 9], size=(120, 2))
    losses = losses_of(layout, joined(layout, codes, np.array(list(product(range(120), repeat=2))))).reshape(120, 120)
    barred = losses + 9 * np.eye(120)
    least = barred[linear_sum_assignment(barred)].sum()
    assert total(losses, min_cost_flow(codes, attributes, 2)) == pytest.approx(least, abs=1e-9)
    covered = min_cost_flow(codes, attributes, 4)
    assert (np.bincount(covered.ravel()) == 4).all()
    # three assignments, each without the pairs of those before, are a regular graph, too
    greedy = 0.0
    for _ in range(3):
        rows, columns = linear_sum_assignment(barred)
        greedy += float(barred[rows, columns].sum())
        barred[rows, columns] = 9
    assert total(losses, covered) <= greedy + 1e-9


def test_too_many_records_and_too_large_k_are_refused() -> None:
    with pytest.raises(InvalidInput, match="records"):
        min_cost_flow(np.zeros((flows.MOST_RECORDS + 1, 2), dtype=np.int64), ATTRIBUTES, 2)
    with pytest.raises(InvalidInput, match="larger than the number"):
        min_cost_flow(np.zeros((3, 2), dtype=np.int64), ATTRIBUTES, 4)
