"""Extents: what a generalized record stands for in every attribute, as a row of whole numbers that kernels join."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.kernels import kernel
from graphkit.microdata.generalization.attribute import Attribute

RANGE, SET, TREE = 0, 1, 2
_KINDS = {"range": RANGE, "set": SET, "tree": TREE}
WORD = 62
"""Values of a set in a number of an extent: its bits, without the two highest."""


class Layout(NamedTuple):
    """Where an extent has what, for kernels; weights sum to 1, so that the loss of a record is between 0 and 1.

    An extent is a row of `width` numbers: of a range the first and the last value, of a set words of bits, of a tree
    a node.
    """

    kinds: Ints
    """Shape (d,)."""
    offsets: Ints
    """Where the numbers of an attribute begin in an extent; shape (d + 1,), the last one is the width."""
    weights: Floats
    """Shape (d,)."""
    starts: Ints
    """Where an attribute begins in `scale`, shape (d,)."""
    scale: Floats
    """Of a range, every value by the length of the domain, and what is missing as −1; of a set, NCP by size; of a tree,
    NCP by node."""
    nodes: Ints
    """Where an attribute begins in `parents` and `depths`, shape (d,)."""
    parents: Ints
    depths: Ints


def layout_of(attributes: Sequence[Attribute]) -> Layout:
    """Return where extents of some attributes have what."""
    kinds = np.array([_KINDS[attribute.kind] for attribute in attributes], dtype=np.int64)
    widths = [_width(attribute) for attribute in attributes]
    weights = np.array([attribute.weight for attribute in attributes])
    scales = [_scale(attribute) for attribute in attributes]
    trees = [attribute.parents for attribute in attributes]
    none = np.empty(0, dtype=np.int64)
    return Layout(
        kinds,
        np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
        weights / weights.sum(),
        np.cumsum([0, *map(len, scales)])[:-1].astype(np.int64),
        np.concatenate(scales),
        np.cumsum([0, *map(len, trees)])[:-1].astype(np.int64),
        np.concatenate([none, *trees]),
        np.concatenate([none, *(attribute.depths for attribute in attributes)]),
    )


def check_codes(attributes: Sequence[Attribute], codes: Ints) -> None:
    """Refuse codes that are no values of the domains.

    Raises
    ------
    InvalidInput
        If there is not a column for each attribute, or a number lies outside of a domain.
    """
    if codes.ndim != 2 or codes.shape[1] != len(attributes):
        raise InvalidInput(f"records must be a table with a column for each of the {len(attributes)} attributes")
    for place, attribute in enumerate(attributes):
        column = codes[:, place]
        if column.size and not (column.min() >= 0 and column.max() < attribute.size):
            raise InvalidInput(f"attribute {place + 1} has a value that is not in its domain")


def extents_of(layout: Layout, codes: Ints) -> Ints:
    """Return the extents of single records, shape (n, width)."""
    return np.asarray(_single(layout, codes), dtype=np.int64)


def losses_of(layout: Layout, extents: Ints) -> Floats:
    """Return the loss of every extent: the weighted mean of the NCP of its attributes; shape (n,).

    Their mean is GCP, the global certainty penalty.
    """
    return np.asarray(_losses(layout, extents), dtype=np.float64)


def joined(layout: Layout, codes: Ints, covered: Ints) -> Ints:
    """Return the least extents that cover given records.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
    covered : ndarray of int, shape (m, k)
        Records that each of m extents covers.

    Notes
    -----
    O(m k d), by the depth of a tree.
    """
    return np.asarray(_joined(layout, codes, covered), dtype=np.int64)


@kernel
def join(layout: Layout, extent: Ints, codes: Ints) -> None:
    """Widen an extent until it covers a record."""
    for t in range(layout.kinds.size):
        at, code = layout.offsets[t], codes[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            extent[at] = min(extent[at], code)
            extent[at + 1] = max(extent[at + 1], code)
        elif kind == SET:
            extent[at + code // WORD] |= np.int64(1) << np.int64(code % WORD)
        else:
            extent[at] = common(layout, t, extent[at], code)


@kernel
def loss_with(layout: Layout, extent: Ints, codes: Ints) -> float:
    """Return the loss that an extent would have if it covered a record as well."""
    total = 0.0
    for t in range(layout.kinds.size):
        at, code, start = layout.offsets[t], codes[t], layout.starts[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            first, last = min(extent[at], code), max(extent[at + 1], code)
            total += layout.weights[t] * length(layout, start, first, last)
        elif kind == SET:
            count = 0
            for word in range(at, layout.offsets[t + 1]):
                count += ones(extent[word])
            if not (extent[at + code // WORD] >> np.int64(code % WORD)) & 1:
                count += 1
            total += layout.weights[t] * layout.scale[start + count]
        else:
            total += layout.weights[t] * layout.scale[start + common(layout, t, extent[at], code)]
    return total


@kernel
def loss(layout: Layout, extent: Ints) -> float:
    """Return the loss of an extent."""
    total = 0.0
    for t in range(layout.kinds.size):
        at, start = layout.offsets[t], layout.starts[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            total += layout.weights[t] * length(layout, start, extent[at], extent[at + 1])
        elif kind == SET:
            count = 0
            for word in range(at, layout.offsets[t + 1]):
                count += ones(extent[word])
            total += layout.weights[t] * layout.scale[start + count]
        else:
            total += layout.weights[t] * layout.scale[start + extent[at]]
    return total


@kernel
def length(layout: Layout, start: int, first: int, last: int) -> float:
    """Return NCP of a range, given where its attribute begins in the scale; with what is missing, that of them all."""
    low, high = float(layout.scale[start + first]), float(layout.scale[start + last])
    return -low if low < 0.0 and last > first else high - low


@kernel
def covers(layout: Layout, extent: Ints, codes: Ints) -> bool:
    """Return whether an extent covers a record."""
    for t in range(layout.kinds.size):
        at, code = layout.offsets[t], codes[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            if code < extent[at] or code > extent[at + 1]:
                return False
        elif kind == SET:
            if not (extent[at + code // WORD] >> np.int64(code % WORD)) & 1:
                return False
        elif common(layout, t, extent[at], code) != extent[at]:
            return False
    return True


@kernel
def ones(word: int) -> int:
    """Return how many bits of a word are set."""
    count = 0
    while word:
        word &= word - 1
        count += 1
    return count


@kernel
def common(layout: Layout, t: int, one: int, other: int) -> int:
    """Return the lowest common ancestor of two nodes of an attribute's tree."""
    start = layout.nodes[t]
    while one != other:
        if layout.depths[start + one] >= layout.depths[start + other]:
            one = layout.parents[start + one]
        else:
            other = layout.parents[start + other]
    return one


