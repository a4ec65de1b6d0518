"""What a simulation runs: chains over whole tables, or over components that are then glued at random."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.errors import InvalidInput, LimitReached
from graphkit.tables._simulation_cells import CellChain, CellMoves
from graphkit.tables._simulation_diagnostics import Diagnostics
from graphkit.tables._simulation_glue import glue_at_random
from graphkit.tables._simulation_people import PeopleChain
from graphkit.tables._simulation_run import CERTAIN, Chain, Run, run_chains
from graphkit.tables._simulation_start import StartTables, whole_start
from graphkit.tables._simulation_tree import Cuts
from graphkit.tables.contingency import MOST_TOGETHER, ContingencyTable, SparseCounts, dense_counts
from graphkit.tables.frechet import is_decomposable
from graphkit.tables.hypergraph import Axes
from graphkit.tables.released import ReleasedMarginals

__all__ = ["Connection", "Outcome", "Settings", "Start", "simulate_parts", "simulate_whole"]

Connection = Literal["exact", "swaps", "blocks", "combinations"]
Start = Literal["marginals", "table"]

_MOST_PEOPLE = 2**25
_SMALL = 2**16
_FAILURES = 2


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """What was asked for."""

    draws: int
    chains: int
    burn_in: int | None
    thinning: int | None
    budget: Budget
    rng: np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Draws that nobody has checked yet, and what is claimed of them."""

    tables: Iterator[SparseCounts]
    connection: Connection
    start: Start
    diagnostics: Diagnostics
    burn_in: int = 0
    thinning: int = 1


def simulate_parts(released: ReleasedMarginals, known: ContingencyTable | None, settings: Settings) -> Outcome | None:
    """Return hypergeometric draws: components each by themselves, then glued; None if there are too many people."""
    if released.total > _MOST_PEOPLE:
        return None
    if not released.total:
        nobody = np.empty(0, dtype=np.int64)
        return Outcome(iter([(nobody, nobody)] * settings.draws), "exact", "marginals", CERTAIN)
    runs: dict[Axes, Run] = {}
    connection: Connection = "exact"
    start: Start = "marginals"
    diagnostics = CERTAIN
    for axes in released.decomposition.open_components:
        part = released.restricted(axes)
        starts, own_start = _starts(part, None if known is None else known.marginal(axes), settings)
        moves = CellMoves(part.shape, part.maximal, np.empty((0, len(axes)), dtype=np.int64), settings.rng)
        chains = [CellChain(moves, table, True, settings.rng) for table in starts]
        runs[axes] = _run(chains, math.prod(part.shape), settings)
        connection = "combinations" if connection == "combinations" or not moves.whole else "blocks"
        start = "table" if own_start == "table" else start
        diagnostics = diagnostics.worst(runs[axes].diagnostics)
    tables = (
        glue_at_random(released, {axes: run.tables[i] for axes, run in runs.items()}, settings.rng)
        for i in range(settings.draws)
    )
    burn_in = max((run.burn_in for run in runs.values()), default=0)
    thinning = max((run.thinning for run in runs.values()), default=1)
    return Outcome(tables, connection, start, diagnostics, burn_in, thinning)


def simulate_whole(
    released: ReleasedMarginals, known: ContingencyTable | None, hypergeometric: bool, settings: Settings
) -> Outcome:
    """Return draws of a chain over whole tables."""
    size, people = math.prod(released.shape), released.total
    cuts = Cuts.of(released.shape, released.decomposition)
    decomposable = is_decomposable(released)
    by_people = decomposable and not hypergeometric and people <= _MOST_PEOPLE and (size > _SMALL or people < size)
    if not by_people:
        _check_size(size)
    starts, start = _whole_starts(released, known, settings)
    chains: list[Chain]
    if by_people and people:
        chains = [PeopleChain(released.shape, cuts, table, settings.rng) for table in starts]
        connection: Connection = "swaps"
    else:
        moves = CellMoves(released.shape, released.maximal, cuts.sides(len(released.shape)), settings.rng)
        dense = [dense_counts(*table, size) for table in starts]
        chains = [CellChain(moves, table, hypergeometric, settings.rng) for table in dense]
        connection = "swaps" if decomposable else ("blocks" if moves.whole else "combinations")
        if moves.none or not people:
            return Outcome(iter(starts[:1] * settings.draws), "exact", start, CERTAIN)
    run = _run(chains, size, settings)
    return Outcome(iter(run.tables), connection, start, run.diagnostics, run.burn_in, run.thinning)


def _run(chains: list[CellChain] | list[Chain], size: int, settings: Settings) -> Run:
    return run_chains(chains, size, settings.draws, settings.burn_in, settings.thinning, settings.budget)


def _check_size(size: int) -> None:
    if size > MOST_TOGETHER:
        raise InvalidInput(
            f"{size} cells are too many to be drawn together; release marginals whose parts are smaller, "
            "or draw with target='hypergeometric'"
        )


def _starts(
    part: ReleasedMarginals, known: ContingencyTable | None, settings: Settings
) -> tuple[list[NDArray[np.int64]], Start]:
    """Return a table for each chain, and where they come from."""
    _check_size(math.prod(part.shape))
    source = StartTables(part, settings.budget)
    found: list[NDArray[np.int64]] = []
    failures = 0
    while len(found) < settings.chains and failures < _FAILURES and not settings.budget.is_spent():
        table = source.draw(settings.rng, settings.budget)
        if table is None:
            failures += 1
        else:
            found.append(table)
    if source.inconsistent:
        raise InvalidInput("no table of whole counts has all these marginals; check that they come from one table")
    if found:
        return [found[i % len(found)] for i in range(settings.chains)], "marginals"
    if known is None:
        raise LimitReached("no table with these marginals was found; give the table that they come from")
    return [known.dense().reshape(-1)] * settings.chains, "table"


def _whole_starts(
    released: ReleasedMarginals, known: ContingencyTable | None, settings: Settings
) -> tuple[list[SparseCounts], Start]:
    """Return whole tables for the chains."""
    parts: dict[Axes, list[NDArray[np.int64]]] = {}
    for axes in released.decomposition.open_components:
        own = None if known is None else known.marginal(axes)
        parts[axes], start = _starts(released.restricted(axes), own, settings)
        if start == "table" and known is not None:
            return [(known.cells, known.counts)] * settings.chains, "table"
    return [
        whole_start(released, {axes: tables[i] for axes, tables in parts.items()}, settings.rng)
        for i in range(settings.chains)
    ], "marginals"
