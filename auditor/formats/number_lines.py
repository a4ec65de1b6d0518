"""Lines of numbers of any length as arrays, without a Python loop over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.formats.source import Source

__all__ = ["NumberLines", "first_columns", "read_numbers"]


@dataclass(frozen=True, slots=True, eq=False)
class NumberLines:
    """The numbers of a text and the lines they stand in."""

    values: NDArray[np.int64]
    """All numbers, shape (t,)."""
    lines: NDArray[np.int64]
    """The line of every number, shape (t,), ascending; the first line is 0."""
    counts: NDArray[np.int64]
    """How many numbers every line holds, shape (number of lines,); blank lines hold 0."""


def read_numbers(source: Source, text: bytes, first_line: int, *, fractions: bool = False) -> NumberLines:
    """Return the integers of a text.

    Parameters
    ----------
    source : Source
        For messages.
    text : bytes
        Lines end with a line feed.
    first_line : int
        Number of its first line in the file, for messages.
    fractions : bool
        Accept numbers with a fraction or exponent, and return them rounded towards zero: for columns of weights.

    Raises
    ------
    BadFile
        If anything but a number stands there; names the line.

    Notes
    -----
    About 10⁷ numbers a second, 40 bytes of memory for each.
    """
    is_blank = np.frombuffer(text, dtype=np.uint8) <= 32
    starts = np.flatnonzero(~is_blank & np.concatenate(([True], is_blank[:-1])))
    ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == 10)
    line_count = ends.size + (bool(text) and not text.endswith(b"\n"))
    lines = np.searchsorted(ends, starts).astype(np.int64, copy=False)
    try:
        values = np.fromstring(text if starts.size else "", dtype=np.float64 if fractions else np.int64, sep=" ")
    except ValueError:
        values = np.empty(0)
    # a sign in mid-word begins a new number for the parser: "1-2" are two
    if values.size != starts.size or (fractions and not np.all(np.abs(values) < 2.0**53)):
        raise source.bad(
            "holds something that is not a number; correct the line", _faulty_line(text, first_line, fractions)
        )
    counts = np.bincount(lines, minlength=line_count).astype(np.int64, copy=False)
    return NumberLines(values.astype(np.int64), lines, counts)


def first_columns(source: Source, text: bytes, first_line: int, width: int) -> tuple[NDArray[np.int64], int]:
    """Return the first two numbers of every line that is not blank, and how many columns there are at most.

    Parameters
    ----------
    source, text, first_line
        As for :func:`read_numbers`.
    width : int
        How many columns a line must have at least.

    Returns
    -------
    ndarray of int64, shape (m, 2), and int
    """
    numbers = read_numbers(source, text, first_line, fractions=True)
    counts = numbers.counts
    short = np.flatnonzero((counts > 0) & (counts < width))
    if short.size:
        raise source.bad(f"fewer than {width} numbers; correct the line", first_line + int(short[0]))
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))[counts > 0].astype(np.int64)
    pairs = np.column_stack((numbers.values[begins], numbers.values[begins + 1])) if begins.size else np.empty((0, 2))
    return pairs.astype(np.int64, copy=False), int(counts.max(initial=0))


def _faulty_line(text: bytes, first_line: int, fractions: bool) -> int | None:
    for number, line in enumerate(text.split(b"\n"), first_line):
        for word in line.split():
            try:
                if b"_" in word or not abs(float(word) if fractions else int(word)) < 2.0**53:
                    return number
            except (ValueError, OverflowError):
                return number
    return None
