"""The verifier of freeform releases that leave out originals: against all matchings and all sets of originals."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.arrays import Ints
from graphkit.microdata.consistency import consistency
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import nominal, numeric
from graphkit.microdata.generalization.extents import joined, layout_of
from graphkit.microdata.linked import candidates
from graphkit.microdata.verify_diversity import fewest_seen, verify_consistent, verify_matchings, verify_seen
from graphkit.microdata.verify_freeform import FreeformClaim, FreeformKey, verify_freeform, verify_key
from tests.unit.graphkit.microdata.test_verify_freeform import ATTRIBUTES, SIZES, cover

NAMES = ("a", "b", "c", "d")


def release(n: int, k: int, suppressed: int, seed: int) -> tuple[Ints, Ints, Ints]:
    """Records, extents of a ring over those that are kept, and the ring."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, SIZES, size=(n + suppressed, len(SIZES)))
    codes[:, 3] = np.where(codes[:, 3] < 35, 3, 65)
    kept = np.sort(rng.permutation(n + suppressed)[:n])
    covered = kept[(np.arange(n)[:, None] + np.arange(k)) % n]
    return codes, joined(layout_of(ATTRIBUTES), codes, covered), covered


def linked(fits: np.ndarray, originals: tuple[int, ...]) -> np.ndarray:
    """Which edges are in some matching of all published records to some originals, by trying all."""
    n = len(fits)
    found = np.zeros_like(fits)
    for order in permutations(originals, n):
        if fits[np.arange(n), order].all():
            found[np.arange(n), order] = True
    return found


def some_set_hides(fits: np.ndarray, k: int) -> bool:
    """Whether there is a set of originals, as many as published records or more, in which all are linked k times."""
    n, originals = fits.shape
    for size in range(n, originals + 1):
        for some in combinations(range(originals), size):
            links = linked(fits, some)
            if (links.sum(axis=1) >= k).all() and (links[:, list(some)].sum(axis=0) >= k).all():
                return True
    return False


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2), st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_links_are_those_of_all_matchings_and_sets_are_found(
    n: int, k: int, suppressed: int, seed: int, changed: int
) -> None:
    codes, extents, _ = release(n, min(k, n), suppressed, seed)
    rng = np.random.default_rng(seed)
    for row in rng.integers(0, n, size=changed):
        extents[row] = extents[rng.integers(0, n)]
    fits = cover(extents, codes)
    expected = linked(fits, tuple(range(n + suppressed)))
    records, tuples = candidates(consistency(ATTRIBUTES, extents, codes))
    assert (records is None) == (not expected.any())
    if records is not None and tuples is not None:
        assert records.tolist() == expected.sum(axis=0).tolist()
        assert tuples.tolist() == expected.sum(axis=1).tolist()
    for least in range(1, n + 1):
        claim = FreeformClaim(least, n, NAMES, suppressed=suppressed)
        assert verify_freeform(claim, ATTRIBUTES, extents, codes).passed == some_set_hides(fits, least)


@settings(deadline=None, max_examples=40)
@given(st.integers(5, 30), st.integers(2, 5), st.integers(0, 8), st.integers(0, 2**32 - 1))
def test_every_right_release_passes(n: int, k: int, suppressed: int, seed: int) -> None:
    codes, extents, covered = release(n, k, suppressed, seed)
    claim = FreeformClaim(k, n, NAMES, suppressed=suppressed)
    assert verify_freeform(claim, ATTRIBUTES, extents, codes).passed
    assert verify_key(claim, ATTRIBUTES, extents, codes, FreeformKey(covered, covered[:, -1])).passed


def failed(
    codes: Ints, extents: Ints, covered: Ints, drawn: Ints | None = None, *, n: int = 12, suppressed: int = 3
) -> list[str]:
    claim = FreeformClaim(3, n, NAMES, suppressed=suppressed)
    checks = verify_key(claim, ATTRIBUTES, extents, codes, FreeformKey(covered, drawn)).checks
    checks += verify_freeform(claim, ATTRIBUTES, extents, codes).checks
    return [check.name for check in checks if not check.passed]


