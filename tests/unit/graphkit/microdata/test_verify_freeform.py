"""The verifier of freeform releases: against all perfect matchings of small graphs, and whatever is wrong is found."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import LimitReached
from graphkit.microdata import consistency as consistencies
from graphkit.microdata.consistency import consistency
from graphkit.microdata.generalization.attribute import Attribute, hierarchical, nominal, numeric
from graphkit.microdata.generalization.extents import covers, joined, layout_of
from graphkit.microdata.linked import candidates
from graphkit.microdata.verify_freeform import (
    WHICH_TEST_COUNTS,
    FreeformClaim,
    FreeformKey,
    classic_figures,
    verify_freeform,
    verify_key,
)

ATTRIBUTES = (numeric([1, 2, 5, 9]), nominal(3), hierarchical([5, 5, 6, 6, 7, 7, 7, 7], 5), nominal(70))
SIZES = tuple(attribute.size for attribute in ATTRIBUTES)


def release(n: int, k: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Records, extents of a ring over them, and the ring."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, SIZES, size=(n, len(SIZES)))
    # few values, so that records and extents are equal at times
    codes[:, 3] = np.where(codes[:, 3] < 35, 3, 65)
    covered = (np.arange(n)[:, None] + np.arange(k)) % n
    return codes, joined(layout_of(ATTRIBUTES), codes, covered), covered


def cover(extents: np.ndarray, codes: np.ndarray) -> np.ndarray:
    layout = layout_of(ATTRIBUTES)
    return np.array([[covers(layout, extent, record) for record in codes] for extent in extents])


def linked(cover: np.ndarray) -> np.ndarray:
    """Which edges are in some perfect matching, by trying all."""
    n = len(cover)
    found = np.zeros_like(cover)
    for order in permutations(range(n)):
        if cover[np.arange(n), order].all():
            found[np.arange(n), order] = True
    return found


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_index_finds_what_comparing_all_pairs_finds(n: int, k: int, seed: int) -> None:
    codes, extents, _ = release(n, min(k, n), seed)
    graph = consistency(ATTRIBUTES, extents, codes)
    found = np.zeros((graph.extents.size, graph.originals.size), dtype=int)
    np.add.at(found, (np.repeat(np.arange(graph.extents.size), np.diff(graph.offsets)), graph.found), 1)
    assert np.array_equal(found[graph.extent_of][:, graph.original_of], cover(extents, codes))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_links_are_those_of_all_perfect_matchings(n: int, k: int, seed: int, changed: int) -> None:
    codes, extents, _ = release(n, min(k, n), seed)
    # some extents are those of other records: edges that no matching has, or no matching at all
    rng = np.random.default_rng(seed)
    for row in rng.integers(0, n, size=changed):
        extents[row] = extents[rng.integers(0, n)]
    expected = linked(cover(extents, codes))
    records, tuples = candidates(consistency(ATTRIBUTES, extents, codes))
    if not expected.any():
        assert records is None
        assert tuples is None
        return
    assert records is not None
    assert tuples is not None
    assert records.tolist() == expected.sum(axis=0).tolist()
    assert tuples.tolist() == expected.sum(axis=1).tolist()
    for least in range(1, n + 1):
        claim = FreeformClaim(least, n, ("a", "b", "c", "d"))
        right = min(records.min(), tuples.min()) >= least
        assert verify_freeform(claim, ATTRIBUTES, extents, codes).passed == right


def failed(
    codes: np.ndarray, extents: np.ndarray, covered: np.ndarray, drawn: np.ndarray | None = None, k: int = 3
) -> list[str]:
    claim = FreeformClaim(k, 12, ("a", "b", "c", "d"))
    checks = verify_key(claim, ATTRIBUTES, extents, codes, FreeformKey(covered, drawn)).checks
    checks += verify_freeform(claim, ATTRIBUTES, extents, codes).checks
    return [check.name for check in checks if not check.passed]


def test_what_is_wrong_is_found() -> None:
    codes, extents, covered = release(12, 3, 5)
    assert failed(codes, extents, covered, covered[:, 1]) == []
    mixed = covered[:, 1].copy()
    mixed[[0, 2]] = mixed[[2, 0]]
    assert failed(codes, extents, covered, mixed) == ["drawn"]
    assert failed(codes, extents, covered, np.zeros(12, dtype=np.int64)) == ["drawn"]
    irregular = covered.copy()
    irregular[0, 1] = 5
    assert failed(codes, extents, irregular) == ["regular"]
    assert failed(codes, extents, covered[:, [0, 0, 1]]) == ["regular"]
    for place in range(extents.shape[1]):
        wide = extents.copy()
        wide[:, place] = {0: 0, 1: 3, 2: 7, 3: 7}.get(place, (1 << 8) - 1)
        assert failed(codes, wide, covered) == ["extents"]
    assert failed(codes, extents[:11], covered) == ["records", "records"]
    outside = extents.copy()
    outside[0, 2] |= 8
    assert failed(codes, outside, covered) == ["records", "records"]


def test_an_original_that_nothing_covers_is_found() -> None:
    codes, extents, covered = release(12, 3, 5)
    codes[4] = (np.array(SIZES) - 1) - codes[4]
    assert "matching" in failed(codes, extents, covered)


def test_edges_that_no_matching_has_hide_nobody() -> None:
    # the second original is covered twice, but the first has no other published record
    attribute = (nominal(2),)
    claim = FreeformClaim(2, 2, ("a",))
    verification = verify_freeform(claim, attribute, np.array([[3], [2]]), np.array([[0], [1]]))
    assert [check.name for check in verification.checks if not check.passed] == ["hidden", "shared"]


def test_too_many_edges_are_refused_before_they_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, extents, _ = release(12, 3, 5)
    monkeypatch.setattr(consistencies, "MOST_EDGES", 5)
    with pytest.raises(LimitReached, match="more than are compared"):
        consistency(ATTRIBUTES, extents, codes)


def test_classic_figures_are_those_of_classes() -> None:
    extents = np.array([[0, 1], [0, 1], [2, 2], [2, 2], [2, 2]])
    figures = classic_figures(extents, {"illness": np.array([0, 4, 4, 4, 4])}, l=2, t=0.2)
    assert figures.smallest_class == 2
    assert figures.diversity["illness"].smallest_distinct == 1
    assert figures.diversity["illness"].records_below_distinct == 3
    assert figures.closeness["illness"].largest_distance == pytest.approx(0.3)


def test_a_valid_release_has_classes_of_one() -> None:
    codes = np.arange(6)[:, None]
    attributes: tuple[Attribute, ...] = (nominal(6),)
    covered = (np.arange(6)[:, None] + np.arange(3)) % 6
    extents = joined(layout_of(attributes), codes, covered)
    assert classic_figures(extents, {}).smallest_class == 1
    assert verify_freeform(FreeformClaim(3, 6, ("a",)), attributes, extents, codes).passed
    assert "equivalence class" in WHICH_TEST_COUNTS
