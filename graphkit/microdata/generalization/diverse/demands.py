"""Demands on sensitive values as kernels take them, and which of them no covering can meet."""

from collections.abc import Sequence
from math import ceil, exp, log
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.kernels import kernel
from graphkit.microdata.demand import Demand

_ROUNDING = 1e-12
_MEAN_ROUNDING = 1e-9
# of the slack that the house's measures grant: what is found here passes there
_STRICTER = 5e-13
_NO_T = 2.0


class Sensitive(NamedTuple):
    """Sensitive values with what is demanded of them; a row for each demand."""

    values: Ints
    """Category of every record, shape (D, n)."""
    distinct: Ints
    """Shape (D,)."""
    entropy: Floats
    """Least entropy, shape (D,); below 0 where none is demanded."""
    most: Floats
    """Largest distance, shape (D,); above 1 where none is demanded."""
    ordered: Ints
    """Whether the distance goes by ranks, shape (D,)."""
    of_tuples: Ints
    """Whether what a tuple covers is to be as diverse, shape (D,)."""
    starts: Ints
    """Where the categories of a demand begin in the next three, shape (D + 1,); one place more than categories."""
    shares: Floats
    """Of every category in the whole file."""
    cumulated: Floats
    """Of every category and those before it."""
    sums: Floats
    """Of the cumulated shares of the categories before."""


def sensitive_of(
    demands: Sequence[Demand], values: Sequence[Ints], totals: Sequence[Ints | None] | None = None
) -> Sensitive:
    """Return demands for kernels.

    Parameters
    ----------
    demands : sequence of Demand
    values : sequence of ndarray of int, shape (n,)
        Of each demand, the category of every record, by rank: from 0 on.
    totals : sequence of ndarray of int or None, optional
        Of each demand, how often each category is in the whole file, where these records are a part of it.

    Raises
    ------
    InvalidInput
        If there is not a number from 0 on for each record and demand, or a part has what the whole has not.
    """
    table = np.array([np.asarray(column) for column in values])
    if table.ndim != 2 or len(demands) != len(table) or not np.issubdtype(table.dtype, np.integer) or table.min() < 0:
        raise InvalidInput("sensitive values must be whole numbers from 0 on: a category for each record and demand")
    shares, cumulated, sums, starts = [], [], [], [0]
    if totals is not None and len(totals) != len(demands):
        raise InvalidInput("give the totals of each demand, or None where these records are all")
    for column, total in zip(table, totals or [None] * len(table), strict=True):
        counts = _counts(column, total)
        own = counts / counts.sum()
        whole = np.cumsum(counts) / counts.sum()
        shares.append(np.append(own, 0.0))
        cumulated.append(np.append(whole, 1.0))
        sums.append(np.concatenate(([0.0], np.cumsum(whole))))
        starts.append(starts[-1] + own.size + 1)
    return Sensitive(
        np.ascontiguousarray(table, dtype=np.int64),
        np.array([demand.distinct for demand in demands], dtype=np.int64),
        np.array([log(demand.entropy) - _STRICTER if demand.entropy > 1 else -1.0 for demand in demands]),
        np.array([_NO_T if demand.t is None else demand.t + _STRICTER for demand in demands]),
        np.array([demand.distance == "ordered" for demand in demands], dtype=np.int64),
        np.array([demand.of_households for demand in demands], dtype=np.int64),
        np.array(starts, dtype=np.int64),
        np.concatenate(shares),
        np.concatenate(cumulated),
        np.concatenate(sums),
    )


def _counts(column: Ints, total: Ints | None) -> Ints:
    """Return how often each category is in the whole file."""
    counts = np.bincount(column)
    if total is None:
        return counts
    whole = np.asarray(total)
    if whole.ndim != 1 or not np.issubdtype(whole.dtype, np.integer) or whole.size < counts.size:
        raise InvalidInput("totals must be whole numbers, one for each category of the whole file")
    if (whole[: counts.size] < counts).any() or whole.min() < 0:
        raise InvalidInput("totals must be those of the whole file: a part has more records of a category")
    return whole


def of_some(sensitive: Sensitive, members: Ints) -> Sensitive:
    """Return the same demands of some records: shares stay those of the whole file."""
    return sensitive._replace(values=np.ascontiguousarray(sensitive.values[:, members]))


def published_values(values: Sequence[Ints]) -> list[Ints]:
    """Return categories numbered by rank among those that are left, where some records were left out.

    Examples
    --------
    >>> published_values([np.array([3, 1, 3])])[0].tolist()
    [1, 0, 1]
    """
    return [np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64) for column in values]


