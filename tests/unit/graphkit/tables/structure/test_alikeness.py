"""Which tables look alike: people come and go, names and orders change."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.alikeness import alike_marginals, sorted_counts
from graphkit.tables.structure.contingency import ContingencyTable


def table(counts: np.ndarray, prefix: str = "v") -> ContingencyTable:
    names = [
        Variable(f"{prefix}{axis}", tuple(f"{prefix}{i}" for i in range(size)))
        for axis, size in enumerate(counts.shape)
    ]
    return ContingencyTable.from_dense(counts.astype(np.int64), names)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**6), st.permutations(range(3)), st.integers(0, 2))
def test_names_orders_and_two_people_more_hide_nothing(seed: int, order: list[int], more: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 60, (2, 3, 2))
    other = counts.transpose(order)[:, ::-1].copy()
    other.flat[rng.integers(other.size)] += more
    pairs = alike_marginals(sorted_counts(table(counts)), sorted_counts(table(other, "w")))
    assert {len(mine) for mine, _ in pairs} >= {2}


def test_a_category_more_hides_nothing() -> None:
    counts = np.array([[12, 7, 30], [9, 21, 5]])
    wider = np.concatenate([counts, [[1, 0, 0]]])
    assert alike_marginals(sorted_counts(table(counts)), sorted_counts(table(wider, "w")))


def test_what_two_categories_say_is_little() -> None:
    one, other = np.array([481, 519]), np.array([480, 520])
    assert alike_marginals(sorted_counts(table(one)), sorted_counts(table(other))) == []
    assert alike_marginals(sorted_counts(table(one)), sorted_counts(table(one, "w")))
    # a single category is the total
    assert alike_marginals(sorted_counts(table(np.array([57]))), sorted_counts(table(np.array([57])))) == []


def test_other_people_are_others() -> None:
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(200):
        one, other = (rng.multinomial(n, rng.dirichlet(np.ones(12))).reshape(2, 3, 2) for n in (300, 340))
        found += bool(alike_marginals(sorted_counts(table(one)), sorted_counts(table(other))))
    assert found == 0
