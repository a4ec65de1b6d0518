"""Running chains: burn-in until they agree, then draws some sweeps apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.tables._simulation_diagnostics import Diagnostics, diagnose, statistics_of
from graphkit.tables.contingency import SparseCounts

__all__ = ["CERTAIN", "Chain", "Run", "run_chains"]

_FIRST = 256
_MOST_SWEEPS = 2**14
_MOST_STEPS = 2**24
_LEAST_TRACE = 8

CERTAIN = Diagnostics(1.0, 1.0, math.inf, 1.0)
"""Nothing to mix."""


class Chain(Protocol):
    """A chain over tables."""

    steps: int
    """Steps of a sweep; 0 if there is no other table."""
    proposed: int
    accepted: int

    def sweep(self) -> None:
        """Go on."""

    def counts(self) -> SparseCounts:
        """Return the present table."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Draws, and how they came about."""

    tables: tuple[SparseCounts, ...]
    diagnostics: Diagnostics
    burn_in: int
    thinning: int


def run_chains(
    chains: Sequence[Chain], size: int, draws: int, burn_in: int | None, thinning: int | None, budget: Budget
) -> Run:
    """Return draws by turns from chains over the same tables.

    Parameters
    ----------
    chains : sequence of Chain
    size : int
        Number of cells of a table.
    draws : int
    burn_in : int or None
        Sweeps that are left out. None: doubled until the second half of them shows nothing that speaks against
        convergence, up to a fixed amount of work.
    thinning : int or None
        Sweeps of a chain from one draw to its next. None: twice the autocorrelation time.
    budget : Budget
        Ends the run early: draws are then nearer to each other and to the start than they should be.
    """
    if not chains[0].steps:
        return Run((chains[0].counts(),) * draws, CERTAIN, 0, 1)
    diagnostics, done = _burnt_in(chains, size, burn_in, budget)
    if thinning is None:
        thinning = min(max(1, math.ceil(2 * min(diagnostics.autocorrelation_time, done))), _most(chains))
    tables = []
    for i in range(draws):
        chain = chains[i % len(chains)]
        # the first draw of a chain is its table after burn-in
        for _ in range(thinning if i >= len(chains) else 0):
            if budget.is_spent():
                break
            chain.sweep()
        tables.append(chain.counts())
    return Run(tuple(tables), diagnostics, done, thinning)


def _most(chains: Sequence[Chain]) -> int:
    return max(_FIRST, min(_MOST_SWEEPS, _MOST_STEPS // chains[0].steps))


def _burnt_in(chains: Sequence[Chain], size: int, burn_in: int | None, budget: Budget) -> tuple[Diagnostics, int]:
    """Run the chains until they agree, or as long as is said; return the diagnostics and the number of sweeps."""
    trace: list[list[NDArray[np.float64]]] = []
    goal, most = (min(_FIRST, _most(chains)), _most(chains)) if burn_in is None else (burn_in, burn_in)
    while True:
        while len(trace) < goal and not budget.is_spent():
            for chain in chains:
                chain.sweep()
            trace.append([statistics_of(chain.counts(), size) for chain in chains])
        diagnostics = _diagnosed(trace, chains)
        if diagnostics.converged or goal >= most or budget.is_spent():
            return diagnostics, len(trace)
        goal = min(2 * goal, most)


def _diagnosed(trace: list[list[NDArray[np.float64]]], chains: Sequence[Chain]) -> Diagnostics:
    """Return what the second half of a trace says."""
    proposed = sum(chain.proposed for chain in chains)
    acceptance = sum(chain.accepted for chain in chains) / proposed if proposed else 0.0
    kept = trace[len(trace) // 2 :]
    if len(kept) < _LEAST_TRACE:
        return Diagnostics(acceptance, math.inf, 0.0, math.inf)
    return diagnose(np.array(kept).transpose(1, 0, 2), acceptance)
