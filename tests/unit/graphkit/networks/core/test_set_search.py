"""The search for violated sets, with whole demands and with those of a fractional solution, against the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.arrays import Bools, Numbers
from graphkit.networks.core.set_search import among, local_search, prefix_excesses, searched


def excess(joinable: Bools, asked: Numbers, table: Numbers, others: Numbers, members: Bools) -> float:
    """By how much a set violates its inequality, read off the definition."""
    near = joinable[:, members].sum(axis=1)
    gifts = table[np.arange(asked.size), near][~members].sum()
    return float(asked[members].sum() - near[members].sum() - gifts - others[members.sum()])


@pytest.mark.parametrize("kind", ["whole", "table of whole", "fractional"])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_excesses_are_those_of_the_definition_and_no_single_change_gains(kind: str, seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    joinable = np.triu(rng.random((n, n)) < 0.6, 1)
    joinable |= joinable.T
    partners = np.arange(n + 1)
    if kind == "fractional":
        # each vertex on two levels, in shares
        levels, share = rng.integers(0, n + 2, (2, n)), rng.random(n)
        asked = share * levels[0] + (1 - share) * levels[1]
        halves = np.minimum(levels[:, :, None], partners)
        table = share[:, None] * halves[0] + (1 - share)[:, None] * halves[1]
        given, others, least = table, np.cumsum(rng.random(n + 1)), 1e-9
    else:
        asked = rng.integers(0, n + 2, n)
        table = np.minimum(asked[:, None], partners)
        given, others, least = asked if kind == "whole" else table, np.cumsum(rng.integers(0, 2, n + 1)), 0
    order = rng.permutation(n)
    excesses = prefix_excesses(joinable, asked, given, others, order)
    for size in range(n):
        members = np.isin(np.arange(n), order[: size + 1])
        assert excesses[size] == pytest.approx(excess(joinable, asked, table, others, members))
    near = joinable @ table[:, 1]
    chosen, found = local_search(joinable, near, asked, given, others, members & (rng.random(n) < 0.5), least)
    assert found == pytest.approx(excess(joinable, asked, table, others, chosen))
    for changed in np.eye(n, dtype=np.bool_) ^ chosen:
        assert excess(joinable, asked, table, others, changed) <= found + 1e-6


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8), sets=st.integers(0, 3), prefixes=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_sets_are_what_the_best_prefixes_and_known_sets_lead_to(seed: int, n: int, sets: int, prefixes: int) -> None:
    rng = np.random.default_rng(seed)
    joinable = np.triu(rng.random((n, n)) < 0.6, 1)
    joinable, near = among(joinable | joinable.T, np.arange(n))
    asked, others, known = rng.integers(1, n + 2, n), np.cumsum(rng.integers(0, 2, n + 1)), rng.random((sets, n)) < 0.5
    starts = []
    for order in (np.argsort(-asked, kind="stable"), np.argsort(near / asked, kind="stable")):
        best = np.argsort(-prefix_excesses(joinable, asked, asked, others, order), kind="stable")
        starts += [np.isin(np.arange(n), order[: last + 1]) for last in best[:prefixes]]
    found, excesses = searched(joinable, near, near, asked, asked, others, known, prefixes, 0)
    assert found.shape == (len(starts) + sets, n)
    for start, members, most in zip([*starts, *known], found, excesses, strict=True):
        chosen, expected = local_search(joinable, near, asked, asked, others, start, 0)
        if start.any():
            assert np.array_equal(members, chosen)
            assert (
                most == expected == excess(joinable, asked, np.minimum(asked[:, None], range(n + 1)), others, members)
            )
        else:
            assert most == 0
            assert not members.any()
