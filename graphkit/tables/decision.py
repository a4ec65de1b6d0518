"""Whether one more marginal can go out, together with all that is out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.parameters import generator_of
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.frechet import frechet_bounds, is_decomposable
from graphkit.tables.frechet_witness import Side, frechet_witness
from graphkit.tables.group_disclosure import disclosed_groups
from graphkit.tables.hypergraph import Axes
from graphkit.tables.merged_cells import MergedCells
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.rules import DisclosureRules, Goals, goals_of
from graphkit.tables.search import feasible_tables
from graphkit.tables.shuttle import shuttle
from graphkit.tables.table_prover import TableProver

__all__ = ["Answer", "Decision", "KnownBounds", "Violation", "decide", "decide_set"]

Answer = Literal["release", "refuse", "undecided"]
Rule = Literal["min_width", "min_relative_width", "hide_small", "min_values", "min_tables", "group_disclosure"]

_LISTED = 100_000
_CHECKED = 4
_SIDES: tuple[Side, Side] = ("lower", "upper")


@dataclass(frozen=True, slots=True, eq=False)
class KnownBounds:
    """Bounds of cells that were proven before; a cell may be there several times."""

    cells: NDArray[np.int64]
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that is proven to be broken, or that could not be settled. Protected: for the officer only."""

    rule: Rule
    cell: int | None = None
    """Number of the cell in C order; None for a rule about the whole table."""
    lower: int | None = None
    upper: int | None = None
    """Proven bounds of the cell."""
    marginal: Axes = ()
    """Variables of the marginal that discloses a group; the first one is the variable that the group shares."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The answer to a request, with what proves it."""

    answer: Answer
    requested: Axes
    violations: tuple[Violation, ...] = ()
    """Why it is refused. Not all there are: the first proof is enough."""
    unsettled: tuple[Violation, ...] = ()
    """What kept it undecided."""
    implied: bool = False
    """Whether the request follows from what is out already."""
    sensitive: int = 0
    """Number of sensitive cells."""
    cells: NDArray[np.int64] | None = None
    """The sensitive cells, with their proven bounds after the release."""
    lower: NDArray[np.int64] | None = None
    upper: NDArray[np.int64] | None = None


def decide(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int]],
    requested: Iterable[str | int],
    rules: DisclosureRules | None = None,
    *,
    seed: int | np.random.Generator = 0,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> Decision:
    """Return whether a marginal can go out together with those that are out.

    Parameters
    ----------
    table : ContingencyTable
        The table.
    released : iterable of iterable of str or int
        Sets of variables whose marginals are out.
    requested : iterable of str or int
        Variables of the requested marginal, in any order.
    rules : DisclosureRules, optional
        What nobody may learn.
    seed : int or numpy.random.Generator, optional
        Same input, seed and version: the same answer, as long as there is no time limit.
    time_limit : float, optional
        Seconds, after which what is not proven is undecided; needs `clock`.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.

    Raises
    ------
    InvalidInput
        If a variable or a named category is not there, or there is a time limit without a clock.

    Notes
    -----
    *No* is said on proven bounds only: one sensitive cell whose bounds are too narrow is enough. *Yes* is said on
    tables only: for every sensitive cell, tables that have all marginals and are as far apart as is demanded, or tables
    of the components from which such tables are glued; each was checked in whole numbers against every marginal. What
    neither settles is undecided, and is not to be released.

    Examples
    --------
    >>> from graphkit.tables.variable import Variable
    >>> shape = tuple(Variable(name, ("no", "yes")) for name in "abc")
    >>> table = ContingencyTable.from_dense([[[9, 8], [7, 1]], [[8, 9], [6, 9]]], shape)
    >>> decide(table, [], ["a", "b"]).answer, decide(table, [["a", "b"], ["a", "c"]], ["b", "c"]).answer
    ('release', 'release')
    >>> decide(table, [["a", "b"], ["a", "c"], ["b", "c"]], ["a", "b", "c"]).answer
    'refuse'
    """
    rules = rules or DisclosureRules()
    known = {table.axes(names) for names in released}
    wanted = table.axes(requested)
    sensitive = int(goals_of(table, rules).cells.size)
    if any(set(wanted) <= set(axes) for axes in known) or not wanted:
        return Decision("release", wanted, implied=True, sensitive=sensitive)
    return decide_set(table, known | {wanted}, wanted, rules, generator_of(seed), Budget(clock, time_limit))


