"""Simulation: integer tables drawn from those that have the released marginals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from graphkit.budget import Budget
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.parameters import generator_of, is_whole
from graphkit.presentation import Presentable
from graphkit.tables._simulation_diagnostics import Diagnostics
from graphkit.tables._simulation_parts import Connection, Settings, Start, simulate_parts, simulate_whole
from graphkit.tables.contingency import MOST_TOGETHER, ContingencyTable
from graphkit.tables.nested_table import NestedTable
from graphkit.tables.recoding import RecodedMarginal, recoded
from graphkit.tables.released import ReleasedMarginals
from graphkit.tables.verify import has_marginals

__all__ = ["Connection", "Diagnostics", "Simulation", "Start", "Target", "simulate"]

Target = Literal["hypergeometric", "uniform"]
"""``hypergeometric``: a table is as likely as one over the product of the factorials of its counts, which is how
people fall into cells by chance when only the marginals are held. ``uniform``: all tables alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulation(Presentable):
    """Tables with the released marginals, each checked, and what is known of how they were drawn."""

    tables: tuple[ContingencyTable, ...]
    target: Target
    connection: Connection
    """Why every table with the marginals can come up. ``exact``: draws are independent and no chain is needed.
    ``swaps``: of people who agree on a separator (decomposable marginals). ``blocks``: all counts are drawn anew now
    and then, within what propagation leaves. ``combinations``: moves that generate all differences of tables are
    added up, in any number."""
    start: Start
    """Where chains began. ``marginals``: at tables that were found from the marginals alone; the draws are a function
    of what is out and the seed, and reveal nothing else, converged or not. ``table``: at the true table, because no
    other was found; only convergence makes them forget it."""
    diagnostics: Diagnostics
    burn_in: int
    """Sweeps that were left out at the beginning; 0 for independent draws."""
    thinning: int
    """Sweeps of a chain between two draws."""

    _figures = ("target", "connection", "start", "safe", "burn_in", "thinning")
    _derived = ("safe",)

    @property
    def safe(self) -> bool:
        """Whether draws tell no more than the marginals: chains never saw the table, or seem to have forgotten it."""
        return self.start == "marginals" or self.diagnostics.converged


