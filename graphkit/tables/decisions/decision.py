"""Whether one more marginal can go out, together with all that is out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim
from graphkit.parameters import generator_of
from graphkit.presentation import Presentable
from graphkit.tables.decisions.rule_check import (
    Violation,
    group_violations,
    settle_tables,
    settle_values,
    settle_widths,
    violations_of,
)
from graphkit.tables.decisions.rules import DisclosureRules, goals_of
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.sharp_bounds.table_prover import TableProver
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.frechet import frechet_bounds, is_decomposable
from graphkit.tables.structure.frechet_witness import SIDES, frechet_witness
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

Answer = Literal["release", "refuse", "undecided"]


DECISION_WORK = 2_500_000_000
"""Units of work after which what is not proven is undecided: half a minute of a processor of 2025, and the same answer
on every machine, however busy it is. The clock is there for those that take longer."""

_CHECKED = 4


@dataclass(frozen=True, slots=True, eq=False)
class KnownBounds:
    """Bounds of cells that were proven before; a cell may be there several times."""

    cells: Ints
    lower: Ints
    upper: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Decision(Presentable):
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
    """Number of sensitive cells. Protected, as are those below: it tells how many small counts there are."""
    cells: Ints | None = None
    """The sensitive cells, with their proven bounds after the release."""
    lower: Ints | None = None
    upper: Ints | None = None
    proven: int | None = None
    """Of how many of them it is proven that no rule about cells is broken; None where it was not asked."""
    ended_by: Literal["work", "time"] | None = None
    """What ended an undecided decision: its work, the same everywhere, or the clock. None: nothing more to be tried."""

    _figures = ("answer", "implied", "sensitive")


def decide(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal],
    requested: Iterable[str | int] | RecodedMarginal,
    rules: DisclosureRules | None = None,
    *,
    seed: int | np.random.Generator = 0,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
    work_limit: int = DECISION_WORK,
) -> Decision:
    """Return whether a marginal can go out together with those that are out.

    Parameters
    ----------
    table : ContingencyTable
        The table.
    released : iterable of iterable of str or int, or RecodedMarginal
        Sets of variables whose marginals are out; also marginals with merged categories.
    requested : iterable of str or int, or RecodedMarginal
        Variables of the requested marginal, in any order; or one with merged categories.
    rules : DisclosureRules, optional
        What nobody may learn.
    seed : int or numpy.random.Generator, optional
        Same input, seed, version and limit of work: the same answer, as long as no time limit cuts in.
    time_limit : float, optional
        Seconds, after which what is not proven is undecided, whatever its work; needs `clock`.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.
    work_limit : int, optional
        Units of work after which what is not proven is undecided; the same on every machine.

    Raises
    ------
    InvalidInput
        If a variable or a named category is not there, categories are merged in ways that are not nested, or there is a
        time limit without a clock.

    Notes
    -----
    *No* is said on proven bounds only: one sensitive cell whose bounds are too narrow is enough. *Yes* is said on
    tables only: for every sensitive cell, tables that have all marginals and are as far apart as is demanded, or tables
    of the components from which such tables are combined; each was checked in whole numbers against every marginal.
    What neither settles is undecided, and is not to be released.

    Examples
    --------
    >>> from graphkit.tables.structure.contingency import ContingencyTable
    >>> from graphkit.hierarchies.variable import Variable
    >>> shape = tuple(Variable(name, ("no", "yes")) for name in "abc")
    >>> table = ContingencyTable.from_dense([[[9, 8], [7, 1]], [[8, 9], [6, 9]]], shape)
    >>> decide(table, [], ["a", "b"]).answer, decide(table, [["a", "b"], ["a", "c"]], ["b", "c"]).answer
    ('release', 'release')
    >>> decide(table, [["a", "b"], ["a", "c"], ["b", "c"]], ["a", "b", "c"]).answer
    'refuse'
    """
    rules = rules or DisclosureRules()
    known = {recoded(table, marginal) for marginal in released}
    wanted = recoded(table, requested)
    sensitive = int(goals_of(table, rules).cells.size)
    if not wanted.axes or any(wanted.within(marginal) for marginal in known):
        return Decision("release", wanted.axes, implied=True, sensitive=sensitive)
    return decide_set(
        table,
        known | {wanted},
        wanted.axes,
        rules,
        generator_of(seed),
        Budget(clock, time_limit, work_limit=work_limit),
    )


def decide_set(
    table: ContingencyTable,
    marginals: Iterable[Axes | RecodedMarginal],
    requested: Axes,
    rules: DisclosureRules,
    rng: np.random.Generator,
    budget: Budget,
    present: KnownBounds | None = None,
    exempt: Ints | None = None,
) -> Decision:
    """Return whether marginals can be out together; `requested` is only noted.

    Bounds that were proven from some of the marginals before may be given as `present`. Cells that are `exempt` are not
    protected, whatever their counts are.
    """
    goals = goals_of(table, rules)
    if exempt is not None:
        goals = goals.of(np.flatnonzero(~np.isin(goals.cells, exempt)))
    marginals = list(marginals)
    if rules.group_disclosure:
        found = group_violations(table, marginals)
        if found:
            return Decision("refuse", requested, found, sensitive=int(goals.cells.size))
    hierarchical = HierarchicalTable.of(table, marginals)
    released = hierarchical.released()
    cells = hierarchical.cells(goals.cells)
    prover = TableProver(hierarchical.table, released, cells, rng, budget, hierarchical.free(goals.cells))
    if present is not None:
        _note(prover, goals.cells, present)
    violations = violations_of(*prover.proven(), goals)
    unsettled: list[Violation] = []
    if not violations:
        violations, unsettled = settle_widths(prover, goals, budget)
    if not violations and rules.min_values > 1:
        violations, more = settle_values(prover, goals, rules, budget)
        unsettled += more
    if not violations and rules.min_tables > 1:
        violations, more = settle_tables(hierarchical, released, rules, budget)
        unsettled += more
    answer: Answer = "refuse" if violations else ("undecided" if unsettled else "release")
    lower, upper = prover.proven()
    least, most = prover.attained()
    if (least < lower).any() or (most > upper).any():
        raise BrokenClaim("a count was attained that had been proven impossible")
    if answer == "release" and is_decomposable(released):
        _check_combined(hierarchical.table, released, cells[np.argsort(upper - lower, kind="stable")[:_CHECKED]])
    size = int(goals.cells.size)
    return Decision(
        answer,
        requested,
        tuple(violations),
        tuple(unsettled),
        sensitive=size,
        proven=None if violations else size - len({open_one.cell for open_one in unsettled} - {None}),
        ended_by=budget.spent_by if answer == "undecided" else None,
        cells=goals.cells,
        lower=lower,
        upper=upper,
    )


def _note(prover: TableProver, cells: Ints, present: KnownBounds) -> None:
    """Hand over bounds that were proven before; of cells that are not sensitive, they are of no use."""
    place = np.searchsorted(cells, present.cells)
    there = place < cells.size
    there[there] = cells[place[there]] == present.cells[there]
    prover.note(place[there], present.lower[there], present.upper[there])


def _check_combined(table: ContingencyTable, released: ReleasedMarginals, cells: Ints) -> None:
    """Make the tables that the closed form promises for some cells, the narrowest, and hold them to every marginal."""
    lower, upper = frechet_bounds(released, cells)
    for cell, *counts in zip(cells.tolist(), lower.tolist(), upper.tolist(), strict=True):
        for side, count in zip(SIDES, counts, strict=True):
            combined = ContingencyTable(table.variables, *frechet_witness(released, cell, side))
            found = ReleasedMarginals.of(combined, released.sets)
            right = all(np.array_equal(found.marginals[axes], released.marginals[axes]) for axes in released.sets)
            if not right or int(combined.counts[combined.cells == cell].sum()) != count:
                raise BrokenClaim("a combined table is not what the closed form promised")
