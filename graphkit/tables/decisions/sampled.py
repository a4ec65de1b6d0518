"""Decisions over tables that are drawn from what is released, so that an answer tells little about the true table."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.budget import Budget
from graphkit.tables.decisions.decision import Decision, decide_set
from graphkit.tables.decisions.group_disclosure import disclosed_groups
from graphkit.tables.decisions.rule_check import Violation
from graphkit.tables.decisions.rules import DisclosureRules, Goals, goals_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.moves.basic_moves import BasicMoves
from graphkit.tables.simulation._lines import State, spread
from graphkit.tables.simulation.simulating import simulate
from graphkit.tables.structure.contingency import ContingencyTable

CONCENTRATIONS = (math.inf, 1.0, 0.5, 0.25)
"""The prior is a mixture, to equal parts: counts as even as the marginals allow, all tables alike, and mostly small
counts beside a few large ones. The first alone draws hardly any small cell."""


_MOST_WALKED = 2**16
_WALKS, _STEPS_A_CELL = 8, 16


def decide_by_itself(
    table: ContingencyTable, wanted: RecodedMarginal, rules: DisclosureRules, budget: Budget
) -> Decision:
    """Return whether a marginal may be released if nothing else ever is: whether it shows a protected count by itself.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([97, 20, 1], (Variable("illness", ("none", "flu", "HIV")),))
    >>> decide_by_itself(table, RecodedMarginal.plain(table, (0,)), DisclosureRules(), Budget()).answer
    'refuse'
    """
    return decide_set(table, {wanted}, wanted.axes, rules, np.random.default_rng(0), budget)


def draw_from_prior(
    table: ContingencyTable, released: Iterable[RecodedMarginal], number: int, rng: Rng, budget: Budget
) -> tuple[ContingencyTable, ...] | None:
    """Return tables that have the released marginals, as many of each part of the prior; None if time ran out.

    Parameters
    ----------
    table : ContingencyTable
        Nothing of it is used but the marginals.
    released : iterable of RecodedMarginal
    number : int
        How many tables of each concentration.
    rng : numpy.random.Generator
    budget : Budget

    Raises
    ------
    LimitReached
        If no table that has the marginals was found.
    """
    marginals = list(released)
    runs = []
    for concentration in CONCENTRATIONS:
        limit = None if budget.time_limit is None else max(budget.remaining(), 1e-6)
        drawn = simulate(
            table,
            marginals,
            seed=rng,
            draws=number,
            concentration=concentration,
            time_limit=limit,
            clock=budget.clock,
        )
        if not drawn.complete:
            return None
        runs.append(drawn.tables)
    # by turns: a table that makes a release unsafe is found early
    return tuple(one for turn in zip(*reversed(runs), strict=True) for one in turn)


def decide_drawn(
    tables: Iterable[ContingencyTable],
    released: Iterable[RecodedMarginal],
    wanted: RecodedMarginal,
    rules: DisclosureRules,
    budget: Budget,
) -> Decision:
    """Return whether a marginal could be released with others if the table were any of those drawn.

    Parameters
    ----------
    tables : iterable of ContingencyTable
        They have the released marginals.
    released : iterable of RecodedMarginal
    wanted : RecodedMarginal
        It does not show a protected count of the true table by itself (:func:`decide_by_itself`).
    rules : DisclosureRules
    budget : Budget
        For all of them.

    Returns
    -------
    Decision
        Without cells: those of a table that was drawn mean nothing. It is a function of the tables that were drawn.

    Notes
    -----
    A cell that the marginal of a drawn table shows by itself is exempt there: of the true table it is known that the
    marginal shows none, so such a draw says nothing about it. Groups are looked at in the released marginals alone:
    each marginal discloses them by itself.
    """
    known = set(released)
    together = known | {wanted}
    widths = replace(rules, group_disclosure=False)
    rng = np.random.default_rng(0)
    groups: _Groups | None = None
    lines: BasicMoves | None = None
    for table in tables:
        if groups is None or lines is None:
            found = disclosed_groups(table, known) if rules.group_disclosure else ()
            if found:
                marginal, axis = found[0]
                group = Violation("group_disclosure", marginal=marginal, variable=axis)
                return Decision("refuse", wanted.axes, (group,))
            groups = _Groups.of(wanted, table.shape)
            lines = BasicMoves.of(table.shape, [one.axes for one in together])
        goals = goals_of(table, widths)
        shown = groups.shown(table, goals)
        quick = table.size <= _MOST_WALKED and all(one.is_plain for one in together) and rules.asks_widths_alone
        if quick and _is_spread(table, goals.of(np.flatnonzero(~shown)), lines, rng):
            continue
        decision = decide_set(table, together, wanted.axes, widths, rng, budget, exempt=goals.cells[shown])
        if decision.answer == "refuse":
            first = tuple(replace(v, cell=None, lower=None, upper=None) for v in decision.violations[:1])
            return Decision("refuse", wanted.axes, first)
        if decision.answer == "undecided" or budget.is_spent():
            return Decision("undecided", wanted.axes, ended_by=budget.spent_by)
    return Decision("release", wanted.axes)


def _is_spread(table: ContingencyTable, goals: Goals, lines: BasicMoves, rng: Rng) -> bool:
    """Whether a short walk over tables with the same marginals reaches every goal; it saves most decisions."""
    if not goals.cells.size or not lines.spans.size:
        return not goals.cells.size
    counts = table.dense().reshape(-1)
    lower, upper = counts.copy(), counts.copy()
    state = State.of(counts, rng)
    for _ in range(_WALKS):
        spread(state, lines, _STEPS_A_CELL * table.size, lower, upper)
        if not goals.missed(lower[goals.cells], upper[goals.cells]).any():
            return True
    return False


class _Groups(NamedTuple):
    """The cells of a marginal, as groups of cells of the table."""

    places: tuple[Ints, ...]
    """What a category adds to the number of the group, by variable of the table."""
    sizes: tuple[Ints, ...]
    """By how much a category multiplies the number of cells in the group."""

    @classmethod
    def of(cls, wanted: RecodedMarginal, shape: tuple[int, ...]) -> "_Groups":
        places, sizes, number = [], [], 1
        for axis, size in reversed(list(enumerate(shape))):
            inside = axis in wanted.axes
            groups = np.array(wanted.grouping(axis) if inside else (0,) * size, dtype=np.int64)
            places.append(groups * number)
            sizes.append(np.bincount(groups)[groups])
            number *= int(groups.max()) + 1
        return cls(tuple(reversed(places)), tuple(reversed(sizes)))

    def shown(self, table: ContingencyTable, goals: Goals) -> Bools:
        """Return of which protected cells the marginal shows too much by itself."""
        known = np.zeros(table.cells.size, dtype=np.int64)
        alone = np.ones(table.cells.size, dtype=np.bool_)
        for codes, place, size in zip(table.codes(), self.places, self.sizes, strict=True):
            known += place[codes]
            alone &= size[codes] == 1
        groups, inside = np.unique(known, return_inverse=True)
        sums = np.zeros(groups.size, dtype=np.int64)
        np.add.at(sums, inside, table.counts)
        upper = sums[inside]
        lower = np.where(alone, upper, 0)
        # protected cells are not zero: all of them are among those of the table
        at = np.searchsorted(table.cells, goals.cells)
        return goals.missed(lower[at], upper[at])
