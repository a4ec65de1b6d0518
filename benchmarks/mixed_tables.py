"""The generator ``mixed-1000``: a thousand tables of several shapes, sparsities and sizes, and requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

NAME = "mixed-1000"
NUMBER = 1_000
SHAPES = (
    (2, 2),
    (3, 2),
    (5, 4),
    (10, 6),
    (2, 2, 2),
    (3, 2, 2),
    (3, 3, 2),
    (4, 3, 2),
    (3, 3, 3),
    (5, 4, 3),
    (8, 4, 2),
    (2, 2, 2, 2),
    (3, 2, 2, 2),
    (3, 3, 2, 2),
    (4, 3, 2, 2),
    (2, 2, 2, 2, 2),
)
KINDS = ("even", "skewed", "rare", "linked", "classes", "sparse", "zeros", "lumps")
"""Nearly equal probabilities; independent variables with uneven categories; independent ones of which a category is
rare; a log-linear model with effects of pairs; a mixture of three latent classes; Dirichlet with a concentration of 0.1
to 1; a quarter of the cells impossible; and, four times as often as each of these, two fifths of the cells empty and
the others from 1 to 20, where marginals that show nothing by themselves disclose most together."""
_SEED = 14
_LUMPS = 4 / 11
_EMPTY, _LARGEST = 0.4, 20
_LEAST_MEAN, _MOST_MEAN = 1.0, 60.0
_REQUESTS = 6
_WHOLE = 0.3
_LARGE = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class MixedTable:
    """A table, and marginals in the order in which they are requested."""

    number: int
    kind: str
    table: ContingencyTable
    requests: tuple[tuple[int, ...], ...]


def mixed_tables(number: int = NUMBER) -> Iterator[MixedTable]:
    """Yield the tables; each has a seed of its own, so the first ones are the same for any number.

    Examples
    --------
    >>> first = next(mixed_tables())
    >>> first.kind in KINDS, first.table.shape in SHAPES, len(first.requests) > 1
    (True, True, True)
    """
    for i in range(number):
        rng = np.random.default_rng([_SEED, i])
        kind = KINDS[-1] if rng.random() < _LUMPS else KINDS[rng.integers(len(KINDS) - 1)]
        shape = SHAPES[rng.integers(len(SHAPES))]
        counts = _lumps(shape, rng) if kind == "lumps" else _sample(kind, shape, rng)
        variables = [Variable(f"v{axis}", tuple(map(str, range(size)))) for axis, size in enumerate(shape)]
        yield MixedTable(i, kind, ContingencyTable.from_dense(counts, variables), _requests(len(shape), rng))


def _requests(variables: int, rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """Return different marginals in random order: mostly all that leave one variable out, else any."""
    if variables > 2 and rng.random() < _LARGE:
        sets = list(combinations(range(variables), variables - 1))
        return tuple(sets[i] for i in rng.permutation(len(sets)))
    sets = [axes for size in range(1, variables + 1) for axes in combinations(range(variables), size)]
    weights = np.array([_WHOLE if len(axes) == variables else 1.0 for axes in sets])
    order = rng.choice(len(sets), size=min(_REQUESTS, len(sets)), replace=False, p=weights / weights.sum())
    return tuple(sets[i] for i in order)


def _lumps(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = rng.integers(1, _LARGEST + 1, shape) * (rng.random(shape) >= _EMPTY)
    return counts if counts.any() else counts + 1


def _sample(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    cells = int(np.prod(shape))
    people = int(cells * np.exp(rng.uniform(np.log(_LEAST_MEAN), np.log(_MOST_MEAN))))
    chances = _chances(kind, shape, rng).reshape(-1)
    return rng.multinomial(people, chances / chances.sum()).reshape(shape)


def _chances(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    cells = int(np.prod(shape))
    if kind == "even":
        return rng.dirichlet(np.full(cells, 10.0)).reshape(shape)
    if kind == "skewed":
        return _independent(shape, 0.7, rng)
    if kind == "rare":
        sides = [rng.dirichlet(np.full(size, 5.0)) for size in shape]
        side = sides[rng.integers(len(shape))]
        side[rng.integers(side.size)] *= 0.01
        return _outer(sides)
    if kind == "linked":
        effects = np.zeros(shape)
        for size in (1, 2):
            for axes in combinations(range(len(shape)), size):
                effects = effects + rng.normal(0, 0.8, [n if axis in axes else 1 for axis, n in enumerate(shape)])
        return np.exp(effects)
    if kind == "classes":
        mixture = np.zeros(shape)
        for share in rng.dirichlet(np.ones(3)):
            mixture += share * _independent(shape, 0.6, rng)
        return mixture
    if kind == "sparse":
        return rng.dirichlet(np.full(cells, rng.choice([0.1, 0.3, 1.0]))).reshape(shape)
    possible = rng.random(shape) < 0.75
    return rng.dirichlet(np.full(cells, 2.0)).reshape(shape) * (possible if possible.any() else 1.0)


def _independent(shape: tuple[int, ...], concentration: float, rng: np.random.Generator) -> NDArray[np.float64]:
    return _outer([rng.dirichlet(np.full(size, concentration)) for size in shape])


def _outer(sides: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    found = np.ones(())
    for side in sides:
        found = np.multiply.outer(found, side)
    return found
