"""Simulation: integer tables drawn from those that have the released marginals."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim, InvalidInput, LimitReached
from graphkit.parameters import generator_of, is_whole
from graphkit.presentation import Presentable
from graphkit.tables.hierarchies.hierarchical_table import HierarchicalTable
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.moves.basic_moves import BasicMoves
from graphkit.tables.simulation._lines import State, walk
from graphkit.tables.simulation._separators import combine_at_random
from graphkit.tables.simulation._start import StartTables
from graphkit.tables.structure.contingency import (
    MOST_TOGETHER,
    ContingencyTable,
    SparseCounts,
    dense_counts,
    sparse_counts,
)
from graphkit.tables.structure.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals

_CHAINS = 4
_BURN_IN = 128
_THINNING = 16
_LEAST_STEPS = 64
_AT_ONCE = 4096
"""Steps between looks at the budget: a compiled call of few steps takes less time than the call itself."""
_MOST_RECORDS = 2**25


@dataclass(frozen=True, slots=True, eq=False)
class Simulation(Presentable):
    """Tables with the released marginals, each checked: a function of the marginals, the seed and nothing else."""

    tables: tuple[ContingencyTable, ...]
    exact: bool
    """Whether draws are independent and exactly as likely as they should be; else they come from chains."""
    complete: bool
    """Whether the chains went all their way; a time limit ends them where they are."""

    _figures = ("exact", "complete")


def simulate(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal] | ReleasedMarginals,
    *,
    seed: int | np.random.Generator,
    draws: int = 1,
    concentration: float = math.inf,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> Simulation:
    """Return integer tables drawn from those that have the released marginals.

    Parameters
    ----------
    table : ContingencyTable
        The table; nothing of it is used but its marginals.
    released : iterable of iterable of str or int, or RecodedMarginal, or ReleasedMarginals
        Sets of variables whose marginals are released, in any order, or marginals with merged categories; or counts,
        of a table with the same variables. Only the total is kept where there are none.
    seed : int or numpy.random.Generator
        Same input, seed and version: the same tables, as long as there is no time limit.
    draws : int, optional
        How many tables.
    concentration : float, optional
        A table n is as likely as the product of Γ(n + concentration) / n! over its cells: a Dirichlet prior of this
        concentration. Infinite, the default: as 1 over the product of the factorials
        (hypergeometric), which is how records fall into cells by chance. 1: all tables alike. Below 1, most cells are
        empty or small, and few are large.
    time_limit : float, optional
        Seconds after which chains stop where they are; needs `clock`.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.

    Raises
    ------
    InvalidInput
        If a variable is not there, a parameter makes no sense, the marginals belong to no table, categories are merged
        in ways that are not nested, or tables are too large: more than 2^22 cells in a component, or in all where the
        concentration is finite; or 2^25 records.
    LimitReached
        If no table that has the marginals was found.
    BrokenClaim
        If a table that was drawn does not have the marginals.

    Notes
    -----
    *Hypergeometric.* The components of the marginals are independent given what they share. Each is drawn by itself,
    then all are combined along the separators by matching records at random. For decomposable marginals this is all:
    draws are exact and independent, O(n log n) for n records, whatever the size of the table.

    *Chains.* Elsewhere by Metropolis and Hastings, with two kinds of steps. Along a line: a basic move at a cell that
    is not zero, as often as drawn. Combined: a number of basic moves anywhere, whatever is negative in between.
    Basic moves alone do not connect all tables unless the marginals are decomposable, but sums of them do. Four chains
    run a fixed number of sweeps each; how near their draws are to the target is not measured. What a draw reveals does
    not depend on it.

    *Start.* Vertices of the polytope in random directions, found by linear programming and branching from the marginals
    alone; where these give up, a fit of the marginals, rounded at random and repaired by moves. With a finite
    concentration, chains start from hypergeometric draws.

    References
    ----------
    A. Dobra, Markov bases for decomposable graphical models, Bernoulli 9, 2003. S. Aoki, H. Hara, A. Takemura, Markov
    Bases in Algebraic Statistics, 2012, chapter 16 (running Markov chains without Markov bases).

    Examples
    --------
    >>> from graphkit.tables.structure.contingency import ContingencyTable
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([[5, 1], [4, 0]], (Variable("a", ("x", "y")), Variable("b", ("x", "y"))))
    >>> drawn = simulate(table, [["a"], ["b"]], seed=3)
    >>> drawn.exact, drawn.tables[0].marginal(["b"]).dense().tolist()
    (True, [9, 1])
    """
    if not is_whole(draws) or draws < 1:
        shown = f" ({draws})" if is_whole(draws) else ""
        raise InvalidInput(f"the number of draws{shown} must be a whole number from 1 on")
    if not concentration > 0:
        raise InvalidInput(f"the concentration ({concentration}) must be positive")
    budget, rng = Budget(clock, time_limit), generator_of(seed)
    if isinstance(released, ReleasedMarginals):
        if released.shape != table.shape:
            raise InvalidInput("the marginals belong to a table of another shape")
        return _simulated(table, released, draws, concentration, budget, rng)
    marginals = [recoded(table, marginal) for marginal in released]
    hierarchical = HierarchicalTable.of(table, marginals)
    known = hierarchical.released()
    found = _simulated(hierarchical.table, known, draws, concentration, budget, rng)
    if hierarchical.is_plain:
        return found
    tables = tuple(hierarchical.drawn(drawn, table, rng) for drawn in found.tables)
    for marginal in marginals:
        for drawn in tables:
            if not marginal.same(drawn, table):
                raise BrokenClaim("a simulated table does not have the released marginals")
    return replace(found, tables=tables)


def _simulated(
    table: ContingencyTable,
    released: ReleasedMarginals,
    draws: int,
    concentration: float,
    budget: Budget,
    rng: np.random.Generator,
) -> Simulation:
    if released.total > _MOST_RECORDS:
        raise InvalidInput(f"{released.total} records are too many to be drawn; the limit is {_MOST_RECORDS}")
    finite = concentration < math.inf and released.total > 0
    parts = {axes: released.restricted(axes) for axes in released.decomposition.open_components}
    number = min(draws, _CHAINS) if finite else draws
    runs = {axes: _hypergeometric_part(part, number, budget, rng) for axes, part in parts.items()}
    combined = (combine_at_random(released, {axes: run[i] for axes, run in runs.items()}, rng) for i in range(number))
    exact = not runs
    found: Iterable[SparseCounts] = combined
    if finite:
        _check_size(table.size)
        exact = not BasicMoves.of(released.shape, released.maximal).choices.size
        starts = [dense_counts(*start, table.size) for start in combined]
        found = _run(released, starts, draws, concentration, budget, rng)
    tables = tuple(ContingencyTable(table.variables, *counts) for counts in found)
    for drawn in tables:
        _check_marginals(drawn, released)
    return Simulation(tables, exact, exact or not budget.is_spent())


def _hypergeometric_part(
    part: ReleasedMarginals, draws: int, budget: Budget, rng: np.random.Generator
) -> list[SparseCounts]:
    """Return draws of a component whose counts are not released."""
    _check_size(math.prod(part.shape))
    source = StartTables(part, budget)
    starts: list[Ints] = []
    for _ in range(min(draws, _CHAINS)):
        start = source.draw(rng, budget)
        if source.inconsistent:
            raise InvalidInput("no table of whole counts has all these marginals; check that they come from one table")
        if start is not None:
            starts.append(start)
        elif starts:
            break
        else:
            raise LimitReached("no table with these marginals was found; try with fewer marginals")
    return _run(part, starts, draws, math.inf, budget, rng)


def _run(
    released: ReleasedMarginals,
    starts: list[Ints],
    draws: int,
    concentration: float,
    budget: Budget,
    rng: np.random.Generator,
) -> list[SparseCounts]:
    """Return draws of a chain from each start, by turns."""
    lines = BasicMoves.of(released.shape, released.maximal)
    if not lines.choices.size or not released.total:
        # there is one table
        return [sparse_counts(starts[0])] * draws
    chains = [State.of(start, rng) for start in starts]
    steps = max(_LEAST_STEPS, starts[0].size)
    found = []
    for i in range(draws):
        chain = chains[i % len(chains)]
        left = _BURN_IN if i < len(chains) else _THINNING
        while left > 0 and not budget.is_spent():
            sweeps = min(left, max(1, _AT_ONCE // steps))
            # a step less now and then: chains that hardly ever stay would be nearly periodic
            walk(chain, lines, float(concentration), sweeps * steps - int(rng.integers(2, size=sweeps).sum()))
            left -= sweeps
        found.append(sparse_counts(chain.table))
    return found


def _check_size(size: int) -> None:
    if size > MOST_TOGETHER:
        raise InvalidInput(f"{size} cells are too many to be drawn together; release marginals whose parts are smaller")


def _check_marginals(drawn: ContingencyTable, released: ReleasedMarginals) -> None:
    """Stop if a table does not have the marginals: nothing of it may be released."""
    if drawn.size <= MOST_TOGETHER:
        right = has_marginals(released.shape, released.marginals, released.total, drawn.dense())
    else:
        # too large to be written out: its marginals are compared instead
        found = ReleasedMarginals.of(drawn, released.sets)
        right = found.total == released.total and all(
            (found.marginals[axes] == counts).all() for axes, counts in released.marginals.items()
        )
    if not right:
        raise BrokenClaim("a simulated table does not have the released marginals")
