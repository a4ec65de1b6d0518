"""The optimum of tiny inputs, against all regular graphs."""

from itertools import combinations, product

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import hierarchical, nominal, numeric
from graphkit.microdata.generalization.bounding.mip import optimum
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of

ATTRIBUTES = (numeric([0, 1, 5, 9]), nominal(4), hierarchical([3, 3, 4, 4, 4], 3))
LAYOUT = layout_of(ATTRIBUTES)


def least(codes: np.ndarray, k: int) -> float:
    n = len(codes)
    found = np.inf
    for stars in product(*(list(combinations([i for i in range(n) if i != j], k - 1)) for j in range(n))):
        if (np.bincount(np.ravel(stars), minlength=n) == k - 1).all():
            covered = np.column_stack((np.arange(n), stars))
            found = min(found, losses_of(LAYOUT, joined(LAYOUT, codes, covered)).mean())
    return found


@pytest.mark.parametrize(("n", "k"), [(2, 2), (4, 2), (5, 2), (4, 3), (5, 3), (5, 4), (4, 4)])
def test_no_regular_graph_loses_less(n: int, k: int) -> None:
    for seed in range(4):
        codes = np.random.default_rng(seed).integers(0, [4, 4, 3], size=(n, 3))
        covered = optimum(codes, ATTRIBUTES, k)
        assert covered[:, 0].tolist() == list(range(n))
        assert (np.bincount(covered.ravel()) == k).all()
        assert all(len(set(row)) == k for row in covered.tolist())
        assert losses_of(LAYOUT, joined(LAYOUT, codes, covered)).mean() == pytest.approx(least(codes, k), abs=1e-9)


def test_too_many_stars_and_too_large_k_are_refused() -> None:
    codes = np.zeros((40, 3), dtype=np.int64)
    with pytest.raises(InvalidInput, match="too many"):
        optimum(codes, ATTRIBUTES, 6)
    with pytest.raises(InvalidInput, match="larger than the number"):
        optimum(codes[:3], ATTRIBUTES, 4)
