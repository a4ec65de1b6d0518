"""Records for tests of microaggregation, and the least loss of a partition by trying all of them."""

from functools import cache
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from graphkit.microdata.microaggregation.groups import within_groups

__all__ = ["least_loss", "tables_of_records"]


def least_loss(points: np.ndarray, k: int) -> float:
    """Return the least SSE of a partition into groups of at least k records; every group of up to 2k − 1 is tried."""
    n = points.shape[0]

    @cache
    def least(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first, *others = sorted(left)
        best = np.inf
        for size in range(k, min(2 * k, len(left) + 1)):
            for rest in combinations(others, size - 1):
                group = [first, *rest]
                cost = within_groups(points[group], np.zeros(size, dtype=np.int64))
                best = min(best, cost + least(left.difference(group)))
        return best

    return float(least(frozenset(range(n))))


@st.composite
def tables_of_records(draw: st.DrawFn, min_n: int = 4, max_n: int = 9, max_d: int = 3) -> np.ndarray:
    """Records with few different values: ties, duplicates and constant columns are common."""
    n, d = draw(st.integers(min_n, max_n)), draw(st.integers(1, max_d))
    values = st.integers(0, draw(st.integers(1, 12))) | st.floats(-3, 3, width=16)
    rows = st.lists(values, min_size=d, max_size=d)
    return np.array(draw(st.lists(rows, min_size=n, max_size=n)), dtype=np.float64)