def test_what_is_wrong_is_found() -> None:
    codes, extents, covered = release(12, 3, 3, 5)
    assert failed(codes, extents, covered, covered[:, 1]) == []
    # one that was left out is published in the place of another one
    gone = np.setdiff1d(np.arange(15), covered)
    drawn = covered[:, 1].copy()
    drawn[0] = gone[0]
    assert failed(codes, extents, covered, drawn) == ["drawn"]
    wrong = covered.copy()
    wrong[0, 1] = gone[0]
    assert "regular" in failed(codes, extents, wrong)
    # the numbers are not those of the files
    assert "records" in failed(codes, extents, covered, n=13, suppressed=2)
    assert "records" in failed(codes, extents, covered, suppressed=2)
    assert "records" in failed(codes, extents, covered, suppressed=4)
    assert "records" in failed(codes, extents[:11], covered)
    # two records hide among each other alone, whoever else is left out
    pair = covered.copy()
    pair[0] = pair[1] = [covered[0, 0], covered[1, 0], covered[0, 0]]
    assert "regular" in failed(codes, joined(layout_of(ATTRIBUTES), codes, pair), pair)


def test_one_that_hides_among_fewer_than_k_is_found_without_the_key() -> None:
    attributes = (numeric(np.arange(12)),)
    codes = np.arange(12)[:, None]
    groups = [[0, 1, 2], [3, 4, 5], [6, 7], [8, 9, 10]]
    extents = np.array([[min(group), max(group)] for group in groups for _ in group])
    claim = FreeformClaim(3, 11, ("a",), suppressed=1)
    checks = verify_freeform(claim, attributes, extents, codes).checks
    assert [check.name for check in checks if not check.passed] == ["hidden", "shared"]
    assert "more than 1 originals" in checks[2].text
    # with the one that was left out in the pair's place there are three, but two records cannot be three originals'
    right = np.concatenate((extents[:6], [[6, 8]] * 3, [[9, 11]] * 2))
    assert not verify_freeform(claim, attributes, right, codes).passed
    everybody = np.concatenate((extents[:6], [[6, 8]] * 3))
    assert verify_freeform(FreeformClaim(3, 9, ("a",), suppressed=3), attributes, everybody, codes).passed


def test_what_is_left_out_may_fit_fewer_records() -> None:
    # 3 fits the records of 4, 5 and 6 and no matching of theirs alone, and nobody hides less for that
    attributes = (numeric(np.arange(8)),)
    codes = np.arange(7)[:, None]
    extents = np.array([[0, 2]] * 3 + [[3, 6], [4, 6], [4, 6]])
    claim = FreeformClaim(3, 6, ("a",), suppressed=1)
    found = verify_freeform(claim, attributes, extents, codes)
    assert found.passed
    assert "all originals but 1 at most" in found.checks[2].text
    assert not verify_freeform(FreeformClaim(3, 6, ("a",)), attributes, extents, codes).passed


def test_shares_are_those_of_what_is_published() -> None:
    # the one with value 1 is left out: only 0 and 2 are published, half of each
    covered = np.array([[0, 1], [1, 0], [3, 4], [4, 3]])
    values = np.array([0, 2, 1, 0, 2])
    demand = Demand("s", 2, t=0.0)
    assert verify_seen(covered, [demand], [values[covered[:, 0]]]).passed
    assert verify_matchings(covered, covered.T, [demand], [values]).passed
    assert not verify_matchings(covered, covered.T[:, [0, 1, 2, 2]], [demand], [values]).passed
    ordered = Demand("s", t=0.0, distance="ordered")
    assert verify_seen(covered, [ordered], [values[covered[:, 0]]]).passed
    assert not verify_seen(covered, [demand], [np.zeros(4, dtype=np.int64)]).passed
    assert fewest_seen(covered, values[covered[:, 0]]) == 2


@pytest.mark.parametrize(("suppressed", "right"), [(0, False), (1, True)])
def test_so_many_as_were_left_out_may_fit_fewer_values(suppressed: int, right: bool) -> None:
    graph = consistency((nominal(5),), np.array([[3], [3]]), np.array([[0], [1], [4]]))
    found = verify_consistent(graph, [Demand("s", 2)], [np.array([0, 1])], suppressed)
    assert found.passed == right