@kernel
def put(layout: Layout, extent: Ints, codes: Ints) -> None:
    """Make an extent that of one record."""
    for t in range(layout.kinds.size):
        at, code = layout.offsets[t], codes[t]
        kind = layout.kinds[t]
        if kind == RANGE:
            extent[at] = code
            extent[at + 1] = code
        elif kind == SET:
            for word in range(at, layout.offsets[t + 1]):
                extent[word] = 0
            extent[at + code // WORD] = np.int64(1) << np.int64(code % WORD)
        else:
            extent[at] = code


@kernel
def _single(layout: Layout, codes: Ints) -> Ints:
    found = np.empty((codes.shape[0], layout.offsets[-1]), dtype=np.int64)
    for i in range(codes.shape[0]):
        put(layout, found[i], codes[i])
    return found


@kernel
def _losses(layout: Layout, extents: Ints) -> Floats:
    found = np.empty(extents.shape[0])
    for i in range(extents.shape[0]):
        found[i] = loss(layout, extents[i])
    return found


@kernel
def _joined(layout: Layout, codes: Ints, covered: Ints) -> Ints:
    found = np.empty((covered.shape[0], layout.offsets[-1]), dtype=np.int64)
    for i in range(covered.shape[0]):
        put(layout, found[i], codes[covered[i, 0]])
        for place in range(1, covered.shape[1]):
            join(layout, found[i], codes[covered[i, place]])
    return found


def _width(attribute: Attribute) -> int:
    return {"range": 2, "set": -(-attribute.size // WORD), "tree": 1}[attribute.kind]


def _scale(attribute: Attribute) -> Floats:
    if attribute.kind == "range":
        numbers = attribute.numbers[attribute.has_missing :]
        if not numbers.size:
            return np.zeros(1)
        reach = float(numbers[-1] - numbers[0])
        places = np.asarray((numbers - numbers[0]) / (reach or 1.0))
        return np.concatenate(([-1.0], places)) if attribute.has_missing else places
    return attribute.losses if attribute.kind == "set" else attribute.losses[attribute.leaves]
