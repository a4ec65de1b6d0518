"""The ways to get from one block sequence to another: which degrees are raised to which degrees."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.realization.mapping import DemandMap
from graphkit.networks.sequences.degree_raises import DegreeRaises, merge_raises, natural_raises

_Flow = tuple[tuple[int, int], ...]
"""Vertices on their way up, as (degree they come from, number), the lowest degree first."""


def transition_mappings(before: Ints, after: Ints) -> Iterator[DegreeRaises]:
    """Yield every way to raise the degrees of one block sequence to those of another, once each.

    The first one is that of :func:`~graphkit.networks.sequences.degree_raises.natural_raises`: a vertex is raised to
    the next block that needs it, and from a block the vertices that were there before are raised further. At a
    *transition block* other vertices go on in their place. Ways come by the number of transition blocks: none, every
    single one, every pair, … Parameters and errors as for `natural_raises`.

    Notes
    -----
    The numbers of vertices that pass each degree are fixed by the two sequences; a way says from which blocks they
    come. O(Δ) a way and number of transition blocks; there may be exponentially many ways.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, appendix A, phase 2.1.

    Examples
    --------
    >>> for raises in transition_mappings(np.array([3, 2, 1]), np.array([2, 2, 2])):
    ...     print(list(zip(raises.source.tolist(), raises.target.tolist())))
    [(0, 1), (1, 2)]
    [(0, 2)]
    """
    yield natural_raises(before, after)
    size = max(before.size, after.size)
    present, wanted = (np.pad(blocks, (0, size - blocks.size)) for blocks in (before, after))
    passing = np.cumsum(present - wanted)
    for transitions in range(1, size):
        found = False
        for raises in _with_transitions(present.tolist(), passing.tolist(), transitions):
            found = True
            yield raises
        if not found:
            return


def _with_transitions(present: list[int], passing: list[int], transitions: int) -> Iterator[DegreeRaises]:
    """Yield the ways with exactly `transitions` transition blocks, depth first with a stack of its own."""
    flows: list[_Flow] = [()]
    left = [transitions]
    choices = [_choices((), present[0], passing[0], 0)]
    while choices:
        step = next(choices[-1], None)
        place = len(choices) - 1
        rest = left[-1] - step[1] if step is not None else 0
        # whether enough blocks for the remaining ones can follow is not known, only that there are degrees
        if step is not None and 0 <= rest < len(present) - place:
            if place + 1 == len(present):
                if rest == 0:
                    yield _raises([*flows, step[0]], present)
                continue
            flows.append(step[0])
            left.append(rest)
            choices.append(_choices(step[0], present[place + 1], passing[place + 1], place + 1))
        elif step is None:
            flows.pop()
            left.pop()
            choices.pop()


def _choices(arriving: _Flow, native: int, passing: int, degree: int) -> Iterator[tuple[_Flow, bool]]:
    """Yield who passes a degree, the natural choice first, and whether it is another than that."""
    number = sum(count for _, count in arriving)
    other = False
    for natives in range(min(native, passing), max(passing - number, 0) - 1, -1):
        for flow in _taken(arriving, passing - natives):
            yield (*flow, (degree, natives)) if natives else flow, other
            other = True


def _taken(arriving: _Flow, number: int) -> Iterator[_Flow]:
    """Yield every choice of `number` from the arriving vertices, most from the highest degree first."""
    if number == 0 or not arriving:
        yield ()
        return
    *lower, (degree, count) = arriving
    below = sum(size for _, size in lower)
    for taken in range(min(count, number), max(number - below, 0) - 1, -1):
        for flow in _taken(tuple(lower), number - taken):
            yield (*flow, (degree, taken)) if taken else flow


def _raises(flows: list[_Flow], present: list[int]) -> DegreeRaises:
    """Return the degree raises of a way: who arrived at a degree and did not go on has reached its target."""
    rows: list[tuple[int, int, int]] = []
    for degree, (arriving, leaving) in enumerate(pairwise(flows)):
        gone = dict(leaving)
        rows.extend((source, degree, count - gone.get(source, 0)) for source, count in arriving)
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return merge_raises(table[:, 0], table[:, 1], table[:, 2])


def choose_at_random(view: GraphView, raises: DegreeRaises, rng: Rng) -> DemandMap:
    """Return a uniformly random choice of vertices for the degree raises.

    Parameters
    ----------
    view : GraphView
        The graph.
    raises : DegreeRaises
        How many vertices of which degree are raised by how much.
    rng : numpy.random.Generator
        Source of all randomness; consumed in the order of degrees.

    Notes
    -----
    Two queries to the view. The choice does not look at the edges, as in the paper;
    :func:`~graphkit.networks.realization.mapping.map_demands` does.
    """
    sources = np.unique(raises.source)
    vertices, demands = [], []
    for degree, block in zip(sources.tolist(), view.vertices_of_degrees(sources), strict=True):
        rows = raises.source == degree
        demand = np.repeat(raises.target[rows] - degree, raises.count[rows])
        vertices.append(rng.choice(block, demand.size, replace=False))
        demands.append(demand)
    chosen = np.concatenate(vertices) if vertices else np.empty(0, dtype=np.int64)
    order = np.argsort(chosen)
    chosen = chosen[order]
    needed = np.concatenate(demands)[order] if demands else np.empty(0, dtype=np.int64)
    return DemandMap.of(view, chosen, needed)