def check_possible(demands: Sequence[Demand], sensitive: Sensitive, k: int) -> None:
    """Refuse demands that no covering of these records can meet.

    Parameters
    ----------
    demands : sequence of Demand
    sensitive : Sensitive
    k : int

    Raises
    ------
    InvalidInput
        If one is impossible.

    Notes
    -----
    Proven: under a matching, a value of c records is seen by at most min(n, k c) of n originals, and each sees k
    values. The mean of what originals see is these records; entropy is concave, and the distance from the whole file
    convex. Of t, the closest k values are known: their cumulated shares, or their counts, are those of the whole file,
    rounded. Demands that pass may still be impossible.
    """
    for place, demand in enumerate(demands):
        column = sensitive.values[place]
        n, counts = column.size, np.bincount(column)
        name, categories = repr(demand.sensitive), int((counts > 0).sum())
        least = max(demand.distinct, ceil(demand.entropy - _ROUNDING))
        if demand.of_households and int(np.minimum(n, k * counts).sum()) < demand.distinct * n:
            raise InvalidInput(
                f"a household has more than one in {demand.distinct} of these {n} records, or there are fewer "
                "households: not each record can hide among records of so many; lower k, or leave out that household"
            )
        if least > k:
            raise InvalidInput(f"{least} of k ({k}) values of {name} cannot differ; raise k, or lower l")
        if least > categories:
            raise InvalidInput(f"{name} has {categories} values, l cannot be {least}; lower l")
        if int(np.minimum(n, k * counts).sum()) < demand.distinct * n:
            raise InvalidInput(
                f"too many records share a value of {name} for each original to see {demand.distinct} of them among k "
                f"({k}); raise k, or lower l"
            )
        if demand.entropy > 1:
            shares = counts[counts > 0] / n
            even = np.bincount(np.arange(k) % categories) / k
            best = min(float(-(held * np.log(held)).sum()) for held in (shares, even))
            if best < log(demand.entropy) - _ROUNDING:
                raise InvalidInput(
                    f"the entropy of {name} is at most that of {exp(best):.3g} values among k ({k}) of these records; "
                    "raise k, or lower entropy l"
                )
        if k == n and lack(sensitive, place, column.copy()) > 0:
            raise InvalidInput(
                f"each original sees all {n} values of {name}, which miss what is demanded; lower l, or raise t"
            )
        if demand.t is not None:
            closest = _closest(sensitive, place, k)
            if closest > demand.t + _ROUNDING:
                raise InvalidInput(
                    f"k ({k}) values of {name} are at least {closest:.3g} from the whole file; raise k, or t"
                )
            mean = _distance(sensitive, place, np.sort(column))
            # a sum over many records
            if mean > demand.t + _MEAN_ROUNDING:
                raise InvalidInput(
                    f"the values of {name} in one stratum, or one part, are {mean:.3g} from the whole file, and so is "
                    "what its records see, in the mean; raise t, join strata, or allow larger parts"
                )


def _closest(sensitive: Sensitive, place: int, k: int) -> float:
    """Return the least distance that k values can have from the whole file."""
    start, end = sensitive.starts[place], sensitive.starts[place + 1] - 1
    if sensitive.ordered[place]:
        whole = sensitive.cumulated[start:end]
        return float(float(np.abs(np.round(whole * k) / k - whole).sum()) / max(1, end - start - 1))
    wanted = sensitive.shares[start:end] * k
    kept = np.floor(wanted + _ROUNDING)
    rests = np.sort(wanted - kept)[::-1]
    more = k - int(kept.sum())
    return float(np.maximum(1 - rests[:more], 0.0).sum()) / k


@kernel
def lack(sensitive: Sensitive, place: int, held: Ints) -> float:
    """Return by how much some values miss a demand, 0 where they meet it; one value more or less counts about 1.

    Parameters
    ----------
    sensitive : Sensitive
    place : int
        Of the demand.
    held : ndarray of int, shape (k,)
        Values; they are sorted in place.
    """
    k = held.size
    least, most = sensitive.entropy[place], sensitive.most[place]
    if least <= 0 and most > 1:
        return _too_few(held, sensitive.distinct[place])
    for at in range(1, k):
        one, to = held[at], at
        while to > 0 and held[to - 1] > one:
            held[to] = held[to - 1]
            to -= 1
        held[to] = one
    different = 1
    for at in range(1, k):
        different += held[at] != held[at - 1]
    total = float(max(0, sensitive.distinct[place] - different))
    if least > 0:
        entropy, run = np.log(k), 1
        for at in range(1, k + 1):
            if at < k and held[at] == held[at - 1]:
                run += 1
            else:
                entropy -= run * np.log(run) / k
                run = 1
        total += max(0.0, least - entropy) * k
    if most <= 1:
        total += max(0.0, _distance(sensitive, place, held) - most) * k
    return total


@kernel
def _too_few(held: Ints, wanted: int) -> float:
    """Return how many more different values are wanted; others are not counted once there are as many."""
    different = 1
    for at in range(1, held.size):
        if different >= wanted:
            break
        new = 1
        for before in range(at):
            if held[before] == held[at]:
                new = 0
                break
        different += new
    return float(max(0, wanted - different))


@kernel
def _distance(sensitive: Sensitive, place: int, held: Ints) -> float:
    """Return the distance of sorted values from the whole file."""
    k, start = held.size, sensitive.starts[place]
    size = sensitive.starts[place + 1] - start - 1
    total = 0.0
    if not sensitive.ordered[place]:
        run = 1
        for at in range(1, k + 1):
            if at < k and held[at] == held[at - 1]:
                run += 1
            else:
                total += max(0.0, run / k - sensitive.shares[start + held[at - 1]])
                run = 1
        return total
    if size < 2:
        return 0.0
    cumulated, sums = sensitive.cumulated, sensitive.sums
    total = sums[start + held[0]]
    for at in range(k):
        first = held[at]
        end = held[at + 1] if at + 1 < k else size
        share = (at + 1) / k
        low, high = first, end
        while low < high:
            middle = (low + high) // 2
            if cumulated[start + middle] > share:
                high = middle
            else:
                low = middle + 1
        total += share * (low - first) - (sums[start + low] - sums[start + first])
        total += sums[start + end] - sums[start + low] - share * (end - low)
    return float(total / (size - 1))
