"""Raise more vertices than k-anonymity needs, so that those with large demands find enough partners."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.sequences.degree_raises import DegreeRaises, apply_raises, demand_counts, merge_raises
from graphkit.networks.sequences.graphic import erdos_gallai


def graphic_slack(raises: DegreeRaises) -> int:
    """Return the least slack demand, in units of 1, after which the demands are graphic."""
    slack = max(erdos_gallai(demand_counts(raises)).deficit, 0)
    return slack + (raises.cost + slack) % 2


@dataclass(slots=True)
class SlackSteps:
    """How much slack demand to try next: more until it is enough, then less, between what failed and what was enough.

    Examples
    --------
    >>> steps = SlackSteps(0)
    >>> [(steps.go_on(missing, missing), steps.slack) for missing in (16, 0, 2, 0)]
    [(True, 16), (True, 8), (True, 12), (True, 10)]
    """

    slack: int
    """The amount to try."""
    failed: int = -1
    """The largest amount that was not enough; −1 for none."""
    enough: int | None = None
    """The least amount that was enough."""

    def go_on(self, missing: int, more: int) -> bool:
        """Return whether to try another amount, after one that left `missing`; `more` is added while none is enough."""
        if missing == 0:
            self.enough = self.slack
        else:
            self.failed = self.slack
        if self.enough is None:
            self.slack += more
        elif self.failed < 0 or self.enough - self.failed <= 2:
            return False
        else:
            self.slack = self.failed + max(2, (self.enough - self.failed) // 4 * 2)
        return True


def add_slack_demand(
    block_sequence: Ints, raises: DegreeRaises, k: int, amount: int, most: int = 0
) -> DegreeRaises | None:
    """Return degree raises of exactly `amount` more total demand, still k-anonymous, or None where these moves cannot.

    Vertices that stay where they are so far are raised by one degree, to an occupied one or k of them together (a
    demand of 1 is the best partner a unit can buy), large blocks first. Where that is not enough, those that are raised
    already are raised again, the least raised ones first. To an occupied degree further away they are raised only
    where nobody can be raised by less: of a demand beyond the number of those who look for partners, they have nothing.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        The graph's block sequence.
    raises : DegreeRaises
        DegreeRaises that make it k-anonymous.
    k : int
        Required block size.
    amount : int
        Units of demand to add, at least 0.
    most : int, optional
        Where all that fails, vertices of one degree are raised alike, by no more than that: as many as look for
        partners.

    Notes
    -----
    A block keeps at least k vertices and a target block has as many, so k-anonymity is preserved. Each vertex
    raised by one lowers the excess of every Erdős–Gallai inequality by exactly 1. O(Δ log Δ) for a round, and a round
    for each unit that the vertices are raised by on average.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2, who call slack demand "wasting".
    """
    if amount == 0:
        return raises
    staying = apply_raises(block_sequence, raises)
    size = max(staying.size, 1)
    np.subtract.at(staying, raises.target, raises.count)
    stayers = np.flatnonzero(staying)
    # how many vertices (the last column) of which degree are raised to which
    rows = np.column_stack((stayers, stayers, staying[stayers]))
    rows = np.vstack((rows, np.column_stack((raises.source, raises.target, raises.count))))
    left, again, raised = amount, 0, rows
    while left > 0:
        raised, added = _raised_once(raised, k, left, again)
        if added == 0 and again > 0:
            alike = _raised_alike(rows, k, amount, most, block_sequence.size)
            return None if alike is None else merge_raises(*alike.T)
        left, again = left - added, size
    return merge_raises(*raised.T)


def _raised_once(rows: Ints, k: int, amount: int, most: int) -> tuple[Ints, int]:
    """Raise those raised by at most `most` by as little as is possible for any, and return by how much in all."""
    rows = rows[np.lexsort((rows[:, 1] - rows[:, 0], rows[:, 1]))]
    occupied, starts = np.unique(rows[:, 1], return_index=True)
    if occupied.size < 2:
        return rows, 0
    open_ones = np.where(rows[:, 1] - rows[:, 0] <= most, rows[:, 2], 0)
    capacity = np.minimum(np.add.reduceat(open_ones, starts), np.add.reduceat(rows[:, 2], starts) - k)
    gaps, above = np.diff(occupied), np.append(occupied[1:], 0)
    going, added, least = np.zeros_like(open_ones), 0, 0
    for i in np.lexsort((occupied[:-1], -capacity[:-1], np.where(capacity[:-1] >= k, 1, gaps))).tolist():
        step = 1 if min(int(capacity[i]), amount - added) >= k else int(gaps[i])
        if added > 0 and step > least:
            break
        number = min(int(capacity[i]), (amount - added) // step)
        if number > 0:
            least = step
            above[i] = occupied[i] + step
            # the least raised first
            block = slice(starts[i], starts[i + 1])
            going[block] = np.diff(np.minimum(np.cumsum(open_ones[block]), number), prepend=0)
            added += number * step
    rows[:, 2] -= going
    above = above[np.searchsorted(occupied, rows[:, 1])]
    rows = np.vstack((rows, np.column_stack((rows[:, 0], above, going))))
    return rows[rows[:, 2] > 0], added


def _raised_alike(rows: Ints, k: int, amount: int, most: int, size: int) -> Ints | None:
    """Raise vertices of one degree alike, as little as that can be and by at most `most`, none to a degree of `size`.

    Raised by one each they may leave what is too little for k of them: then fewer are raised by more.
    """
    source, target, count = rows.T
    for row in np.argsort(-count, kind="stable").tolist():
        degree = int(source[row])
        free = min(int(count[row]), int(count[target == degree].sum()) - k)
        if target[row] > degree or free < k:
            continue
        for step in range(max(1, amount // free), min(most, size - 1 - degree)):
            number, more = _in_two(amount, step, k, free)
            if number > 0:
                rows[row, 2] -= number
                raised = [[degree, degree + step, number - more], [degree, degree + step + 1, more]]
                rows = np.vstack((rows, np.array(raised)))
                return rows[rows[:, 2] > 0]
    return None


def _in_two(amount: int, step: int, k: int, most: int) -> tuple[int, int]:
    """Return how many of `most` are raised by `step` or one more, and how many of them by that; zeros for none."""
    number, more = divmod(amount, step)
    if more == 0 and k <= number <= most:
        return number, 0
    number = min(most, (amount - k) // step)
    more = amount - number * step
    return (number, more) if k <= more and more + k <= number else (0, 0)
