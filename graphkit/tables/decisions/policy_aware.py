"""Decisions that are safe against a reader who knows the policy and what it would have refused."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.hierarchies.variable import Variable
from graphkit.tables.decisions.decision import Decision
from graphkit.tables.decisions.rule_check import Rule, Violation
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.search.counting import searched_tables
from graphkit.tables.sharp_bounds.cell_bounds import bounds
from graphkit.tables.structure.contingency import MOST_TOGETHER, ContingencyTable

_MOST_COUNTS = 2**23


@dataclass(frozen=True, slots=True, eq=False)
class PossibleTables:
    """Tables that a reader takes for possible. Protected: which of them the true one is."""

    tables: Ints
    """One a row, cells in C order, shape (n, cells)."""
    width: Ints
    """How far apart the least and the largest possible count must be, if this is the true table; 0 for no demand."""
    least_upper: Ints
    """What the largest possible count must at least be."""
    min_values: int
    min_tables: int

    @classmethod
    def of(cls, tables: Ints, table: ContingencyTable, rules: DisclosureRules) -> "PossibleTables":
        """Return some tables with the variables of one, and what the rules ask of each."""
        one = np.ones(table.size, dtype=np.int64)
        can_be = np.zeros(table.size, dtype=np.bool_)
        can_be[goals_of(ContingencyTable.from_dense(one.reshape(table.shape), table.variables), rules).cells] = True
        protected = can_be & (tables > 0)
        if rules.sensitive == "small":
            protected &= tables < rules.threshold
        values, place = np.unique(tables, return_inverse=True)
        width, least_upper = _asked_of(values, rules)
        place = place.reshape(tables.shape)
        return cls(
            tables,
            np.where(protected, width[place], 0),
            np.where(protected, least_upper[place], 0),
            rules.min_values,
            rules.min_tables,
        )

    def kept(self, rows: Bools) -> "PossibleTables":
        """Return some of the tables."""
        return replace(self, tables=self.tables[rows], width=self.width[rows], least_upper=self.least_upper[rows])

    def unsafe(self, among: "PossibleTables | None" = None) -> Bools:
        """Return the tables, one a row, that would be disclosed if some are all that are possible.

        Parameters
        ----------
        among : PossibleTables, optional
            What is possible; these tables by default.

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        return np.asarray(self._broken(self if among is None else among).any(axis=1), dtype=np.bool_)

    def safe_part(self) -> "PossibleTables":
        """Return the largest part in which no table would be disclosed, if that part is all that is possible.

        Notes
        -----
        A table that is disclosed among some tables, is disclosed among fewer. So tables that are disclosed are left
        out, until none is; what is left holds every other part with this property.
        """
        part = self
        while part.tables.size:
            unsafe = part.unsafe()
            if not unsafe.any():
                return part
            part = part.kept(~unsafe)
        return part

    def violation(self, row: int) -> Violation:
        """Return a rule that is broken if a table of these is the true one and these are all that are possible."""
        broken = self._broken(self)[row]
        if not broken.any():
            raise BrokenClaim("a table was left out that breaks no rule")
        if len(self.tables) < self.min_tables:
            return Violation("min_tables")
        cell = int(np.flatnonzero(broken)[0])
        lower, upper = int(self.tables[:, cell].min()), int(self.tables[:, cell].max())
        rule: Rule = "min_width" if upper - lower < self.width[row, cell] else "min_values"
        if upper < self.least_upper[row, cell]:
            rule = "hide_small"
        return Violation(rule, cell, lower, upper)

    def _broken(self, among: "PossibleTables") -> Bools:
        if len(among.tables) < self.min_tables or not len(among.tables):
            return np.ones(self.tables.shape, dtype=np.bool_)
        lower, upper = among.tables.min(axis=0), among.tables.max(axis=0)
        broken: Bools = (self.width > upper - lower) | (self.least_upper > upper)
        if self.min_values > 1:
            values = np.array([np.unique(column).size for column in among.tables.T])
            broken |= (self.width > 0) & (values < self.min_values)
        return broken


def _asked_of(values: Ints, rules: DisclosureRules) -> tuple[Ints, Ints]:
    """Return the width and the least upper bound that the rules ask of a protected cell, by its count."""
    line = ContingencyTable.from_dense(values, (Variable("count", tuple(map(str, range(values.size)))),))
    goals = goals_of(line, replace(rules, sensitive="all", named=()))
    width, least_upper = np.zeros(values.size, dtype=np.int64), np.zeros(values.size, dtype=np.int64)
    width[goals.cells], least_upper[goals.cells] = goals.width, goals.least_upper
    return width, least_upper


