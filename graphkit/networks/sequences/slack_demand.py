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


def add_slack_demand(block_sequence: Ints, raises: DegreeRaises, k: int, amount: int) -> DegreeRaises | None:
    """Return degree raises of exactly `amount` more total demand, still k-anonymous, or None where these moves cannot.

    Vertices that stay where they are so far are raised from a block to the next occupied one, first between blocks
    that are one degree apart (a demand of 1 is the best partner a unit can buy), large blocks first.

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

    Notes
    -----
    A block keeps at least k vertices and the target block was occupied, so k-anonymity is preserved. Each vertex
    raised by one lowers the excess of every Erdős–Gallai inequality by exactly 1. O(Δ log Δ).

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, section 3.2, who call slack demand "wasting".
    """
    if amount == 0:
        return raises
    after = apply_raises(block_sequence, raises)
    occupied = np.flatnonzero(after)
    if occupied.size < 2:
        return None
    source, step = occupied[:-1], np.diff(occupied)
    leaving = np.bincount(raises.source, weights=raises.count, minlength=after.size).astype(np.int64)
    present = np.zeros(after.size, dtype=np.int64)
    present[: min(block_sequence.size, after.size)] = block_sequence[: after.size]
    capacity = np.minimum(present[source] - leaving[source], after[source] - k)
    rows: list[tuple[int, int, int]] = []
    for i in np.lexsort((source, -capacity, step)).tolist():
        number = min(int(capacity[i]), amount // int(step[i]))
        if number > 0:
            rows.append((int(source[i]), int(source[i] + step[i]), number))
            amount -= number * int(step[i])
        if amount == 0:
            extra = np.array(rows, dtype=np.int64)
            return merge_raises(
                np.concatenate((raises.source, extra[:, 0])),
                np.concatenate((raises.target, extra[:, 1])),
                np.concatenate((raises.count, extra[:, 2])),
            )
    return None
