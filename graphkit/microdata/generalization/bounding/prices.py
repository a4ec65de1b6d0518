"""Prices of records: duals of the assignment problem, and of the linear program over stars."""

from typing import Any

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.generalization.extents import Layout, joined, losses_of
from graphkit.solver import linear_program, new_solver


def assignment_prices(lists: Ints, nears: Floats) -> Floats:
    """Return duals of the assignment of one other record to each, whole numbers as the losses are.

    Parameters
    ----------
    lists : ndarray of int, shape (n, n − 1)
        All others of each record.
    nears : ndarray of float, shape (n, n − 1)
        The loss with each, whole numbers.

    Notes
    -----
    Prices p with ``loss[j, i] − p[i] ≥ loss[j, σ(j)] − p[σ(j)]`` are shortest paths, without a negative circle as σ is
    optimal. O(n³) time at most, O(n²) memory.
    """
    from scipy.optimize import linear_sum_assignment

    n = lists.shape[0]
    losses = np.full((n, n), np.inf)
    np.put_along_axis(losses, lists, nears, axis=1)
    chosen = linear_sum_assignment(losses)[1]
    lengths = losses - losses[np.arange(n), chosen][:, None]
    prices = np.zeros(n)
    # each round makes paths right that have one edge more
    for _ in range(n):
        shorter = np.minimum(prices, (prices[chosen][:, None] + lengths).min(axis=0))
        if np.array_equal(shorter, prices):
            break
        prices = shorter
    return prices


class StarProgram:
    """The linear program over some stars: one for each record, so that each is in k − 1 stars of others.

    Where fewer records are kept, each one counts as far as it is kept, and as many as that are kept in all.
    """

    def __init__(self, layout: Layout, codes: Ints, slots: int, kept: int) -> None:
        self._layout, self._codes, self._slots, self._kept = layout, codes, slots, kept
        self._met: set[tuple[int, ...]] = set()
        self._columns: list[tuple[int, ...]] = []
        n = codes.shape[0]
        # rings are feasible
        self.add((np.arange(n)[:, None] + np.arange(1, slots + 1)) % n)

    def add(self, stars: Ints) -> bool:
        """Take one star of each record, and return whether one is new."""
        before = len(self._columns)
        for j, others in enumerate(np.sort(stars, axis=1).tolist()):
            column = (j, *others)
            if column not in self._met:
                self._met.add(column)
                self._columns.append(column)
        return len(self._columns) > before

    def solved(self) -> tuple[float, Floats]:
        """Return the least sum of losses, and the price of each record."""
        n, columns = self._codes.shape[0], np.array(self._columns, dtype=np.int64)
        costs = losses_of(self._layout, joined(self._layout, self._codes, columns))
        size = self._slots + 1
        rows = columns.copy()
        rows[:, 1:] += n
        unit = max(float(costs.max()), 1.0)
        starts, entries = np.arange(costs.size + 1) * size, (rows.ravel(), np.ones(rows.size))
        if self._kept == n:
            demand = np.concatenate((np.ones(n), np.full(n, float(self._slots))))
            program = linear_program(
                costs / unit,
                (np.zeros(costs.size), np.full(costs.size, np.inf)),
                (demand, demand),
                (starts, *entries),
            )
        else:
            program = self._with_fewer(costs / unit, starts, entries)
        solver = new_solver()
        solver.passModel(program)
        solver.run()
        duals = np.array(solver.getSolution().row_dual)[n : 2 * n] * unit
        return float(solver.getInfo().objective_function_value) * unit, duals

    def _with_fewer(self, costs: Floats, starts: Ints, entries: tuple[Ints, Floats]) -> Any:
        """Return the program with a column for each record, how far it is kept, and a row for how many are."""
        n = self._codes.shape[0]
        own = np.column_stack((np.arange(n), n + np.arange(n), np.full(n, 2 * n)))
        values = np.tile([-1.0, -float(self._slots), 1.0], n)
        low = np.concatenate((np.zeros(2 * n), [float(self._kept)]))
        high = np.concatenate((np.zeros(2 * n), [np.inf]))
        return linear_program(
            np.concatenate((costs, np.zeros(n))),
            (np.zeros(costs.size + n), np.concatenate((np.full(costs.size, np.inf), np.ones(n)))),
            (low, high),
            (
                np.concatenate((starts, starts[-1] + 3 * np.arange(1, n + 1))),
                np.concatenate((entries[0], own.ravel())),
                np.concatenate((entries[1], values)),
            ),
        )
