"""Edges in their order, sorted here: a range of them at a time, the others on the disk meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from auditor.formats.edge_tables.parquet import Pairs
from graphkit.arrays import Ints

# an edge is one number: its lower end is the upper bits; Spark numbers at most 2³¹ vertices
_BITS = 31
_MASK = (1 << _BITS) - 1
_SORTED_AT_ONCE = 1 << 24
_ROWS = 1 << 17


def in_order(
    pieces: Iterable[Pairs], n: int, count: int, folder: Path, *, at_once: int = _SORTED_AT_ONCE
) -> Iterator[Pairs]:
    """Yield edges with their lower end first, ascending.

    Parameters
    ----------
    pieces : iterable of (ndarray, ndarray) of int64
        Ends of edges between `n` vertices under fresh ids, so that every range of them is as likely.
    n : int
        Number of vertices, at most 2³¹.
    count : int
        About how many edges there are.
    folder : Path
        Takes 8 bytes of each edge if there are more than can be sorted at once; as protected as the edges.
    at_once : int, optional
        How many edges are sorted at once.

    Notes
    -----
    An external sort in one pass, by ranges whose borders are known: of two vertices drawn at random the lower one is
    below a share x of all with probability 1 - (1 - x)². O(m log m) time; memory for the edges of one range, which are
    `at_once` and those that one vertex may have.

    Examples
    --------
    >>> pieces = [(np.array([2, 3]), np.array([0, 1])), (np.array([0]), np.array([1]))]
    >>> [(one.tolist(), other.tolist()) for one, other in in_order(pieces, 4, 3, Path())]
    [([0, 0, 1], [1, 2, 3])]
    """
    keys = ((np.minimum(one, other) << _BITS) | np.maximum(one, other) for one, other in pieces)
    ranges = -(-count // at_once)
    for found in _together(keys) if ranges <= 1 else _ranged(keys, _borders(n, ranges), folder):
        found.sort()
        for begin in range(0, found.size, _ROWS):
            piece = found[begin : begin + _ROWS]
            yield piece >> _BITS, piece & _MASK


def _borders(n: int, ranges: int) -> Ints:
    """Return the first number of each range but the lowest."""
    shares = 1 - np.sqrt(1 - np.arange(1, ranges) / ranges)
    borders: Ints = np.ceil(n * shares).astype(np.int64) << _BITS
    return borders


def _together(pieces: Iterable[Ints]) -> Iterator[Ints]:
    yield np.concatenate([np.empty(0, dtype=np.int64), *pieces])


def _ranged(pieces: Iterable[Ints], borders: Sequence[int] | Ints, folder: Path) -> Iterator[Ints]:
    """Yield what is in each range, in any order."""
    with TemporaryDirectory(dir=folder) as place:
        files = [Path(place) / str(number) for number in range(len(borders) + 1)]
        with ExitStack() as stack:
            streams = [stack.enter_context(file.open("wb")) for file in files]
            for piece in pieces:
                piece.sort()
                for stream, part in zip(streams, np.split(piece, np.searchsorted(piece, borders)), strict=True):
                    stream.write(part.data)
        for file in files:
            yield np.fromfile(file, dtype=np.int64)
            file.unlink()
