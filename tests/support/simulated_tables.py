"""Whether tables were drawn as often as they should have been, by trying all tables with the marginals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import exp, inf, lgamma

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.released import ReleasedMarginals
from tests.support.small_tables import feasible_tables

__all__ = ["LEVEL", "key", "likelihoods", "p_value"]

LEVEL = 1e-4
"""One test in ten thousand fails by chance at this level; seeds are fixed."""


def key(counts: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the counts of a table as something that can be counted itself."""
    return tuple(counts.reshape(-1).tolist())


def likelihoods(released: ReleasedMarginals, concentration: float) -> dict[tuple[int, ...], float]:
    """Return how likely every table with the marginals is."""
    tables = [key(table) for table in feasible_tables(released)]
    weights = [exp(sum(_log_weight(count, concentration) for count in table)) for table in tables]
    return dict(zip(tables, np.array(weights) / sum(weights), strict=True))


def _log_weight(count: int, concentration: float) -> float:
    dirichlet = 0.0 if concentration == inf else lgamma(count + concentration) - lgamma(concentration)
    return dirichlet - lgamma(count + 1)


def p_value(drawn: Iterable[ContingencyTable], expected: dict[tuple[int, ...], float]) -> float:
    """Return how likely draws like these, or worse, would be."""
    drawn = list(drawn)
    found = Counter(key(table.dense()) for table in drawn)
    assert set(found) <= set(expected)
    often = np.array([found[table] for table in expected])
    wanted = np.array(list(expected.values())) * len(drawn)
    return float(chi2.sf(((often - wanted) ** 2 / wanted).sum(), len(expected) - 1)) if len(expected) > 1 else 1.0
