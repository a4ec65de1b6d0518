"""What a set can weigh at most, by a convex program."""

import math
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats
from graphkit.networks.bounds._set_question import SetQuestion

_GRID = 1 << 10
_SHARES = 16
_UNIT = 2 * _SHARES * _GRID**2
# far more than the eigenvalues of so few vertices are computed wrongly by
_MARGIN = 1e-6
_ROUNDS, _STEPS, _LEAST_GAIN = 6, 12, 0.5
# vertices cubed whose eigenvalues take as long as an edge of a linear program
_EIGENVALUES = 50_000
# entries of the matrix that take as long in a step
_PRODUCT = 10_000


class ConvexSet(NamedTuple):
    """What a convex program tells of sets of one size."""

    bound: int
    """An upper bound on the value of each."""
    value: int
    """The value of one of them."""
    edges: int
    """Edges that a linear program of the same duration has."""


class Spectrum(NamedTuple):
    """What is needed of the eigenvalues of an adjacency matrix; it is good for a part of the vertices as well."""

    shift: int
    """A λ with which A + λI has no negative eigenvalue, in sixteenths."""
    largest: float
    """The largest eigenvalue, about."""


def spectrum_of(adjacent: Bools) -> Spectrum:
    """Return the spectrum of a symmetric matrix without diagonal.

    Eigenvalues are computed in floating point, with an error of about n units of the last place; a millionth is allowed
    for. Those of a part lie between them. O(n³).
    """
    eigenvalues = np.linalg.eigvalsh(adjacent.astype(np.float64))
    return Spectrum(math.ceil((_MARGIN - float(eigenvalues[0])) * _SHARES), float(eigenvalues[-1]))


def price_of_spectrum(vertices: int) -> int:
    """Return how many edges a linear program has that takes as long as a spectrum."""
    return vertices**3 // _EIGENVALUES


def convex_set_bound(question: SetQuestion, spectrum: Spectrum | None = None) -> ConvexSet:
    """Return an upper bound on ``Σ_{u in Y} w_u − m(Y)`` over all sets Y of the given size.

    Parameters
    ----------
    question : SetQuestion
        The weights, the adjacent pairs, and the size.
    spectrum : Spectrum, optional
        That of the adjacent pairs, or of more vertices.

    Notes
    -----
    For a set Y of indicator z and any λ, ``m(Y) − w(Y) = q(z)`` with ``q(z) = ½zᵀ(A + λI)z − (w + λ/2)ᵀz``, as
    ``z² = z``. Where A + λI has no negative eigenvalue, q is convex, so ``q(z) ≥ q(y) + ∇q(y)ᵀ(z − y)`` for any y, and
    the right side is least for the `size` least entries of the gradient. y comes from accelerated projected gradients
    and is rounded to a grid, λ is a multiple of 1/16, and the sum is computed in integers; what rests on floating point
    is that λ is large enough. O(n²) for each step.

    References
    ----------
    Hammer, Rubin, Some remarks on quadratic programming with 0–1 variables, 1970, for the shift; Beck, Teboulle, A fast
    iterative shrinkage-thresholding algorithm, 2009, for the steps.

    Examples
    --------
    >>> square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], dtype=bool)
    >>> question = SetQuestion(np.full(4, 3), square, 2, np.zeros(0, dtype=np.int64))
    >>> convex_set_bound(question)[:2]  # two that are not adjacent
    (6, 6)
    """
    n, size, edges = question.n, question.size, 0
    if spectrum is None:
        spectrum, edges = spectrum_of(question.adjacent), price_of_spectrum(n)
    shift, matrix = spectrum.shift, question.adjacent.astype(np.float64)
    curvature = spectrum.largest + shift / _SHARES
    linear = np.concatenate((question.weights + shift / _SHARES / 2, question.spares))
    point = _fitted(linear, size)
    last, momentum, best = point, 1.0, 1 << 62
    for _ in range(_ROUNDS):
        for _ in range(_STEPS):
            following = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
            ahead = point + (momentum - 1) / following * (point - last)
            momentum = following
            slope = -linear
            slope[:n] += matrix @ ahead[:n] + shift / _SHARES * ahead[:n]
            last, point = point, _fitted(ahead - slope / curvature, size)
        total = _tangent(question, matrix, shift, np.rint(_GRID * point[:n]))
        edges += _STEPS * n**2 // _PRODUCT
        gain, best = best - total, min(best, total)
        if gain < _LEAST_GAIN * _UNIT:
            break
    return ConvexSet(best // _UNIT, question.value_near(point), edges)


def _tangent(question: SetQuestion, matrix: Floats, shift: int, point: Floats) -> int:
    """Return the bound from the gradient at a point on the grid, in units of ``_UNIT``."""
    # whole numbers below 2^53
    beside = matrix @ point
    gradient = 2 * _SHARES * beside + 2 * shift * point - _GRID * (2.0 * _SHARES * question.weights + shift)
    entries = np.concatenate((gradient, -2.0 * _SHARES * _GRID * question.spares))
    least = int(np.partition(entries, question.size - 1)[: question.size].sum())
    return int(_SHARES * (point @ beside) + shift * (point @ point)) - _GRID * least


def _fitted(values: Floats, size: int) -> Floats:
    """Return the nearest point, about, of shares from 0 to 1 whose sum is `size`."""
    low, high = float(values.min()) - 1, float(values.max())
    for _ in range(40):
        middle = (low + high) / 2
        if np.clip(values - middle, 0, 1).sum() > size:
            low = middle
        else:
            high = middle
    return np.clip(values - high, 0, 1)
