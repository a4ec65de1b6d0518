"""Oracles and inputs for anonymization under constraints."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.networks import ConstrainedAnonymization, Constraints, SimpleGraph, verify_release
from tests.support.strategies import graphs

__all__ = ["fewest_changes", "keeps_its_promises", "problems", "released_edges"]


def fewest_changes(graph: SimpleGraph, k: int, limits: Constraints, *, deletions: bool) -> int | None:
    """Return the least number of added and deleted edges by trying all, or None when there is no answer."""
    present = {(a, b) for a, b in graph.edges.tolist()}
    never = set() if limits.forbidden_edges is None else {(a, b) for a, b in limits.forbidden_edges.tolist()}
    fixed = set() if limits.forbidden_vertices is None else set(limits.forbidden_vertices.tolist())
    pairs = [
        pair
        for pair in combinations(range(graph.n), 2)
        if not fixed & set(pair) and (deletions if pair in present else pair not in never)
    ]
    members = list(range(graph.n)) if limits.subset is None else limits.subset.tolist()
    choices = _choices(len(pairs))
    effect = np.zeros((len(pairs), graph.n), dtype=np.int64)
    for row, pair in zip(effect, pairs, strict=True):
        row[list(pair)] = -1 if pair in present else 1
    change = choices @ effect
    valid = np.ones(choices.shape[0], dtype=bool)
    if limits.max_increase is not None:
        valid &= change.max(axis=1) <= limits.max_increase
    after = change + graph.degrees()
    earlier = limits.earlier_degrees
    for v in members:
        alike = [w for w in members if earlier is None or np.array_equal(earlier[w], earlier[v])]
        valid &= (after[:, alike] == after[:, [v]]).sum(axis=1) >= k
    return int(choices[valid].sum(axis=1).min()) if valid.any() else None


@lru_cache(maxsize=32)
def _choices(number: int) -> NDArray[np.int64]:
    """Return every choice among so many pairs, shape (2^number, number)."""
    return np.array(list(product((0, 1), repeat=number)), dtype=np.int64).reshape(2**number, number)


def released_edges(graph: SimpleGraph, result: ConstrainedAnonymization) -> NDArray[np.int64]:
    """Return the edges after the change, without looking at what the engine thinks of them."""
    gone = {(a, b) for a, b in result.deleted.tolist()}
    kept = [edge for edge in graph.edges.tolist() if tuple(edge) not in gone]
    return np.array(kept + result.added.tolist(), dtype=np.int64).reshape(-1, 2)


def keeps_its_promises(graph: SimpleGraph, result: ConstrainedAnonymization) -> list[str]:
    """Return the names of the checks of the independent verifier that fail."""
    published = np.random.default_rng(graph.n).permutation(graph.n)
    verification = verify_release(
        result.claim(graph.n),
        published[released_edges(graph, result)],
        np.arange(graph.n),
        graph,
        published,
        result.terms(),
    )
    return [check.name for check in verification.checks if not check.passed]


@st.composite
def problems(draw: st.DrawFn, min_n: int = 2, max_n: int = 6) -> tuple[SimpleGraph, int, Constraints]:
    """Graphs with a block size and constraints of any kind, several at once."""
    graph = draw(graphs(min_n=min_n, max_n=max_n))
    k = draw(st.integers(2, min(graph.n, 4)))
    vertices = st.lists(st.integers(0, graph.n - 1), unique=True)
    pairs = st.sampled_from(list(combinations(range(graph.n), 2)))
    said: dict[str, object] = {}
    if draw(st.booleans()):
        said["forbidden_edges"] = np.array(draw(st.lists(pairs, unique=True)), dtype=np.int64).reshape(-1, 2)
    if draw(st.booleans()):
        said["forbidden_vertices"] = np.array(draw(vertices), dtype=np.int64)
    if draw(st.booleans()):
        said["max_increase"] = draw(st.integers(0, 4))
    if draw(st.booleans()):
        subset = draw(st.lists(st.integers(0, graph.n - 1), unique=True, min_size=k))
        said["subset"] = np.array(sorted(subset), dtype=np.int64)
    if draw(st.integers(0, 3)) == 0:
        columns = draw(st.lists(st.integers(-1, 0), min_size=graph.n, max_size=graph.n))
        said["earlier_degrees"] = np.array(columns, dtype=np.int64)[:, None]
    return graph, k, Constraints(**said)  # type: ignore[arg-type]
