"""The search for violated sets, with whole demands and with those of a fractional solution, against the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.arrays import Bools, Numbers
from graphkit.networks.core.set_search import among, best_set, local_search, prefix_excesses, promising_orders


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


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8), sets=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_best_set_is_the_best_that_prefixes_and_known_sets_lead_to(seed: int, n: int, sets: int) -> None:
    rng = np.random.default_rng(seed)
    joinable = np.triu(rng.random((n, n)) < 0.6, 1)
    joinable, near = among(joinable | joinable.T, np.arange(n))
    asked, others, known = rng.integers(1, n + 2, n), np.cumsum(rng.integers(0, 2, n + 1)), rng.random((sets, n)) < 0.5
    starts = [one for one in known if one.any()]
    for order in promising_orders(asked, near):
        size = np.argmax(prefix_excesses(joinable, asked, asked, others, order)) + 1
        starts.append(np.isin(np.arange(n), order[:size]))
    found = [local_search(joinable, near, asked, asked, others, start, 0)[1] for start in starts]
    members, most = best_set(joinable, near, asked, others, known)
    assert most == max(0, *found)
    if most > 0:
        assert most == excess(joinable, asked, np.minimum(asked[:, None], np.arange(n + 1)), others, members)
    else:
        assert not members.any()