def decide_policy_aware(
    table: ContingencyTable,
    released: Sequence[RecodedMarginal],
    wanted: RecodedMarginal,
    rules: DisclosureRules,
    *,
    most: int,
    budget: Budget,
) -> Decision:
    """Return whether a marginal may be released if its reader knows the policy and the order of all releases.

    Parameters
    ----------
    table : ContingencyTable
    released : sequence of RecodedMarginal
        In the order in which they were released.
    wanted : RecodedMarginal
    rules : DisclosureRules
    most : int
        How many tables are listed at most; where there are more, and some of them might have been refused, it is
        undecided.
    budget : Budget

    Notes
    -----
    The reader leaves out every table with the released marginals for which some request would have been answered
    otherwise. Let C be the tables with the marginal that the reader took for possible before. The marginal is released
    exactly for the tables of the largest part A of C in which no table is disclosed if A is all that is possible. A
    reader of the release who knows all of this is left with A, and in A nothing is disclosed. No table has to be listed
    as long as the marginals show that none would be refused.

    Refusals are not taken into account: a refusal tells something, in this mode, too.

    References
    ----------
    K. Kenthapadi, N. Mishra, K. Nissim, Simulatable auditing, PODS 2005.
    """
    possible: PossibleTables | None = None
    for number, marginal in enumerate([*released, wanted], start=1):
        together = [*released, wanted][:number]
        if possible is not None:
            possible = possible.kept(_with_marginal(possible.tables, marginal, table))
        elif leaves_nothing_out(table, together, rules, budget):
            continue
        else:
            rows = list_tables(table, together, most, budget)
            if rows is None:
                return Decision("undecided", wanted.axes, ended_by=budget.spent_by)
            possible = PossibleTables.of(rows, table, rules)
        present = possible
        possible = present.safe_part()
        if not _row_of(possible.tables, table).size:
            return Decision("refuse", wanted.axes, _why(present, table))
    return Decision("release", wanted.axes)


def leaves_nothing_out(
    table: ContingencyTable, marginals: Sequence[RecodedMarginal], rules: DisclosureRules, budget: Budget
) -> bool:
    """Return whether every table with some marginals keeps the rules, as their sharp bounds show.

    False where that is not proven.
    """
    if not rules.asks_widths_alone or table.size > MOST_TOGETHER:
        return False
    limit = None if budget.time_limit is None else max(budget.remaining(), 1e-6)
    found = bounds(table, marginals, time_limit=limit, clock=budget.clock)
    if not found.sharp:
        return False
    least = np.maximum(found.lower, 1)
    largest = np.minimum(found.upper, rules.threshold - 1) if rules.sensitive == "small" else found.upper
    possible = least <= largest
    for counts in (np.where(possible, least, 0), np.where(possible, largest, 0)):
        goals = goals_of(ContingencyTable.from_dense(counts.reshape(table.shape), table.variables), rules)
        if goals.missed(found.lower[goals.cells], found.upper[goals.cells]).any():
            return False
    return True


def list_tables(
    table: ContingencyTable, marginals: Sequence[RecodedMarginal], most: int, budget: Budget
) -> Ints | None:
    """Return all tables with some marginals of a table, one a row; None if they are too many, or cannot be listed."""
    hierarchical = HierarchicalTable.of(table, marginals)
    if not hierarchical.is_one_to_one:
        return None
    listed = min(most, _MOST_COUNTS // hierarchical.table.size)
    found = searched_tables(hierarchical.released(), most=listed + 1, listed=listed, budget=budget)
    if found is None or not found.complete or found.count > listed:
        return None
    return found.tables[:, hierarchical.cells(np.arange(math.prod(table.shape)))]


def _with_marginal(tables: Ints, marginal: RecodedMarginal, table: ContingencyTable) -> Bools:
    """Return the tables that have a marginal of one of them."""
    codes = np.unravel_index(np.arange(table.size), table.shape)
    group = np.zeros(table.size, dtype=np.int64)
    for axis, grouping in zip(marginal.axes, marginal.groupings, strict=True):
        group = group * (max(grouping) + 1) + np.array(grouping, dtype=np.int64)[codes[axis]]
    true = table.dense().reshape(-1)
    same = np.ones(len(tables), dtype=np.bool_)
    for number in np.unique(group):
        inside = group == number
        same &= tables[:, inside].sum(axis=1) == true[inside].sum()
    return same


def _row_of(tables: Ints, table: ContingencyTable) -> Ints:
    return np.flatnonzero((tables == table.dense().reshape(-1)).all(axis=1))


def _why(possible: PossibleTables, table: ContingencyTable) -> tuple[Violation, ...]:
    """Return the rule for which the true table was left out."""
    part = possible
    while True:
        row, unsafe = _row_of(part.tables, table), part.unsafe()
        if not row.size:
            raise BrokenClaim("the true table does not have its own marginals")
        if unsafe[row[0]]:
            return (part.violation(int(row[0])),)
        part = part.kept(~unsafe)
