"""Records for tests of freeform generalization, their loss by plain sets, and the least one by trying all coverings."""

from functools import cache
from itertools import combinations
from math import isnan

import numpy as np
from hypothesis import strategies as st

from graphkit.microdata import Attribute, hierarchical, nominal, numeric

__all__ = ["coded_records", "drawn_records", "least_gcp", "plain_gcp", "plain_ncp"]

TREE = hierarchical([5, 5, 6, 6, 8, 7, 7, 8, 8], 5)
"""Values 0 and 1 under node 5, 2 and 3 under 6, both of these under 7; 4 under the root, 8."""


def plain_ncp(attribute: Attribute, values: set[int]) -> float:
    """Return the NCP of what stands for some values."""
    if len(values) == 1:
        return 0.0
    if attribute.kind == "range":
        numbers = [float(attribute.numbers[value]) for value in values]
        if any(map(isnan, numbers)):
            return 1.0
        return (max(numbers) - min(numbers)) / float(attribute.numbers[-1] - np.nanmin(attribute.numbers))
    size = len(values)
    if attribute.kind == "tree":
        above = [ancestors(attribute, value) for value in values]
        lowest = next(node for node in above[0] if all(node in others for others in above))
        size = sum(lowest in ancestors(attribute, value) for value in range(attribute.size))
    return size / attribute.size if attribute.counting == "share" else (size - 1) / (attribute.size - 1)


def ancestors(attribute: Attribute, node: int) -> list[int]:
    """Return a node and those above it, up to the root."""
    found = [node]
    while attribute.parents[found[-1]] != found[-1]:
        found.append(int(attribute.parents[found[-1]]))
    return found


def plain_loss(attributes: list[Attribute], rows: np.ndarray) -> float:
    """Return the weighted mean of the NCP of all attributes when these records are covered."""
    weights = sum(attribute.weight for attribute in attributes)
    parts = (
        attribute.weight * plain_ncp(attribute, set(rows[:, place].tolist()))
        for place, attribute in enumerate(attributes)
    )
    return sum(parts) / weights


def plain_gcp(attributes: list[Attribute], codes: np.ndarray, covered: np.ndarray) -> float:
    """Return the mean loss of all tuples."""
    return sum(plain_loss(attributes, codes[row]) for row in covered) / len(covered)


def least_gcp(attributes: list[Attribute], codes: np.ndarray, k: int) -> float:
    """Return the least GCP of a covering; every choice of k − 1 others for every tuple is tried."""
    n = len(codes)
    losses = {
        (row, others): plain_loss(attributes, codes[[row, *others]])
        for row in range(n)
        for others in combinations([one for one in range(n) if one != row], k - 1)
    }

    @cache
    def least(row: int, left: tuple[int, ...]) -> float:
        if row == n:
            return 0.0
        best = float("inf")
        for others in combinations([one for one in range(n) if one != row and left[one]], k - 1):
            rest = tuple(count - (one in others) for one, count in enumerate(left))
            best = min(best, losses[row, others] + least(row + 1, rest))
        return best

    return least(0, (k - 1,) * n) / n


ATTRIBUTES = st.sampled_from(
    [
        numeric([1, 2, 4, 8, 9]),
        numeric([0, 10, 11, 12, 30], weight=3),
        numeric([3, 4, 9, 10], missing=True),
        nominal(5),
        nominal(5, weight=0.5, counting="steps"),
        nominal(130),
        TREE,
        hierarchical(TREE.parents.tolist(), 5, counting="steps"),
    ]
)


@st.composite
def coded_records(draw: st.DrawFn, min_n: int = 2, max_n: int = 5) -> tuple[list[Attribute], np.ndarray]:
    """Attributes of all kinds and few records, with many ties."""
    attributes = draw(st.lists(ATTRIBUTES, min_size=1, max_size=3))
    n = draw(st.integers(min_n, max_n))
    columns = [
        draw(st.lists(st.sampled_from([0, 1, attribute.size - 1, 3, 4]), min_size=n, max_size=n))
        for attribute in attributes
    ]
    return attributes, np.array(columns, dtype=np.int64).T


def drawn_records(n: int, seed: int = 0) -> tuple[list[Attribute], np.ndarray]:
    """Return records of a range, two sets and a tree, the values of which are not equally frequent."""
    rng = np.random.default_rng(seed)
    attributes = [numeric(np.arange(40)), nominal(7), nominal(100), TREE]
    shares = rng.beta(0.7, 1.5, (n, len(attributes)))
    sizes = np.array([attribute.size for attribute in attributes])
    return attributes, np.asarray(shares * sizes, dtype=np.int64).clip(0, sizes - 1)
