"""Whether two graphs find the same vertices central, from all sources or from a sample of them."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.networks.utility.aspect import Differences
from graphkit.networks.utility.distances import kolmogorov_smirnov_distance
from graphkit.networks.utility.measure import Agreement, Distance, jackknife_error

_GROUPS = 8
_TOP = 100
_DIGITS = 10


def split_evenly(sources: Ints) -> list[Ints]:
    """Return the sources in up to 8 groups of equal size; up to 7 sources are left out for that."""
    groups = min(_GROUPS, sources.size)
    # neighbours in the list go to different groups
    return [sources[start : sources.size - sources.size % groups : groups] for start in range(groups)]


def rank_differences(name: str, before: Floats, after: Floats, paired: bool) -> Differences:
    """Return how far two graphs agree on who is central.

    Parameters
    ----------
    name : str
        Of the centrality.
    before, after : ndarray of float64, shape (groups, n)
        Centrality by groups of sources; one group where all vertices were sources.
    paired : bool
        Whether vertex i of one graph is vertex i of the other.

    Returns
    -------
    Differences
        Paired: Spearman's rank correlation and the share of the 100 most central vertices (a tenth of all below 1000
        vertices) that stay, with their standard errors over the groups where sources were sampled. Exact in both
        graphs: the Kolmogorov–Smirnov distance of the distributions.
    """
    if before.shape[1] == 0 or after.shape[1] == 0:
        return Differences()
    first, second = settled(before.sum(axis=0)), settled(after.sum(axis=0))
    distances: tuple[Distance, ...] = ()
    if before.shape[0] == after.shape[0] == 1:
        distance = kolmogorov_smirnov_distance(first, second)
        distances = (Distance(f"{name} distribution, Kolmogorov–Smirnov", distance),)
    if not paired:
        return Differences(distances)
    size = min(_TOP, -(-first.size // 10))
    correlation = rank_correlation(first, second)
    note = "" if correlation is not None else "all vertices are alike in one of the networks"
    replicates = _replicates(before, after, size)
    errors = [jackknife_error(column) if column else None for column in replicates]
    return Differences(
        distances,
        (
            Agreement(f"{name}, ranks (Spearman)", correlation, errors[0], note=note),
            Agreement(f"{name}, overlap of the top {size}", top_overlap(first, second, size), errors[1]),
        ),
    )


def _replicates(before: Floats, after: Floats, size: int) -> tuple[list[float], list[float]]:
    """Return rank correlation and overlap with each group of sources left out; nothing where they are exact."""
    if before.shape[0] == 1 or before.shape != after.shape:
        return [], []
    correlations, overlaps = [], []
    for part_before, part_after in zip(before, after, strict=True):
        first, second = settled(before.sum(axis=0) - part_before), settled(after.sum(axis=0) - part_after)
        correlation = rank_correlation(first, second)
        if correlation is None:
            return [], []
        correlations.append(correlation)
        overlaps.append(top_overlap(first, second, size))
    return correlations, overlaps


def settled(values: Floats) -> Floats:
    """Return values without the noise of floating-point sums, so that what is equal in theory ties.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2, 0.3, 1.0])).tolist()
    [0.3, 0.3, 1.0]
    """
    largest = float(np.abs(values).max(initial=0.0))
    return np.round(values / largest, _DIGITS) * largest if largest else values


def rank_correlation(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rank correlation with average ranks for ties; None where one list is constant.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    ranks = [_ranks(values) - (values.size + 1) / 2 for values in (first, second)]
    norms = [float(np.sqrt((centred**2).sum())) for centred in ranks]
    if 0.0 in norms:
        return None
    return round(float((ranks[0] * ranks[1]).sum()) / (norms[0] * norms[1]), 12)


def top_overlap(first: Floats, second: Floats, size: int) -> float:
    """Return the share of the `size` largest of one list that are among the largest of the other.

    Among equals the lower index goes first, in both lists.

    Examples
    --------
    >>> top_overlap(np.array([5.0, 4.0, 1.0]), np.array([5.0, 1.0, 4.0]), 2)
    0.5
    """
    tops = [np.argsort(-values, kind="stable")[:size] for values in (first, second)]
    return float(np.isin(tops[0], tops[1]).mean())


def _ranks(values: Floats) -> Floats:
    _, position, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    average: Floats = (last - (sizes - 1) / 2)[position]
    return average
