"""Answers under constraints: what brute force says on tiny graphs, what the verifier says on all."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.errors import InvalidInput, LimitReached
from graphkit.networks import Constraints, SimpleGraph, anonymize, anonymize_under
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.graphs.overlay_view import OverlayView
from graphkit.networks.variants import search
from tests.support.variants import fewest_changes, keeps_its_promises, problems


def scale_free(n: int, m: int, seed: int) -> SimpleGraph:
    import networkx as nx

    return SimpleGraph.from_edges(np.array(nx.barabasi_albert_graph(n, m, seed=seed).edges), n)


@given(problem=problems(max_n=6), seed=st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_additions_are_as_brute_force_says(problem: tuple[SimpleGraph, int, Constraints], seed: int) -> None:
    graph, k, limits = problem
    result = anonymize_under(graph, k, limits, seed=seed)
    fewest = fewest_changes(graph, k, result.constraints, deletions=False)
    assert (result.status == "infeasible") == (fewest is None)
    if fewest is not None:
        assert result.lower_bound <= fewest <= result.size
        assert result.status == "feasible" or result.size == fewest
        assert keeps_its_promises(graph, result) == []


@given(problem=problems(max_n=5), seed=st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_additions_and_deletions_are_as_brute_force_says(
    problem: tuple[SimpleGraph, int, Constraints], seed: int
) -> None:
    graph, k, limits = problem
    result = anonymize_under(graph, k, limits, allow={"add", "delete"}, seed=seed)
    fewest = fewest_changes(graph, k, result.constraints, deletions=True)
    assert (result.status == "infeasible") == (fewest is None)
    if fewest is not None:
        assert result.lower_bound <= fewest <= result.size
        assert result.status == "feasible" or result.size == fewest
        assert keeps_its_promises(graph, result) == []


@given(problem=problems(min_n=4, max_n=14), deletions=st.booleans(), plausible=st.booleans())
@settings(max_examples=60, deadline=None)
def test_without_the_integer_program_every_answer_still_holds(
    problem: tuple[SimpleGraph, int, Constraints], deletions: bool, plausible: bool
) -> None:
    graph, k, limits = problem
    allow = ("add", "delete") if deletions else ("add",)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_EXACT_ALWAYS", -1)
        patch.setattr(search, "_EXACT_WHEN_NOTHING_ELSE", -1)
        try:
            result = anonymize_under(graph, k, limits, allow=allow, plausible=plausible)
        except LimitReached:
            return
    if result.status == "infeasible":
        assert result.reason
        assert result.size == 0
    else:
        assert result.lower_bound <= result.size
        assert keeps_its_promises(graph, result) == []


LIMITS = {
    "subset": Constraints(subset=np.arange(0, 300, 5)),
    "forbidden edges": Constraints(forbidden_edges=np.array([(a, b) for a in range(12) for b in range(a)])),
    "forbidden vertices": Constraints(forbidden_vertices=np.arange(100, 300, 20)),
    "largest increase": Constraints(max_increase=25),
    "all at once": Constraints(
        subset=np.arange(0, 300, 2),
        forbidden_edges=np.array([(a, b) for a in range(6) for b in range(a)]),
        forbidden_vertices=np.arange(101, 300, 10),
        max_increase=40,
    ),
}


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the answer without limits cost little: it takes nearly all of the time, and has tests of its own."""
    monkeypatch.setattr(search, "anonymize", partial(anonymize, effort=0.2))


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("allow", [("add",), ("add", "delete")])
def test_larger_networks_get_a_valid_answer(name: str, allow: tuple[str, ...]) -> None:
    graph = scale_free(300, 3, seed=2)
    result = anonymize_under(graph, 5, LIMITS[name], allow=allow)
    assert result.status in ("optimal", "feasible")
    assert 0 < result.lower_bound <= result.size
    assert keeps_its_promises(graph, result) == []


@pytest.mark.parametrize("name", LIMITS)
def test_the_same_seed_gives_the_same_bits_on_every_view(name: str) -> None:
    graph = scale_free(300, 3, seed=2)
    half = SimpleGraph(graph.n, graph.edges[::2].copy())
    overlay = OverlayView(IgraphView.of(half), graph.edges[1::2].copy())
    answers = [
        anonymize_under(view, 5, LIMITS[name], allow=("add", "delete"), plausible=True, seed=7)
        for view in (graph, IgraphView.of(graph), overlay)
    ]
    for other in answers[1:]:
        assert np.array_equal(answers[0].added, other.added)
        assert np.array_equal(answers[0].deleted, other.deleted)
        assert answers[0].plausibility == other.plausibility


