"""Measure one graph, or hold two against each other."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.aspect import Differences, Subject
from graphkit.networks.utility.measure import Comparison, Measure, Utility
from graphkit.networks.utility.registry import ASPECTS, QUICK, choose_aspects


def utility(
    graph: SimpleGraph, *, seed: int | np.random.Generator = 0, sample: int = 64, aspects: Sequence[str] = QUICK
) -> Utility:
    """Return what an analyst would find in a graph.

    Parameters
    ----------
    graph : SimpleGraph
        The graph.
    seed : int or numpy.random.Generator, optional
        Chooses the sources of sampled figures and the order of the search for communities.
    sample : int, optional
        Number of those sources, at least 2.
    aspects : sequence of str, optional
        Names in :data:`~graphkit.networks.utility.ASPECTS`; by default those that are quick: degrees (mean, largest,
        assortativity), clustering (global: transitivity; local: mean over vertices of degree at least 2), components,
        path lengths (mean and effective diameter over connected pairs), core numbers.

    Raises
    ------
    InvalidInput
        If `sample` is below 2 or there is no aspect of a name.

    Notes
    -----
    Triangles O(m^1.5). Path lengths are exact, O(n·m), up to 20 000 vertices while n·m is at most 4·10⁸; on larger
    graphs they are estimated from random sources, O(m) each, with a standard error. docs/utility.md defines every
    figure.

    Examples
    --------
    >>> figures = utility(SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    >>> round(figures["global clustering"].value, 3), figures["components"].value
    (0.6, 1.0)
    """
    chosen = choose_aspects(aspects)
    (subject,) = _subjects((graph,), seed, sample)
    figures = (ASPECTS[name].figures(ASPECTS[name].measure(subject)) for name in chosen)
    return Utility(tuple(measure for group in figures for measure in group))


def compare(
    original: SimpleGraph,
    released: SimpleGraph,
    *,
    published: Ints | None = None,
    seed: int | np.random.Generator = 0,
    sample: int = 64,
    aspects: Sequence[str] = QUICK,
) -> Comparison:
    """Return how much of an original a released graph keeps.

    Parameters
    ----------
    original, released : SimpleGraph
        The two graphs.
    published : ndarray of int64, shape (n,), optional
        ``published[v]`` is the released id of the original's vertex v. With it the two are also compared vertex by
        vertex, and sampled figures have the same sources in both; without it figures and distributions are compared.
    seed, sample, aspects : optional
        As :func:`utility`.

    Raises
    ------
    InvalidInput
        As :func:`utility`; or if `published` does not map the vertices one to one.

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2)])
    >>> moved = SimpleGraph.from_edges([(2, 0), (0, 1)])
    >>> found = compare(path, moved, published=np.array([2, 0, 1]))
    >>> [d.value for d in found.distances], [a.value for a in found.agreements]
    ([0.0, 0.0, 0.0, 0.0], [1.0])
    """
    chosen = choose_aspects(aspects)
    paired = published is not None
    if published is not None:
        released = _under_original_ids(original, released, published)
    first, second = _subjects((original, released), seed, sample)
    before: list[Measure] = []
    after: list[Measure] = []
    differences: list[Differences] = []
    for name in chosen:
        aspect = ASPECTS[name]
        found = aspect.measure(first), aspect.measure(second)
        before.extend(aspect.figures(found[0]))
        after.extend(aspect.figures(found[1]))
        differences.append(aspect.differences(*found, paired))
    return Comparison(
        Utility(tuple(before)),
        Utility(tuple(after)),
        tuple(distance for each in differences for distance in each.distances),
        tuple(agreement for each in differences for agreement in each.agreements),
        paired,
    )


def _subjects(graphs: Sequence[SimpleGraph], seed: int | np.random.Generator, sample: int) -> list[Subject]:
    """Return graphs to measure with one seed, so that every aspect and each of them draws from the same one."""
    if sample < 2:
        raise InvalidInput(f"sample ({sample}) must be at least 2")
    number = int(seed.integers(2**63 - 1)) if isinstance(seed, np.random.Generator) else seed
    return [Subject(graph, number, sample, max(graph.m for graph in graphs)) for graph in graphs]


def _under_original_ids(original: SimpleGraph, released: SimpleGraph, published: Ints) -> SimpleGraph:
    n = original.n
    if released.n != n or not np.array_equal(np.sort(published), np.arange(n)):
        raise InvalidInput("the relabelling does not map the vertices of the original to those of the release")
    vertex_of = np.empty(n, dtype=np.int64)
    vertex_of[published] = np.arange(n)
    return SimpleGraph.from_edges(vertex_of[released.edges], n)
