"""Sets whose members are exchanged one by one: never of less value, and no single exchange is left that helps."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphkit.networks.core.exchanging import exchanged


@given(n=st.integers(1, 8), spares=st.integers(0, 3), seed=st.integers(0, 1 << 32), most=st.sampled_from((0, 1, 99)))
def test_exchanges_raise_the_value(n: int, spares: int, seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    adjacent = np.triu(rng.random((n, n)) < 0.5, 1)
    adjacent |= adjacent.T
    weights = rng.integers(-4, 8, n + spares)
    inside = rng.random(n + spares) < 0.5
    before = inside.copy()

    def value(members: np.ndarray) -> int:
        chosen = members[:n]
        return int(weights[members].sum()) - int(adjacent[np.ix_(chosen, chosen)].sum()) // 2

    found = exchanged(weights, adjacent, inside, most)
    assert np.array_equal(inside, before)
    assert found.sum() == inside.sum()
    assert value(found) >= value(inside)
    assert np.count_nonzero(found != inside) <= 2 * most
    if most < 99 or not found.any() or found.all():
        return
    # whoever adds least, no other adds more in its place
    least = min(np.flatnonzero(found), key=lambda u: weights[u] - adjacent[u, found[:n]].sum() if u < n else weights[u])
    for other in np.flatnonzero(~found):
        changed = found.copy()
        changed[[least, other]] = False, True
        assert value(changed) <= value(found)


def test_a_clique_gives_way_to_those_who_know_nobody() -> None:
    adjacent = np.zeros((6, 6), dtype=bool)
    adjacent[:3, :3] = ~np.eye(3, dtype=bool)
    assert exchanged(np.full(6, 2), adjacent, np.arange(6) < 3, 99)[3:].sum() >= 2
