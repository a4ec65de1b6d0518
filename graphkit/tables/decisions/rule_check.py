"""What settles a decision: proofs that a rule is broken, and tables that show that it is not."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.tables.decisions.group_disclosure import disclosed_groups
from graphkit.tables.decisions.rules import DisclosureRules, Goals
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.search.counting import searched_tables
from graphkit.tables.sharp_bounds.table_prover import TableProver
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals

_LISTED = 100_000
# corners of subtables that a walk looks at, first and where that was not enough: most cells are easy
_EFFORTS = (100_000, 2_000_000)

Rule = Literal["min_width", "min_relative_width", "hide_small", "min_values", "min_tables", "group_disclosure"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that is proven to be broken, or that could not be settled. Protected: for the officer only."""

    rule: Rule
    cell: int | None = None
    """Number of the cell in C order; None for a rule about the whole table."""
    lower: int | None = None
    upper: int | None = None
    """Proven bounds of the cell."""
    marginal: RecodedMarginal | None = None
    """The marginal that discloses a group."""
    variable: int | None = None
    """Position of the variable that nobody of the group has one of the categories of."""


def group_violations(
    table: ContingencyTable, marginals: Iterable[Iterable[str | int] | RecodedMarginal]
) -> tuple[Violation, ...]:
    """Return the marginals that disclose a group, as broken rules."""
    groups = disclosed_groups(table, marginals)
    return tuple(Violation("group_disclosure", marginal=one, variable=axis) for one, axis in groups)


def violations_of(lower: Ints, upper: Ints, goals: Goals) -> list[Violation]:
    """Return the sensitive cells whose proven bounds break a rule."""
    wide = upper - lower >= goals.width
    return [
        Violation(_rule(goals, i, wide[i]), int(goals.cells[i]), int(lower[i]), int(upper[i]))
        for i in np.flatnonzero(goals.missed(lower, upper)).tolist()
    ]


def _rule(goals: Goals, place: int, is_wide: bool) -> Rule:
    if is_wide:
        return "hide_small"
    return "min_relative_width" if goals.relative[place] else "min_width"


def settle_widths(prover: TableProver, goals: Goals, budget: Budget) -> tuple[list[Violation], list[Violation]]:
    """Find tables for every sensitive cell, or a proof that there are none; return the first proof, or what is open."""
    # one table may do for many cells: the cheap way first, for all of them
    for effort in _EFFORTS:
        left = _unmet(prover, goals)
        if left.size:
            asked = np.zeros((2, goals.cells.size), dtype=np.int64)
            asked[:, left] = goals.width[left], goals.least_upper[left]
            prover.walk_all(asked[0], asked[1], budget, effort=effort)
    for i in _unmet(prover, goals).tolist():
        if budget.is_spent():
            break
        width, least_upper = int(goals.width[i]), int(goals.least_upper[i])
        if not prover.is_met(i, width, least_upper):
            prover.widen(i, width, least_upper, budget)
            chosen = np.array([i])
            proven = violations_of(*prover.proven(chosen), goals.of(chosen))
            if proven:
                return proven, []
    left = _unmet(prover, goals)
    lower, upper = prover.proven(left)
    exposed = prover.attained(left)[1] < goals.least_upper[left]
    return [], [
        Violation(_rule(goals, i, bool(is_exposed)), int(goals.cells[i]), int(low), int(high))
        for i, low, high, is_exposed in zip(left.tolist(), lower, upper, exposed, strict=True)
    ]


def _unmet(prover: TableProver, goals: Goals) -> Ints:
    """Return the places of the sensitive cells for which tables are still missing."""
    return np.flatnonzero(goals.missed(*prover.attained()))


def settle_values(
    prover: TableProver, goals: Goals, rules: DisclosureRules, budget: Budget
) -> tuple[list[Violation], list[Violation]]:
    """Return what is proven to break the rule about numbers of values, cell by cell to the first, and what is open."""
    unsettled = []
    for place, cell in enumerate(goals.cells.tolist()):
        least, most = prover.count_values(place, rules.min_values, budget)
        if most < rules.min_values:
            return [Violation("min_values", cell)], []
        if least < rules.min_values:
            unsettled.append(Violation("min_values", cell))
    return [], unsettled


def settle_tables(
    hierarchical: HierarchicalTable, released: ReleasedMarginals, rules: DisclosureRules, budget: Budget
) -> tuple[list[Violation], list[Violation]]:
    """Return what is proven to break the rule about numbers of tables, and what is not settled; by listing them.

    Where a cell stands for several, into which its records may fall, each way to do so is a table; where nobody knows
    for how many, there may be more tables than are counted.
    """
    sizes = hierarchical.sizes()
    complete = hierarchical.is_one_to_one or sizes is not None
    short, listed = [Violation("min_tables")], 0 if sizes is None else min(rules.min_tables, _LISTED)
    found = searched_tables(released, most=rules.min_tables, listed=listed, budget=budget)
    if found is None:
        return [], short
    number = found.count
    complete &= found.complete
    if sizes is not None and number < rules.min_tables:
        number = sum(_divisions(table, sizes) for table in found.tables)
        complete &= found.count <= found.tables.shape[0]
    if number >= rules.min_tables:
        return [], []
    return (short, []) if complete else ([], short)


def _divisions(table: Ints, sizes: Ints) -> int:
    """Return in how many ways the records of each cell can fall into the cells that it stands for."""
    several = sizes > 1
    pairs = zip(table.reshape(-1)[several].tolist(), sizes[several].tolist(), strict=True)
    return math.prod(math.comb(records + cells - 1, records) for records, cells in pairs)