def test_without_limits_it_is_the_unconstrained_answer() -> None:
    graph = scale_free(200, 2, seed=1)
    plain = anonymize(graph, 4, seed=3)
    limited = anonymize_under(graph, 4, seed=3)
    assert limited.size <= plain.size
    assert limited.lower_bound >= plain.lower_bound


def test_a_later_version_holds_against_whoever_has_both() -> None:
    graph = scale_free(300, 3, seed=4)
    earlier = SimpleGraph(graph.n, graph.edges[: graph.m - 40].copy())
    first = anonymize(earlier, 4)
    trails = first.degrees_after(earlier.degrees())[:, None]
    alone = anonymize(graph, 4)
    both = np.column_stack((trails[:, 0], alone.degrees_after(graph.degrees())))
    assert np.unique(both, axis=0, return_counts=True)[1].min() < 4, "or the test shows nothing"
    result = anonymize_under(graph, 4, Constraints(earlier_degrees=trails))
    assert keeps_its_promises(graph, result) == []
    assert result.claim(graph.n).earlier == 1


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("seed", range(4))
def test_with_deletions_the_number_of_edges_stays_nearly_as_it_was(seed: int) -> None:
    graph = scale_free(400, 3, seed)
    added = anonymize_under(graph, 10)
    switched = anonymize_under(graph, 10, allow=("add", "delete"))
    assert abs(switched.added.shape[0] - switched.deleted.shape[0]) < added.size / 4
    assert keeps_its_promises(graph, switched) == []
    assert not switched.claim(graph.n).supergraph


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Constraints(forbidden_vertices=np.arange(5)), "5 vertices cannot be changed"),
        (Constraints(forbidden_vertices=np.array([0, 1, 2])), "3 vertices cannot be changed"),
        (Constraints(max_increase=1), "no degree may grow by more than 1"),
        (Constraints(earlier_degrees=np.array([[0], [0], [0], [0], [-1]])), "one list of degrees"),
        (Constraints(earlier_degrees=np.array([[0], [0], [1], [1], [1]])), ""),
    ],
)
def test_infeasible_says_why(limits: Constraints, reason: str) -> None:
    star = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)])
    result = anonymize_under(star, 2, limits)
    if reason:
        assert result.status == "infeasible"
        assert reason in result.reason
    else:
        assert keeps_its_promises(star, result) == []


def test_a_subset_that_is_anonymous_already_is_left_alone() -> None:
    star = SimpleGraph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)])
    result = anonymize_under(star, 3, Constraints(subset=np.array([1, 2, 3])))
    assert (result.status, result.size, result.lower_bound) == ("optimal", 0, 0)


def test_time_that_is_over_at_once_still_gives_an_answer() -> None:
    graph = scale_free(300, 3, seed=2)
    ticks = iter(range(10**9))
    result = anonymize_under(
        graph, 5, LIMITS["subset"], plausible=True, time_limit=0.5, clock=lambda: 0.0 if next(ticks) < 5 else 1.0
    )
    assert keeps_its_promises(graph, result) == []


@pytest.mark.parametrize("allow", ["add", ("delete",), (), ("add", "remove")])
def test_what_may_be_done_is_said_in_known_words(allow: object) -> None:
    with pytest.raises(InvalidInput, match="allow"):
        anonymize_under([(0, 1)], 2, allow=allow)  # type: ignore[arg-type]


def test_progress_tells_of_answers_as_they_come() -> None:
    told: list[tuple[str, int | None, int | None]] = []
    result = anonymize_under(scale_free(300, 3, seed=2), 5, LIMITS["subset"], progress=lambda *said: told.append(said))
    sizes = [size for phase, size, _ in told if phase == "realize" and size is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == result.size


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        ([1, 1, 2, 3, 3], "one list of degrees over the earlier versions is shared"),
        ([1, 2, 3, 3, 3], "2 lists of degrees over the earlier versions are each shared"),
    ],
)
def test_the_reason_counts_one_and_many(earlier: list[int], words: str) -> None:
    limits = Constraints(earlier_degrees=np.array(earlier)[:, None])
    result = anonymize_under([(0, 1), (1, 2), (3, 4)], 2, limits)
    assert result.status == "infeasible"
    assert words in result.reason
