"""A release of records held against the original."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata import microaggregate
from graphkit.microdata.microaggregation.groups import group_means
from graphkit.microdata.utility import compare, comparing

PEOPLE = np.random.default_rng(11).normal(size=(60, 3)) * [1, 100, 1e-3] + [0, 5e4, 1]


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(60)))
def test_the_order_of_the_published_rows_does_not_matter(order: list[int]) -> None:
    answer = microaggregate(PEOPLE, 4, method="mdav")
    means = group_means(PEOPLE, answer.labels)[answer.labels]
    straight = compare(PEOPLE, means, rows=np.arange(60))
    found = compare(PEOPLE, means[order], rows=np.array(order))
    assert found.information_loss == pytest.approx(answer.information_loss)
    assert found.information_loss == straight.information_loss
    assert (found.linkage, found.rank_disclosure) == (straight.linkage, straight.rank_disclosure)
    assert [change.mean_shift for change in found.attributes] == pytest.approx([0.0] * 3, abs=1e-9)
    assert all(0 < (change.variance_ratio or 0) < 1 for change in found.attributes)


def test_units_of_the_attributes_do_not_matter() -> None:
    noise = np.random.default_rng(12).normal(size=PEOPLE.shape) * PEOPLE.std(axis=0) / 10
    found = compare(PEOPLE, PEOPLE + noise, rows=np.arange(60))
    factors, offsets = np.array([1000.0, 0.25, 8.0]), np.array([3.0, -7.0, 0.0])
    other = compare(PEOPLE * factors + offsets, (PEOPLE + noise) * factors + offsets, rows=np.arange(60))
    assert other.information_loss == pytest.approx(found.information_loss)
    assert other.absolute_loss == pytest.approx(found.absolute_loss)
    assert other.linkage == found.linkage
    assert other.rank_disclosure == found.rank_disclosure
    assert [c.largest for c in other.regressions] == pytest.approx([c.largest for c in found.regressions])


def test_a_release_that_is_the_original_loses_nothing_and_protects_nobody() -> None:
    found = compare(PEOPLE, PEOPLE, rows=np.arange(60), names=["a", "b", "c"])
    assert (found.information_loss, found.absolute_loss, found.eigenvalues) == (0, 0, 0)
    assert found.linkage is not None
    assert (found.linkage.correct, found.linkage.before) == (1, 1)
    assert found.unique == (1, 1)
    assert found.attributes[2].attribute == "c"
    assert found.attributes[2].transport_distance == 0


def test_without_rows_only_what_needs_no_pairs_is_there() -> None:
    found = compare(PEOPLE, PEOPLE[:20])
    assert not found.paired
    assert found.correlations is not None
    assert found.information_loss is found.linkage is found.spread_disclosure is None


def test_one_attribute_that_is_constant_has_no_scale() -> None:
    found = compare([[1.0], [1.0]], [[2.0], [2.0]], rows=np.arange(2))
    change = found.attributes[0]
    assert (change.mean_shift, change.variance_ratio, change.transport_distance) == (None, None, None)
    assert change.kolmogorov_distance == 1
    assert found.information_loss == 0
    assert found.linkage is not None
    assert found.linkage.correct == 0.5


@pytest.mark.parametrize(
    ("original", "published", "rows", "words"),
    [
        ([[1.0], [2.0]], [[1.0], [2.0]], [0, 0], "do not map the records"),
        ([[1.0], [2.0]], [[1.0], [2.0]], [0, 2], "do not map the records"),
        ([[1.0], [2.0]], [[1.0]], [0], "2 records and the release 1"),
        ([[1.0], [2.0]], [[1.0, 2.0]], None, "1 attributes and the release 2"),
        ([[1.0], [np.nan]], [[1.0], [2.0]], None, "the original must be finite"),
        ([[1.0], [2.0]], [["x"], [2.0]], None, "the release must be numbers"),
        ([], [], None, "must be a table"),
    ],
)
def test_bad_input_is_refused(
    original: list[object], published: list[object], rows: list[int] | None, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        compare(original, published, rows=None if rows is None else np.array(rows))


def test_what_takes_longer_is_left_out_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = compare(PEOPLE, PEOPLE, rows=np.arange(60), thorough=False)
    assert quick.rank_disclosure is None
    assert quick.regressions == ()
    assert quick.attributes[0].kolmogorov_distance is None
    assert quick.linkage is not None
    assert quick.unique == (1, 1)
    monkeypatch.setattr(comparing, "_SOON", 59)
    quick = compare(PEOPLE, PEOPLE, rows=np.arange(60), thorough=False)
    assert quick.linkage is quick.unique is None
    assert quick.spread_disclosure is not None
    assert compare(PEOPLE, PEOPLE, rows=np.arange(60)).linkage is not None
