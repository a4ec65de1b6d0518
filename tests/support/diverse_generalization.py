"""What originals see of sensitive values, by plain counting, and the least loss over all diverse sets of matchings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import log

import numpy as np

from graphkit.microdata import Attribute
from graphkit.microdata.demand import Demand
from tests.support.generalization import plain_gcp

__all__ = ["all_matchings", "is_diverse", "least_diverse_gcp", "sees"]


def sees(matchings: np.ndarray, values: Sequence[int], original: int, drawn: int) -> list[int]:
    """Return the values published with the tuples that cover an original when one of the matchings is drawn."""
    tuples = [matching.tolist().index(original) for matching in matchings]
    return [int(values[matchings[drawn][tuple_]]) for tuple_ in tuples]


def is_met(demand: Demand, seen: Sequence[int], values: Sequence[int]) -> bool:
    """Whether values meet a demand, with those of the whole file."""
    k, n = len(seen), len(values)
    counts, whole = Counter(seen), Counter(values)
    if len(counts) < demand.distinct:
        return False
    if -sum(count / k * log(count / k) for count in counts.values()) < log(demand.entropy) - 1e-12:
        return False
    if demand.t is None:
        return True
    apart = [counts[value] / k - whole[value] / n for value in range(max(values) + 1)]
    if demand.distance == "equal":
        far = sum(map(abs, apart)) / 2
    else:
        far = sum(abs(sum(apart[: place + 1])) for place in range(len(apart))) / max(1, len(apart) - 1)
    return far <= demand.t + 1e-12


def is_diverse(matchings: np.ndarray, demands: Sequence[Demand], values: Sequence[Sequence[int]]) -> bool:
    """Whether every original sees what is demanded under every matching, and tuples cover as many households."""
    k, n = matchings.shape
    return all(
        len({column[record] for record in row}) >= demand.distinct
        for demand, column in zip(demands, values, strict=True)
        if demand.of_households
        for row in matchings.T
    ) and all(
        is_met(demand, sees(matchings, column, original, drawn), column)
        for demand, column in zip(demands, values, strict=True)
        for original in range(n)
        for drawn in range(k)
    )


def all_matchings(n: int, k: int) -> Iterator[np.ndarray]:
    """Yield every set of k disjoint matchings, up to the names of the tuples: each has its own record in the first."""
    rows = [row for row in permutations(range(n)) if all(value != place for place, value in enumerate(row))]

    def more(chosen: list[tuple[int, ...]], begin: int) -> Iterator[np.ndarray]:
        if len(chosen) == k:
            yield np.array(chosen)
            return
        for at in range(begin, len(rows)):
            if all(one != other for row in chosen[1:] for one, other in zip(row, rows[at], strict=True)):
                yield from more([*chosen, rows[at]], at + 1)

    return more([tuple(range(n))], 0)


def least_diverse_gcp(
    attributes: list[Attribute], codes: np.ndarray, k: int, demands: Sequence[Demand], values: Sequence[Sequence[int]]
) -> float | None:
    """Return the least GCP of matchings that meet demands; None where there are none."""
    found = [
        plain_gcp(attributes, codes, matchings.T)
        for matchings in all_matchings(len(codes), k)
        if is_diverse(matchings, demands, values)
    ]
    return min(found, default=None)
