"""The cycle of least weight that begins at a group and visits others in the order of ranks, and what is known of it."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import fast_kernel


class Room(NamedTuple):
    """Memory for the graph of some groups, used again for every group that cycles begin at.

    Nodes stand in the order of ranks: the records of a group, then the group itself.
    """

    nodes: Ints
    """Record, or −1 − g for the group g, shape (nodes,)."""
    ranks: Ints
    """Rank of the group of every node, shape (nodes,)."""
    first: Ints
    """First node of every rank, and the end, shape (groups + 1,)."""
    attributes: Floats
    """Attributes of every node, shape (d, nodes)."""
    far: Floats
    """Squared distance of every node to the mean of every group, shape (groups, nodes)."""
    weights: Floats
    """Weight of the edge to a node from those of lower ranks, shape (nodes, nodes)."""
    closing: Floats
    """Weight of the edge to every node of the first group, shape (records and 1, nodes)."""
    back: Floats
    """What a path from a node to any of the first group weighs at least, shape (nodes,)."""
    cost: Floats
    before: Ints
    live: Ints


def new_room(groups: int, size: int, d: int) -> Room:
    """Return memory for so many groups of at most `size` records of d attributes."""
    most = groups * (size + 1)
    return Room(
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(groups + 1, dtype=np.int64),
        np.empty((d, most)),
        np.empty((groups, most)),
        np.empty((most, most)),
        np.empty((size + 1, most)),
        np.empty(most),
        np.empty(most),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@fast_kernel
def apply_cycles(
    points: Floats,
    k: int,
    members: Ints,
    sizes: Ints,
    means: Floats,
    near: Ints,
    order: Ints,
    fresh: Bools,
    tolerance: float,
    room: Room,
    labels: Ints,
    changed: Bools,
) -> tuple[int, int]:
    """Apply the cycle of least weight from every group in order, if it gains; return how many, and the edges."""
    ranked = np.empty(near.shape[1] + 1, dtype=np.int64)
    cycle = np.empty(near.shape[1] + 1, dtype=np.int64)
    applied, edges = 0, 0
    for start in order:
        if changed[start]:
            continue
        is_fresh = fresh[start]
        ranked[0] = start
        count = 1
        for group in near[start]:
            is_fresh = is_fresh or fresh[group]
            if not changed[group]:
                ranked[count] = group
                count += 1
        if not is_fresh or count < 2:
            continue
        length, _, looked = least_cycle(points, k, members, sizes, means, ranked[:count], tolerance, room, cycle)
        edges += looked
        if length:
            rotate(labels, cycle[:length], changed)
            applied += 1
    return applied, edges


@fast_kernel
def rotate(labels: Ints, cycle: Ints, changed: Bools) -> None:
    """Let every node of a cycle take the place of the next one; −1 − g stands for the group g."""
    node = cycle[0]
    opening = -1 - node if node < 0 else labels[node]
    for at in range(cycle.size):
        node = cycle[at]
        target = opening
        if at + 1 < cycle.size:
            following = cycle[at + 1]
            target = -1 - following if following < 0 else labels[following]
        changed[target] = True
        if node >= 0:
            labels[node] = target


@fast_kernel
def least_cycle(
    points: Floats,
    k: int,
    members: Ints,
    sizes: Ints,
    means: Floats,
    ranked: Ints,
    tolerance: float,
    room: Room,
    cycle: Ints,
) -> tuple[int, float, int]:
    """Fill in the cycle of least weight through the first group; return its length, its weight, and the edges.

    The length is 0 if no cycle weighs less than −tolerance.

    Notes
    -----
    First one pass backwards over all edges, with the records of the first group as one node: a path from a node back to
    *any* of them weighs at least `back`. So a path forwards from one of them is given up where its weight and this are
    no gain together, which leaves few. O(N² d) for N nodes, most of it on squared distances of records.
    """
    count = _lay_out(points, members, sizes, means, ranked, room)
    sources = room.first[1]
    _measure(means, ranked, count, room)
    edges = _weigh_backwards(k, sizes, ranked, count, room)
    back = room.back
    least, length = -tolerance, 0
    is_done = np.zeros(sources, dtype=np.bool_)
    for _ in range(sources):
        source = -1
        for other in range(sources):
            if not is_done[other] and back[other] < least and (source < 0 or back[other] < back[source]):
                source = other
        if source < 0:
            break
        is_done[source] = True
        least, length = _least_from(source, count, room, least, length, cycle)
    return length, least, edges


@fast_kernel
def _lay_out(points: Floats, members: Ints, sizes: Ints, means: Floats, ranked: Ints, room: Room) -> int:
    d = points.shape[1]
    count = 0
    for rank in range(ranked.size):
        group = ranked[rank]
        room.first[rank] = count
        for at in range(sizes[group] + 1):
            is_record = at < sizes[group]
            node = members[group, at] if is_record else -1 - group
            room.nodes[count], room.ranks[count] = node, rank
            for t in range(d):
                room.attributes[t, count] = points[node, t] if is_record else means[group, t]
            count += 1
    room.first[ranked.size] = count
    return count


@fast_kernel
def _measure(means: Floats, ranked: Ints, count: int, room: Room) -> None:
    for rank in range(ranked.size):
        # edges into a group come from lower ranks, those into the first one from all
        end = room.first[rank + 1] if rank else count
        _squares(room.attributes, means[ranked[rank]], end, room.far[rank])


@fast_kernel
def _squares(attributes: Floats, center: Floats, end: int, squares: Floats) -> None:
    """Fill in the squared distances of the first nodes to a place; the loop over nodes is inside, for the processor."""
    for at in range(end):
        squares[at] = 0.0
    for t in range(center.size):
        row, value = attributes[t], center[t]
        for at in range(end):
            step = row[at] - value
            squares[at] += step * step


@fast_kernel
def _weigh(k: int, size: int, node: int, rank: int, begin: int, end: int, room: Room, weights: Floats) -> None:
    """Fill in the weights of the edges to a node, which is of a group of that rank and size, from some nodes.

    Equation 8. R1 is |one − mean|² − |other − mean|² − |one − other|² / s as well: equation 3 multiplied out.
    """
    far, nodes = room.far[rank], room.nodes
    if nodes[node] < 0:
        share = size / (size + 1.0) if size < 2 * k - 1 else np.inf
        for at in range(begin, end):
            # the group itself does not come into another one
            weights[at] = np.inf if nodes[at] < 0 or size >= 2 * k - 1 else far[at] * share
        return
    _squares(room.attributes, room.attributes[:, node].copy(), end, weights)
    own = far[node]
    for at in range(begin, end):
        weights[at] = far[at] - own - weights[at] / size
    leaving = -own * size / (size - 1.0) if size > k else np.inf
    for other in range(room.ranks[begin], room.ranks[end - 1] + 1):
        last = room.first[other + 1] - 1
        if last < end:
            weights[last] = leaving


@fast_kernel
def _weigh_backwards(k: int, sizes: Ints, ranked: Ints, count: int, room: Room) -> int:
    """Fill in all weights, and what a path back weighs at least; return the number of edges."""
    first, back = room.first, room.back
    sources = first[1]
    for at in range(count):
        back[at] = np.inf
    for source in range(sources):
        row = room.closing[source]
        _weigh(k, sizes[ranked[0]], source, 0, sources, count, room, row)
        for at in range(sources, count):
            back[at] = min(back[at], row[at])
    edges: int = sources * (count - sources)
    for to in range(count - 1, sources - 1, -1):
        rank = room.ranks[to]
        end = first[rank]
        row, least = room.weights[to], back[to]
        _weigh(k, sizes[ranked[rank]], to, rank, 0, end, room, row)
        edges += end
        for at in range(end):
            back[at] = min(back[at], row[at] + least)
    return edges


@fast_kernel
def _least_from(source: int, count: int, room: Room, least: float, length: int, cycle: Ints) -> tuple[float, int]:
    """Fill in the cycle of least weight through a node of the first group, if it weighs less than the least so far."""
    first, ranks, cost, before, live = room.first, room.ranks, room.cost, room.before, room.live
    cost[source], before[source] = 0.0, -1
    live[0] = source
    # nodes that lead on: those of lower ranks than the one that is looked at come first
    lower, alive, rank = 0, 1, 0
    for to in range(first[1], count):
        if ranks[to] != rank:
            rank, lower = ranks[to], alive
        row, best, by = room.weights[to], np.inf, -1
        for place in range(lower):
            at = live[place]
            if cost[at] + row[at] < best:
                best, by = cost[at] + row[at], at
        if best + room.back[to] >= least:
            continue
        cost[to], before[to] = best, by
        live[alive] = to
        alive += 1
        closed = best + room.closing[source, to]
        if closed < least:
            least, length = closed, 0
            step = to
            while step >= 0:
                cycle[length] = room.nodes[step]
                length += 1
                step = before[step]
            for place in range(length // 2):
                other = length - 1 - place
                cycle[place], cycle[other] = cycle[other], cycle[place]
    return least, length
