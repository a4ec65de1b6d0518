"""How well chains have mixed: split R̂ and effective sample size of statistics of their tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkit.tables.contingency import SparseCounts

__all__ = ["STATISTICS", "Diagnostics", "diagnose", "statistics_of"]

STATISTICS = ("zero cells", "cells of 1 or 2", "chi-square distance", "projection")
"""What is watched: the chi-square distance is the one from a table of equal counts, the projection a sum of all counts
with fixed weights like random ones, which tells apart tables that the others take for the same."""

_R_LIMIT = 1.05
_LEAST_EFFECTIVE = 100.0


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """What a run says about its own convergence; the worst chain over tables where there were several parts.

    Nothing here proves that a chain has mixed: it says that nothing speaks against it.
    """

    acceptance: float
    """Share of the steps along lines that led to another table."""
    split_r: float
    """Largest split R̂ of the statistics; 1 where the chains cannot be told apart, infinite if one never moved."""
    effective: float
    """Least effective sample size of the statistics over all chains, in the part that is kept for diagnosis."""
    autocorrelation_time: float
    """Largest one, in sweeps."""

    @property
    def converged(self) -> bool:
        """Whether split R̂ is at most 1.05 and the effective sample size at least 100."""
        return self.split_r <= _R_LIMIT and self.effective >= _LEAST_EFFECTIVE

    def worst(self, other: Diagnostics) -> Diagnostics:
        """Return the worse of two in everything."""
        return Diagnostics(
            min(self.acceptance, other.acceptance),
            max(self.split_r, other.split_r),
            min(self.effective, other.effective),
            max(self.autocorrelation_time, other.autocorrelation_time),
        )


def statistics_of(counts: SparseCounts, size: int) -> NDArray[np.float64]:
    """Return the statistics of a table of so many cells, in the order of :data:`STATISTICS`."""
    cells, values = counts
    total = float(values.sum())
    chi_square = float((values.astype(float) ** 2).sum()) * size / total - total if total else 0.0
    weights = _scattered(cells)
    return np.array([size - cells.size, (values <= 2).sum(), chi_square, weights @ values])


def _scattered(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights in [−1, 1) that look random and depend on the number of a cell alone; splitmix64."""
    word = (cells.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (word >> np.uint64(11)).astype(float) * 2.0**-52 - 1


def diagnose(trace: NDArray[np.float64], acceptance: float) -> Diagnostics:
    """Return the diagnostics of a trace.

    Parameters
    ----------
    trace : ndarray of float, shape (chains, sweeps, statistics)
        At least four sweeps.
    acceptance : float
        Handed on.

    References
    ----------
    Gelman et al., Bayesian Data Analysis, 3rd edition, sections 11.4 and 11.5; Geyer 1992 for where to cut the sum.

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(size=(2, 500, 1))
    >>> diagnose(noise, 1.0).converged, diagnose(noise + [[[0.0]], [[9.0]]], 1.0).converged
    (True, False)
    """
    half = trace.shape[1] // 2
    split = np.concatenate((trace[:, :half], trace[:, half : 2 * half]))
    found = [_of_statistic(split[:, :, i]) for i in range(trace.shape[2])]
    split_r = max(r for r, _ in found)
    effective = min(size for _, size in found)
    return Diagnostics(acceptance, split_r, effective, split[:, :, 0].size / effective if effective else np.inf)


def _of_statistic(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return R̂ and the effective sample size of chains, shape (chains, draws)."""
    draws = values.shape[1]
    within = float(values.var(axis=1, ddof=1).mean())
    between = float(values.mean(axis=1).var(ddof=1))
    scale = max(1.0, float(np.abs(values).max())) ** 2 * 1e-20
    if within <= scale:
        # a statistic that is the same everywhere has nothing to tell
        return (1.0, float(values.size)) if between <= scale else (np.inf, 0.0)
    pooled = (draws - 1) / draws * within + between
    correlation = 1 - (within - _covariances(values)) / pooled
    # sums of neighbours are positive for reversible chains, until noise is larger
    pairs = correlation[: draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    kept = np.minimum.accumulate(pairs[: negative[0] if negative.size else pairs.size])
    time = max(2 * float(kept.sum()) - 1, 1.0)
    return float(np.sqrt(pooled / within)), values.size / time


def _covariances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return autocovariances by lag, averaged over chains."""
    draws = values.shape[1]
    centred = values - values.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * draws, axis=1)) ** 2
    covariances: NDArray[np.float64] = np.fft.irfft(spectrum, axis=1)[:, :draws].mean(axis=0) / (draws - 1)
    return covariances