def simulate(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal] | ReleasedMarginals,
    *,
    seed: int | np.random.Generator,
    draws: int = 1,
    target: Target = "hypergeometric",
    chains: int = 4,
    burn_in: int | None = None,
    thinning: int | None = None,
    blind: bool = False,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
) -> Simulation:
    """Return integer tables drawn from those that have the released marginals.

    Parameters
    ----------
    table : ContingencyTable
        The table; its counts beyond the marginals are used only where :attr:`Simulation.start` says so.
    released : iterable of iterable of str or int, or RecodedMarginal, or ReleasedMarginals
        Sets of variables whose marginals are out, in any order, or marginals with merged categories; or counts, of a
        table with the same variables. Nothing but the total is held where there are none.
    seed : int or numpy.random.Generator
        Same input, seed and version: the same tables, as long as there is no time limit.
    draws : int, optional
        How many tables.
    target : {"hypergeometric", "uniform"}, optional
        How likely each table is.
    chains : int, optional
        Chains from different tables, to tell whether they agree.
    burn_in : int, optional
        Sweeps left out at the beginning of each chain; a sweep has as many steps as a table has cells, or people. By
        default as many as it takes until nothing speaks against convergence, within limits.
    thinning : int, optional
        Sweeps between two draws of a chain; twice the autocorrelation time by default.
    blind : bool, optional
        Whether nothing of the table is used but its marginals, whatever else is found; as if these were given.
    time_limit : float, optional
        Seconds after which chains stop where they are; needs `clock`. Look at ``diagnostics.converged``.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.

    Raises
    ------
    InvalidInput
        If a variable is not there, a parameter makes no sense, the marginals belong to no table, categories are merged
        in ways that are not nested, or everywhere and all tables are to be alike, or tables are too large: more than
        2^22 cells in a component, or 2^25 people with more cells than that.
    LimitReached
        If nothing but marginals may be used, and no table that has them was found.
    BrokenClaim
        If a table that was drawn does not have the marginals.

    Notes
    -----
    *Hypergeometric.* The components of the marginals are independent given what they share, so each is drawn by itself
    and then all are glued by matching people at random. For decomposable marginals, nothing else is needed: draws are
    exact and independent, O(n log n) for n people, whatever the size of the table.

    *Chains.* Metropolis and Hastings, with three kinds of steps. Along a line: a basic move at a cell that is not
    zero, as often as drawn. Drawn anew: a box of the table, some of its free merged cells one after another, each
    uniformly within its bounds after propagation; accepted by the probabilities of this way and the way back. Combined:
    a random number of moves anywhere, whatever is negative in between. Basic moves alone do not connect all tables if
    the marginals are not decomposable, but they generate all differences of tables as sums, so the last kind does.

    *Start.* Corners of the polytope in random directions, found by linear programming and branching from the marginals
    alone; where these give up, a fit of the marginals, rounded at random and mended by moves; glued tables for
    decomposable marginals.

    References
    ----------
    A. Dobra, Markov bases for decomposable graphical models, Bernoulli 9, 2003. S. Aoki, H. Hara, A. Takemura, Markov
    Bases in Algebraic Statistics, 2012, chapter 16 (running Markov chains without Markov bases). Y. Chen, P. Diaconis,
    S. P. Holmes, J. S. Liu, Sequential Monte Carlo methods for statistical analysis of tables, JASA 100, 2005.

    Examples
    --------
    >>> from graphkit.tables.variable import Variable
    >>> table = ContingencyTable.from_dense([[5, 1], [4, 0]], (Variable("a", ("x", "y")), Variable("b", ("x", "y"))))
    >>> drawn = simulate(table, [["a"], ["b"]], seed=3)
    >>> drawn.connection, drawn.tables[0].marginal(["b"]).dense().tolist()
    ('exact', [9, 1])
    """
    _check_at_least("number of draws", draws, 1)
    _check_at_least("number of chains", chains, 1)
    for name, value, least in (("burn-in", burn_in, 0), ("thinning", thinning, 1)):
        if value is not None:
            _check_at_least(name, value, least)
    if target not in get_args(Target):
        raise InvalidInput(f"no target '{target}'; there are {', '.join(get_args(Target))}")
    settings = Settings(draws, chains, burn_in, thinning, Budget(clock, time_limit), generator_of(seed))
    if isinstance(released, ReleasedMarginals):
        if released.shape != table.shape:
            raise InvalidInput("the marginals belong to a table of another shape")
        return _simulated(table, released, None, target, settings)
    marginals = [recoded(table, marginal) for marginal in released]
    nested = NestedTable.of(table, marginals)
    if target == "uniform" and not nested.is_one_to_one:
        raise InvalidInput(
            "where categories are merged in all marginals, tables cannot be drawn alike; use target='hypergeometric'"
        )
    known = ReleasedMarginals.of(nested.table, nested.sets)
    found = _simulated(nested.table, known, None if blind else nested.table, target, settings)
    if nested.is_plain:
        return found
    tables = tuple(nested.drawn(drawn, table, settings.rng) for drawn in found.tables)
    for marginal in marginals:
        for drawn in tables:
            if not marginal.same(drawn, table):
                raise BrokenClaim("a simulated table does not have the released marginals")
    return replace(found, tables=tables)


def _simulated(
    table: ContingencyTable,
    released: ReleasedMarginals,
    known: ContingencyTable | None,
    target: Target,
    settings: Settings,
) -> Simulation:
    outcome = simulate_parts(released, known, settings) if target == "hypergeometric" else None
    if outcome is None:
        outcome = simulate_whole(released, known, target == "hypergeometric", settings)
    tables = tuple(ContingencyTable(table.variables, *counts) for counts in outcome.tables)
    for drawn in tables:
        _check_marginals(drawn, released)
    return Simulation(
        tables, target, outcome.connection, outcome.start, outcome.diagnostics, outcome.burn_in, outcome.thinning
    )


def _check_at_least(name: str, value: int, least: int) -> None:
    if not is_whole(value) or value < least:
        shown = f" ({value})" if is_whole(value) else ""
        raise InvalidInput(f"the {name}{shown} must be a whole number from {least} on")


def _check_marginals(drawn: ContingencyTable, released: ReleasedMarginals) -> None:
    """Stop if a table does not have the marginals: nothing of it may go out."""
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
