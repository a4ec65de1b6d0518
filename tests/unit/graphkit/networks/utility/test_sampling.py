"""What is sampled is near what is exact, says by how much, and differences over the same sources are sharper."""

from __future__ import annotations

import numpy as np
import pytest

import graphkit.networks.utility.betweenness as betweenness
import graphkit.networks.utility.path_lengths as path_lengths
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility import Comparison, compare, utility
from graphkit.networks.utility.rank_agreement import split_evenly

N = 600


def pair() -> tuple[SimpleGraph, SimpleGraph, np.ndarray]:
    """A graph with hubs, and it with some more edges under other ids."""
    rng = np.random.default_rng(4)
    weights = 1 / np.sqrt(np.arange(1, N + 1))
    edges = rng.choice(N, (1700, 2), p=weights / weights.sum())
    published = rng.permutation(N)
    more = np.concatenate((edges, rng.choice(N, (40, 2))))
    return SimpleGraph.from_edges(edges, N), SimpleGraph.from_edges(published[more], N), published


FIRST, SECOND, PUBLISHED = pair()
SAMPLED = ("paths", "closeness", "betweenness")


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_lengths, "_EXACT_WORK", 0)
    monkeypatch.setattr(betweenness, "_EXACT_WORK", 0)


EXACT = compare(FIRST, SECOND, published=PUBLISHED, aspects=SAMPLED)


def test_exact_figures_state_no_error() -> None:
    assert all(change.error is None for change in EXACT.changes)
    assert all(agreement.error is None for agreement in EXACT.agreements)


@pytest.mark.usefixtures("sampled")
def test_estimates_are_within_a_few_of_their_errors() -> None:
    found = compare(FIRST, SECOND, published=PUBLISHED, aspects=SAMPLED, sample=96)
    for estimate, exact in zip(found.changes, EXACT.changes, strict=True):
        assert estimate.note == "estimated from 96 random sources"
        assert estimate.error
        assert estimate.absolute != exact.absolute
        assert abs(estimate.absolute - exact.absolute) < 5 * estimate.error  # type: ignore[operator]
    for figure, exact_figure in zip(found.after.measures, EXACT.after.measures, strict=True):
        if figure.name == "effective diameter":
            # it bends where it passes a whole number, as here, and its stated error knows one side only
            assert figure.value == pytest.approx(exact_figure.value, rel=0.1)
            continue
        assert abs(figure.value - exact_figure.value) < 5 * figure.error  # type: ignore[operator]
    # what both samples have in common is no error of the agreement, so these are near, not within the error
    for agreement, exact_agreement in zip(found.agreements, EXACT.agreements, strict=True):
        assert agreement.error
        assert agreement.value == pytest.approx(exact_agreement.value, abs=0.15)


def errors(comparison: Comparison) -> np.ndarray:
    return np.array([change.error for change in comparison.changes])


@pytest.mark.usefixtures("sampled")
def test_the_same_sources_on_both_make_differences_sharper() -> None:
    paired = compare(FIRST, SECOND, published=PUBLISHED, aspects=("paths", "closeness"))
    apart = compare(FIRST, SECOND, aspects=("paths", "closeness"))
    assert (2 * errors(paired) < errors(apart)).all()
    hypot = [np.hypot(a.error, b.error) for a, b in zip(apart.before.measures, apart.after.measures, strict=True)]
    assert errors(apart).tolist() == pytest.approx(hypot)


@pytest.mark.usefixtures("sampled")
def test_the_stated_error_of_a_difference_is_about_the_spread_over_seeds() -> None:
    found = [compare(FIRST, SECOND, published=PUBLISHED, aspects=("paths",), seed=s, sample=48) for s in range(60)]
    spread = np.std([[change.absolute for change in each.changes] for each in found], axis=0)
    # the jackknife does not know that sources are drawn without replacement: it errs on the large side
    stated = np.mean([errors(each) for each in found], axis=0)
    assert (stated / spread > 0.7).all()
    assert (stated / spread < 1.7).all()


def test_either_both_graphs_are_sampled_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    between = N * (FIRST.m + SECOND.m) // 2
    monkeypatch.setattr(path_lengths, "_EXACT_WORK", between)
    monkeypatch.setattr(betweenness, "_EXACT_WORK", between)
    found = compare(FIRST, SECOND, published=PUBLISHED, aspects=SAMPLED)
    assert all(measure.error for measure in (*found.before.measures, *found.after.measures))
    assert all(agreement.error for agreement in found.agreements)
    assert all(measure.error is None for measure in utility(FIRST, aspects=SAMPLED).measures)


@pytest.mark.usefixtures("sampled")
def test_a_sample_that_holds_every_vertex_is_exact() -> None:
    whole = utility(FIRST, aspects=SAMPLED, sample=N)
    assert whole == EXACT.before


def test_sources_are_split_evenly() -> None:
    for size in (2, 7, 8, 9, 64, 71):
        groups = split_evenly(np.arange(size))
        assert len({group.size for group in groups}) == 1
        assert size - 8 < sum(group.size for group in groups) <= size
        assert len(set(np.concatenate(groups).tolist())) == sum(group.size for group in groups)
