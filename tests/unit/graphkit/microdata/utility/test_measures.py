"""Every measure of a release of records, against its definition written out value by value."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from statistics import fmean, pstdev, pvariance, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.microdata.utility import (
    absolute_loss,
    correlation_change,
    eigenvalue_change,
    information_loss,
    kolmogorov_distances,
    mean_shifts,
    rank_disclosure,
    record_linkage,
    regression_changes,
    spread_disclosure,
    transport_distances,
    unique_share,
    variance_ratios,
)

Table = list[list[int]]


@st.composite
def releases(draw: st.DrawFn, min_n: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """An original and a release of it: few values, so that ties, duplicates and constant columns are common."""
    n, d, most = draw(st.integers(min_n, 9)), draw(st.integers(1, 3)), draw(st.integers(0, 9))
    table = st.lists(st.lists(st.integers(0, most), min_size=d, max_size=d), min_size=n, max_size=n)
    original = np.array(draw(table), dtype=np.float64)
    if draw(st.booleans()):
        return original, np.array(draw(table), dtype=np.float64)
    labels = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    means = np.array([original[labels == label].mean(axis=0) for label in labels])
    return original, means


def variances(table: np.ndarray) -> list[Fraction]:
    """The variance of every column, exactly."""
    columns = [[Fraction(value) for value in column] for column in table.T.tolist()]
    return [sum((value - sum(column) / len(column)) ** 2 for value in column) / len(column) for column in columns]


@settings(deadline=None)
@given(releases())
def test_information_loss_is_that_of_scaled_attributes(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    lost = total = Fraction(0)
    for before, after, variance in zip(original.T.tolist(), published.T.tolist(), variances(original), strict=True):
        if variance:
            lost += sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(after, before, strict=True)) / variance
            total += len(before)
    assert information_loss(original, published) == pytest.approx(float(100 * lost / total) if total else 0.0)


@settings(deadline=None)
@given(releases())
def test_absolute_loss_is_the_mean_of_scaled_differences(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    terms = [
        abs(a - b) / (math.sqrt(2) * stdev(before))
        for before, after in zip(original.T.tolist(), published.T.tolist(), strict=True)
        if len(set(before)) > 1
        for a, b in zip(after, before, strict=True)
    ]
    assert absolute_loss(original, published) == pytest.approx(fmean(terms) if terms else 0.0)


@settings(deadline=None)
@given(releases())
def test_moments_are_those_of_each_attribute(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    shifts, ratios = mean_shifts(original, published).tolist(), variance_ratios(original, published).tolist()
    for before, after, shift, ratio in zip(original.T.tolist(), published.T.tolist(), shifts, ratios, strict=True):
        if len(set(before)) > 1:
            assert shift == pytest.approx((fmean(after) - fmean(before)) / pstdev(before))
            assert ratio == pytest.approx(pvariance(after) / pvariance(before))
        else:
            assert math.isnan(ratio)
            assert shift == 0 if set(after) == set(before) else math.isnan(shift) or shift == 0


@settings(deadline=None)
@given(releases())
def test_distances_of_distributions_are_those_of_the_shares_up_to_each_value(
    tables: tuple[np.ndarray, np.ndarray],
) -> None:
    original, published = tables
    apart, ways = kolmogorov_distances(original, published), transport_distances(original, published)
    for place, (before, after) in enumerate(zip(original.T.tolist(), published.T.tolist(), strict=True)):
        values = sorted({*before, *after})
        gaps = [
            abs(sum(v <= value for v in before) / len(before) - sum(v <= value for v in after) / len(after))
            for value in values
        ]
        assert apart[place] == pytest.approx(max(gaps))
        if len(set(before)) > 1:
            # with as many records: the mean way from the i-th smallest to the i-th smallest
            way = fmean(abs(a - b) for a, b in zip(sorted(before), sorted(after), strict=True))
            assert ways[place] == pytest.approx(way / pstdev(before))


def correlation(one: list[float], other: list[float]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


@settings(deadline=None)
@given(releases(min_n=2))
def test_correlations_are_compared_pair_by_pair(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    used = [c for c in range(original.shape[1]) if np.ptp(original[:, c]) and np.ptp(published[:, c])]
    found = correlation_change(original, published)
    if len(used) < 2:
        assert found is None
        return
    assert found is not None
    moved, covariances = {}, []
    for i, a in enumerate(used):
        for b in used[i + 1 :]:
            before = correlation(*original[:, [a, b]].T.tolist())
            moved[a, b] = abs(correlation(*published[:, [a, b]].T.tolist()) - before)
            scale = pstdev(original[:, a]) * pstdev(original[:, b])
            both = [np.cov(table[:, a], table[:, b], bias=True)[0, 1] for table in (original, published)]
            covariances.append(abs(both[1] - both[0]) / scale)
    assert found.pairs == len(moved)
    assert found.largest_correlation == pytest.approx(max(moved.values()), abs=1e-12)
    assert moved[found.attributes] == pytest.approx(max(moved.values()), abs=1e-12)
    assert found.mean_correlation == pytest.approx(fmean(moved.values()), abs=1e-12)
    assert found.mean_covariance == pytest.approx(fmean(covariances), abs=1e-12)


@settings(deadline=None)
@given(releases(min_n=2))
def test_regressions_solve_the_normal_equations(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    mean, spread = original.mean(axis=0), original.std(axis=0)
    for change in regression_changes(original, published):
        others = [
            c
            for c in range(original.shape[1])
            if c != change.attribute and np.ptp(original[:, c]) and np.ptp(published[:, c])
        ]
        coefficients = []
        for table, r2 in zip((original, published), change.r2, strict=True):
            held = (table - mean) / np.where(spread > 0, spread, 1)
            design = np.column_stack([np.ones(len(held)), held[:, others]])
            solved = np.linalg.solve(design.T @ design, design.T @ held[:, change.attribute])
            fitted = design @ solved
            assert r2 == pytest.approx(fitted.var() / held[:, change.attribute].var(), abs=1e-9)
            coefficients.append(solved[1:])
        moved = np.abs(coefficients[1] - coefficients[0])
        assert change.largest == pytest.approx(moved.max(), abs=1e-9)
        assert change.mean == pytest.approx(moved.mean(), abs=1e-9)


def test_a_regression_on_attributes_that_depend_on_each_other_is_left_out() -> None:
    draw = np.random.default_rng(1)
    base = draw.normal(size=(30, 2))
    table = np.column_stack([base, base[:, 0] * 2 + 1])
    # the second is explained by the first and its copy: not determined; the others by one of them and the second
    assert [change.attribute for change in regression_changes(table, table + draw.normal(size=table.shape))] == [0, 2]
    assert eigenvalue_change(table, table) is None


def test_eigenvalues_are_those_of_the_correlation_matrices() -> None:
    draw = np.random.default_rng(5)
    before, after = draw.normal(size=(40, 3)), draw.normal(size=(30, 3))
    first, second = (sorted(np.linalg.eigvals(np.corrcoef(table.T)).real)[::-1] for table in (before, after))
    expected = sum(abs(a - b) / a for a, b in zip(first, second, strict=True))
    assert eigenvalue_change(before, after) == pytest.approx(expected)
    assert eigenvalue_change(before, before) == 0
    assert eigenvalue_change(before, np.ones((30, 3))) is None


@settings(deadline=None)
@given(releases())
def test_linkage_counts_right_nearest_records_and_shares_ties(tables: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = tables
    scale = variances(original)
    hits = Fraction(0)
    for row, record in enumerate(published.tolist()):
        # near enough: means of a few small whole numbers are told apart by more than they round
        squares = [
            sum(
                ((Fraction(a).limit_denominator(60) - Fraction(b)) ** 2 / variance)
                for a, b, variance in zip(record, other, scale, strict=True)
                if variance
            )
            for other in original.tolist()
        ]
        if squares[row] == min(squares):
            hits += Fraction(1, squares.count(min(squares)))
    varying = [c for c, variance in enumerate(scale) if variance]
    rows = [tuple(row) for row in original[:, varying].tolist()]
    found = record_linkage(original, published)
    assert found.correct == pytest.approx(float(hits / len(original)))
    assert found.before == pytest.approx(len(set(rows)) / len(rows))
    assert unique_share(original) == pytest.approx(sum(rows.count(row) == 1 for row in rows) / len(rows))
    assert record_linkage(original, original).correct == pytest.approx(found.before)


def test_groups_of_k_are_linked_once_in_k_at_most() -> None:
    original = np.sort(np.random.default_rng(3).normal(size=(300, 1)), axis=0)
    labels = np.repeat(np.arange(60), 5)
    means = np.array([original[labels == label].mean(axis=0) for label in range(60)])[labels]
    assert 0 < record_linkage(original, means).correct <= 1 / 5


def test_a_sample_estimates_the_linkage_and_says_how_well() -> None:
    draw = np.random.default_rng(2)
    original = draw.normal(size=(2000, 2))
    published = original + draw.normal(scale=0.05, size=original.shape)
    whole = record_linkage(original, published, sample=None)
    part = record_linkage(original, published, sample=500, seed=4)
    assert whole.error is None
    assert part.error is not None
    assert abs(part.correct - whole.correct) < 4 * part.error
    assert part == record_linkage(original, published, sample=500, seed=4)
    assert part.before == whole.before


@settings(deadline=None)
@given(releases(), st.sampled_from([0.0, 0.05, 0.25, 0.5, 1.0]))
def test_intervals_hold_what_lies_within_their_width(tables: tuple[np.ndarray, np.ndarray], width: float) -> None:
    original, published = tables
    n, columns = len(original), []
    for before, after in zip(original.T.tolist(), published.T.tolist(), strict=True):
        spread = float(np.std(after, ddof=1)) if n > 1 else 0.0
        columns.append([abs(a - b) <= width * spread * (1 + 1e-12) for a, b in zip(after, before, strict=True)])
    found = spread_disclosure(original, published, width)
    assert found.by_attribute == pytest.approx([fmean(column) for column in columns])
    assert found.records == pytest.approx(fmean(all(row) for row in zip(*columns, strict=True)))
    columns = []
    for before, after in zip(original.T.tolist(), published.T.tolist(), strict=True):
        order, reach = sorted(after), math.floor(width * n)
        low = [order[max(bisect_left(order, a) - reach, 0)] for a in after]
        high = [order[min(bisect_right(order, a) - 1 + reach, n - 1)] for a in after]
        columns.append([a <= b <= c for a, b, c in zip(low, before, high, strict=True)])
    found = rank_disclosure(original, published, width)
    assert found.values == pytest.approx(fmean(value for column in columns for value in column))
    assert found.records == pytest.approx(fmean(all(row) for row in zip(*columns, strict=True)))


@pytest.mark.parametrize(
    "measure", [information_loss, absolute_loss, record_linkage, spread_disclosure, rank_disclosure]
)
def test_tables_of_other_sizes_cannot_be_paired(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(InvalidInput, match="3 records and the release 2"):
        measure(np.ones((3, 1)), np.ones((2, 1)))
    with pytest.raises(InvalidInput, match="1 attributes and the release 2"):
        measure(np.ones((3, 1)), np.ones((3, 2)))


def test_widths_and_samples_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidInput, match="must not be negative"):
        rank_disclosure(np.ones((3, 1)), np.ones((3, 1)), -0.1)
    with pytest.raises(InvalidInput, match="must not be negative"):
        spread_disclosure(np.ones((3, 1)), np.ones((3, 1)), math.nan)
    with pytest.raises(InvalidInput, match=r"sample \(1\)"):
        record_linkage(np.ones((3, 1)), np.ones((3, 1)), sample=1)
