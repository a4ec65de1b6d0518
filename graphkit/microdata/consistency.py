"""Which generalized records are consistent with which originals, from their values alone, by an index of originals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import LimitReached
from graphkit.kernels import kernel
from graphkit.microdata.generalization.attribute import Attribute

_WORD = 62
_LEAF = 4
MOST_EDGES = 200_000_000
"""Pairs of different generalized records and different originals that are held at once: 1.6 GB."""


class Consistency(NamedTuple):
    """The bipartite graph of classes: generalized records that are equal are one, and originals that are equal."""

    extent_of: Ints
    """Class of every generalized record."""
    extents: Ints
    """Generalized records in every class of them, shape (e,)."""
    original_of: Ints
    """Class of every original."""
    originals: Ints
    """Originals in every class of them, shape (o,)."""
    offsets: Ints
    """Where the consistent originals of a class of generalized records begin in `found`; shape (e + 1,)."""
    found: Ints
    """Classes of originals."""


def consistency(attributes: Sequence[Attribute], published: Ints, codes: Ints) -> Consistency:
    """Return which generalized records cover which originals.

    Parameters
    ----------
    attributes : sequence of Attribute
    published : ndarray of int, shape (m, width)
        Generalized records: for each attribute in turn, of a range the number of its first and last value, of a set
        words of 62 bits each, of a tree a node.
    codes : ndarray of int, shape (n, d)
        Originals as numbers of values.

    Raises
    ------
    LimitReached
        If there are more than :data:`MOST_EDGES` pairs of classes.

    Notes
    -----
    The originals are in a k-d tree whose nodes know the values below them. O(o d log o) for the tree; a generalized
    record visits only nodes that have a value of it in every attribute, and takes those whole that have no other.
    """
    cells, extent_of, extents = np.unique(published, axis=0, return_inverse=True, return_counts=True)
    records, original_of, originals = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    points, low, high, sets, words = _plain(attributes, cells, records)
    tree = _tree(points, words, np.array([1.0 / attribute.size for attribute in attributes]))
    counts = _covered(tree, points, words, low, high, sets, np.empty(0, np.int64), np.empty(0, np.int64))
    offsets = np.concatenate(([0], np.cumsum(counts)))
    if offsets[-1] > MOST_EDGES:
        raise LimitReached(
            f"the generalized records are consistent with originals in {int(offsets[-1])} ways, more than are compared"
        )
    found = np.empty(int(offsets[-1]), dtype=np.int64)
    _covered(tree, points, words, low, high, sets, offsets, found)
    return Consistency(extent_of.reshape(-1), extents, original_of.reshape(-1), originals, offsets, found)


class _Tree(NamedTuple):
    order: Ints
    begins: Ints
    ends: Ints
    child: Ints
    """First of the two children, which follow each other; −1 for a leaf."""
    low: Ints
    high: Ints
    sets: Ints
    """Of each attribute that is a set, the values below a node: words of bits side by side."""


def _plain(attributes: Sequence[Attribute], cells: Ints, records: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return originals as points, generalized records as intervals and sets, and where the words of a set begin.

    The values of a tree are put into the order in which the tree has them, so that each node is an interval.
    """
    points, bounds, sets, words = records.copy(), [], [], [0]
    at = 0
    for place, attribute in enumerate(attributes):
        if attribute.kind == "range":
            bounds.append((cells[:, at], cells[:, at + 1]))
            at += 2
        elif attribute.kind == "tree":
            rank, first, last = _ranks(attribute)
            points[:, place] = rank[records[:, place]]
            bounds.append((first[cells[:, at]], last[cells[:, at]]))
            at += 1
        else:
            count = -(-attribute.size // _WORD)
            none = np.zeros(cells.shape[0], dtype=np.int64)
            bounds.append((none, none + attribute.size - 1))
            sets.append(cells[:, at : at + count])
            at += count
        words.append(sum(part.shape[1] for part in sets))
    low, high = (np.ascontiguousarray(np.stack(side, axis=1)) for side in zip(*bounds, strict=True))
    bits = np.concatenate(sets, axis=1) if sets else np.empty((cells.shape[0], 0), dtype=np.int64)
    return points, low, high, np.ascontiguousarray(bits), np.array(words)


def _ranks(attribute: Attribute) -> tuple[Ints, Ints, Ints]:
    """Return the place of every value in the order of the tree, and the first and last place below every node."""
    nodes, size = attribute.parents.size, attribute.size
    children: list[list[int]] = [[] for _ in range(nodes)]
    root = 0
    for node, parent in enumerate(attribute.parents.tolist()):
        if parent == node:
            root = node
        else:
            children[parent].append(node)
    rank, first, last = np.zeros(size, np.int64), np.full(nodes, nodes, np.int64), np.full(nodes, -1, np.int64)
    stack, met, place = [root], [], 0
    while stack:
        node = stack.pop()
        met.append(node)
        if node < size:
            rank[node] = first[node] = last[node] = place
            place += 1
        stack.extend(reversed(children[node]))
    for node in reversed(met):
        parent = attribute.parents[node]
        first[parent], last[parent] = min(first[parent], first[node]), max(last[parent], last[node])
    return rank, first, last


def _tree(points: Ints, words: Ints, shares: np.ndarray) -> _Tree:
    count, d = points.shape
    most = 2 * max(count, 1)
    begins, ends, child = (np.zeros(most, dtype=np.int64) for _ in range(3))
    low, high = (np.zeros((most, d), dtype=np.int64) for _ in range(2))
    sets = np.zeros((most, int(words[-1])), dtype=np.int64)
    parts = _Tree(np.arange(count), begins, ends, child, low, high, sets)
    used = _build(parts, points, words, shares)
    return _Tree(parts.order, *(part[:used] for part in parts[1:]))


@kernel
def _build(tree: _Tree, points: Ints, words: Ints, shares: np.ndarray) -> int:
    d = points.shape[1]
    tree.begins[0], tree.ends[0] = 0, points.shape[0]
    used, node = 1, 0
    spare = np.empty_like(tree.order)
    # nodes are numbered as they are made, so each is treated after its parent
    while node < used:
        begin, end = tree.begins[node], tree.ends[node]
        best, widest, cut = -1, 0.0, 0
        for t in range(d):
            low, high = points[tree.order[begin], t], points[tree.order[begin], t]
            total, squares = 0.0, 0.0
            for index in range(begin, end):
                code = points[tree.order[index], t]
                low, high = min(low, code), max(high, code)
                total += code
                squares += float(code) * code
                if words[t + 1] > words[t]:
                    tree.sets[node, words[t] + code // _WORD] |= np.int64(1) << np.int64(code % _WORD)
            tree.low[node, t], tree.high[node, t] = low, high
            mean = total / (end - begin)
            wide = (squares / (end - begin) - mean * mean) * shares[t] * shares[t]
            if low < high and (best < 0 or wide > widest):
                # those up to the mean to one side: there is one above it
                best, widest, cut = t, wide, min(int(mean), high - 1)
        tree.child[node] = -1
        if end - begin > _LEAF and best >= 0:
            left, right = begin, 0
            for index in range(begin, end):
                record = tree.order[index]
                if points[record, best] <= cut:
                    tree.order[left] = record
                    left += 1
                else:
                    spare[right] = record
                    right += 1
            tree.order[left:end] = spare[:right]
            tree.child[node] = used
            tree.begins[used], tree.ends[used] = begin, left
            tree.begins[used + 1], tree.ends[used + 1] = left, end
            used += 2
        node += 1
    return used


@kernel
def _covered(
    tree: _Tree, points: Ints, words: Ints, low: Ints, high: Ints, sets: Ints, offsets: Ints, found: Ints
) -> Ints:
    """Return how many originals each extent covers, and write them down if there is room for them."""
    d = points.shape[1]
    counts = np.zeros(low.shape[0], dtype=np.int64)
    stack = np.empty(tree.child.size + 1, dtype=np.int64)
    for extent in range(low.shape[0]):
        stack[0], depth = 0, 1
        while depth and points.shape[0]:
            depth -= 1
            node = stack[depth]
            meets, whole = True, True
            for t in range(d):
                if tree.high[node, t] < low[extent, t] or tree.low[node, t] > high[extent, t]:
                    meets = False
                    break
                whole &= low[extent, t] <= tree.low[node, t] and tree.high[node, t] <= high[extent, t]
                if words[t + 1] > words[t]:
                    common, other = np.int64(0), np.int64(0)
                    for word in range(words[t], words[t + 1]):
                        common |= tree.sets[node, word] & sets[extent, word]
                        other |= tree.sets[node, word] & ~sets[extent, word]
                    if not common:
                        meets = False
                        break
                    whole &= not other
            if not meets:
                continue
            if tree.child[node] >= 0 and not whole:
                stack[depth], stack[depth + 1] = tree.child[node] + 1, tree.child[node]
                depth += 2
                continue
            for index in range(tree.begins[node], tree.ends[node]):
                if whole or _is_covered(points[tree.order[index]], words, low[extent], high[extent], sets[extent]):
                    if found.size:
                        found[offsets[extent] + counts[extent]] = tree.order[index]
                    counts[extent] += 1
    return counts


@kernel
def _is_covered(point: Ints, words: Ints, low: Ints, high: Ints, bits: Ints) -> bool:
    for t in range(point.size):
        if point[t] < low[t] or point[t] > high[t]:
            return False
        if words[t + 1] > words[t] and not (bits[words[t] + point[t] // _WORD] >> np.int64(point[t] % _WORD)) & 1:
            return False
    return True
