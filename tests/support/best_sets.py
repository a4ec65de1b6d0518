"""What a set of vertices can weigh when pairs inside it count against it, by trying all sets."""

from itertools import combinations

import numpy as np

from graphkit.networks.bounds._set_question import SetQuestion

NO_SPARES = np.zeros(0, dtype=np.int64)


def adjacency(n: int, density: float, seed: int) -> np.ndarray:
    """Return a random graph in which about this share of the pairs is adjacent, shape (n, n)."""
    upper = np.triu(np.random.default_rng(seed).random((n, n)) < density, 1)
    return upper | upper.T


def best_value(question: SetQuestion) -> int:
    """Return the largest value of a set."""
    everyone = np.concatenate((question.weights, question.spares))
    return max(
        int(everyone[list(chosen)].sum())
        - sum(bool(question.adjacent[u, v]) for u, v in combinations(chosen, 2) if max(u, v) < question.n)
        for chosen in combinations(range(everyone.size), question.size)
    )