def decide_set(
    table: ContingencyTable,
    sets: Iterable[Axes],
    requested: Axes,
    rules: DisclosureRules,
    rng: np.random.Generator,
    budget: Budget,
    present: KnownBounds | None = None,
) -> Decision:
    """Return whether marginals by sets of variables can be out together; `requested` is only noted.

    Bounds that were proven from some of the marginals before may be given as `present`.
    """
    released = ReleasedMarginals.of(table, sets)
    goals = goals_of(table, rules)
    if rules.group_disclosure:
        groups = disclosed_groups(released)
        if groups:
            found = tuple(Violation("group_disclosure", marginal=axes) for axes in groups)
            return Decision("refuse", requested, found, sensitive=int(goals.cells.size))
    prover = TableProver(table, released, goals.cells, rng, budget)
    if present is not None:
        prover.note(present.cells, present.lower, present.upper)
    violations = _violations(*prover.proven(), goals)
    unsettled: list[Violation] = []
    if not violations:
        violations, unsettled = _settle(prover, goals, budget)
    if not violations and (rules.min_tables > 1 or rules.min_values > 1):
        violations, more = _by_counting(released, goals, rules, budget)
        unsettled += more
    answer: Answer = "refuse" if violations else ("undecided" if unsettled else "release")
    lower, upper = prover.proven()
    least, most = prover.attained()
    if (least < lower).any() or (most > upper).any():
        raise BrokenClaim("a count was attained that had been proven impossible")
    if answer == "release" and is_decomposable(released):
        _check_glued(table, released, goals.cells[np.argsort(upper - lower, kind="stable")[:_CHECKED]])
    size = int(goals.cells.size)
    return Decision(answer, requested, tuple(violations), tuple(unsettled), False, size, goals.cells, lower, upper)


def _check_glued(table: ContingencyTable, released: ReleasedMarginals, cells: NDArray[np.int64]) -> None:
    """Make the tables that the closed form promises for some cells, the narrowest, and hold them to every marginal."""
    lower, upper = frechet_bounds(released, cells)
    for cell, *counts in zip(cells.tolist(), lower.tolist(), upper.tolist(), strict=True):
        for side, count in zip(_SIDES, counts, strict=True):
            glued = ContingencyTable(table.variables, *frechet_witness(released, cell, side))
            found = ReleasedMarginals.of(glued, released.sets)
            right = all(np.array_equal(found.marginals[axes], released.marginals[axes]) for axes in released.sets)
            if not right or int(glued.counts[glued.cells == cell].sum()) != count:
                raise BrokenClaim("a glued table is not what the closed form promised")


def _violations(lower: NDArray[np.int64], upper: NDArray[np.int64], goals: Goals) -> list[Violation]:
    """Return the sensitive cells whose proven bounds break a rule."""
    narrow = upper - lower < goals.width
    exposed = upper < goals.least_upper
    return [
        Violation(_rule(goals, i, not narrow[i]), int(goals.cells[i]), int(lower[i]), int(upper[i]))
        for i in np.flatnonzero(narrow | exposed).tolist()
    ]


def _rule(goals: Goals, place: int, is_wide: bool) -> Rule:
    if is_wide:
        return "hide_small"
    return "min_relative_width" if goals.relative[place] else "min_width"


def _settle(prover: TableProver, goals: Goals, budget: Budget) -> tuple[list[Violation], list[Violation]]:
    """Find tables for every sensitive cell, or a proof that there are none; stop at the first proof."""
    # one table may do for many cells: the cheap way first, for all of them
    for sharply in (False, True):
        for i in _unmet(prover, goals).tolist():
            if budget.is_spent():
                break
            width, least_upper = int(goals.width[i]), int(goals.least_upper[i])
            if not prover.is_met(i, width, least_upper):
                prover.widen(i, width, least_upper, budget, sharply=sharply)
                chosen = np.array([i])
                proven = _violations(*prover.proven(chosen), goals.of(chosen))
                if proven:
                    return proven, []
    left = _unmet(prover, goals)
    lower, upper = prover.proven(left)
    exposed = prover.attained(left)[1] < goals.least_upper[left]
    return [], [
        Violation(_rule(goals, i, bool(is_exposed)), int(goals.cells[i]), int(low), int(high))
        for i, low, high, is_exposed in zip(left.tolist(), lower, upper, exposed, strict=True)
    ]


def _unmet(prover: TableProver, goals: Goals) -> NDArray[np.int64]:
    """Return the places of the sensitive cells for which tables are still missing."""
    least, most = prover.attained()
    return np.flatnonzero((most - least < goals.width) | (most < goals.least_upper))


def _by_counting(
    released: ReleasedMarginals, goals: Goals, rules: DisclosureRules, budget: Budget
) -> tuple[list[Violation], list[Violation]]:
    """Settle the rules about numbers of tables and of values, by listing tables."""
    merged = MergedCells.of_shape(released.shape)
    found = None
    if merged is not None and merged.complete:
        listed = _LISTED if rules.min_values > 1 else 0
        most = max(rules.min_tables, listed, 1)
        bounds = shuttle(merged, released.marginals, released.total, budget=budget)
        found = feasible_tables(released, bounds, most=most, listed=listed)
    if found is None:
        return [], [Violation("min_tables" if rules.min_tables > 1 else "min_values")]
    if found.count < rules.min_tables:
        short = Violation("min_tables")
        return ([short], []) if found.complete else ([], [short])
    if rules.min_values > 1:
        values = np.array([np.unique(found.tables[:, cell]).size for cell in goals.cells.tolist()], dtype=np.int64)
        few = [Violation("min_values", int(goals.cells[i])) for i in np.flatnonzero(values < rules.min_values).tolist()]
        all_listed = found.complete and found.count <= found.tables.shape[0]
        return (few, []) if all_listed else ([], few)
    return [], []
