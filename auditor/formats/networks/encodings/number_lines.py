"""Lines of numbers of any length as arrays, without a Python loop over them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.formats.source import Source

# integers beyond are not exact as floats, and no vertex has such a number
_EXACT = 2.0**53


@dataclass(frozen=True, slots=True, eq=False)
class NumberLines:
    """The numbers of a text and the lines they stand in."""

    values: NDArray[Any]
    """All numbers, shape (t,)."""
    lines: NDArray[np.int64]
    """The line of every number, shape (t,), ascending; the first line is 0."""
    counts: NDArray[np.int64]
    """How many numbers every line holds, shape (number of lines,); blank lines hold 0."""


def read_numbers(source: Source, text: bytes, first_line: int) -> NumberLines:
    """Return the integers of a text.

    Parameters
    ----------
    source : Source
        For messages.
    text : bytes
        Lines end with a line feed.
    first_line : int
        Number of its first line in the file, for messages.

    Raises
    ------
    BadFile
        If anything but an integer stands there; names the line.

    Notes
    -----
    About 10⁷ numbers a second, 40 bytes of memory for each.
    """
    return _parsed(source, text, first_line, np.int64)


def first_columns(source: Source, text: bytes, first_line: int, width: int) -> tuple[NDArray[np.int64], int]:
    """Return the first two numbers of every line that is not blank, and how many columns there are at most.

    Parameters
    ----------
    source, text, first_line
        As for :func:`read_numbers`; numbers beyond the second column may have a fraction or exponent.
    width : int
        How many columns a line must have at least.

    Returns
    -------
    ndarray of int64, shape (m, 2), and int

    Raises
    ------
    BadFile
        If a line is too short or its first two numbers are no integers; names the line.
    """
    numbers = _parsed(source, text, first_line, np.float64)
    values, counts = numbers.values, numbers.counts
    short = np.flatnonzero((counts > 0) & (counts < width))
    if short.size:
        raise source.bad(f"fewer than {width} numbers; correct the line", first_line + int(short[0]))
    begins = (np.cumsum(counts) - counts)[counts > 0]
    pairs = np.column_stack((values[begins], values[begins + 1])) if begins.size else np.empty((0, 2))
    exact = np.all((np.abs(pairs) < _EXACT) & (np.trunc(pairs) == pairs), axis=1)
    if not np.all(exact):
        line = first_line + int(numbers.lines[begins[np.flatnonzero(~exact)[0]]])
        raise source.bad("a vertex number is not an integer; correct the line", line)
    return pairs.astype(np.int64), int(counts.max(initial=0))


def _parsed(source: Source, text: bytes, first_line: int, kind: type[np.int64] | type[np.float64]) -> NumberLines:
    characters = np.frombuffer(text, dtype=np.uint8)
    is_blank = characters <= 32
    starts = np.flatnonzero(~is_blank & np.concatenate(([True], is_blank[:-1])))
    ends = np.flatnonzero(characters == 10)
    lines = np.searchsorted(ends, starts).astype(np.int64, copy=False)
    try:
        values = np.fromstring(text if starts.size else "", dtype=kind, sep=" ")
    except ValueError:
        values = np.empty(0)
    # a sign in mid-word begins a new number for the parser: "1-2" are two
    if values.size != starts.size:
        raise source.bad(
            "the line holds something that is not a number; correct it", _faulty_line(text, first_line, kind)
        )
    line_count = ends.size + (bool(text) and not text.endswith(b"\n"))
    return NumberLines(values, lines, np.bincount(lines, minlength=line_count).astype(np.int64, copy=False))


def _faulty_line(text: bytes, first_line: int, kind: type[np.int64] | type[np.float64]) -> int | None:
    parse = int if kind is np.int64 else float
    for number, line in enumerate(text.split(b"\n"), first_line):
        try:
            if b"_" in line or not all(word.isascii() and parse(word) is not None for word in line.split()):
                return number
        except ValueError:
            return number
    return None
