"""Hierarchies of categories: read from a file, or made from the categories themselves."""

import csv
import io
import math
from collections.abc import Container, Sequence
from itertools import pairwise
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.formats.source import Source
from graphkit.errors import InvalidInput
from graphkit.hierarchies.tree import ROOT, Tree, tree_of_paths

MADE = ("prefixes", "dates", "intervals")
"""Hierarchies that are made from the categories: of codes such as 13053, of dates, and of numbers."""
_DELIMITERS = (";", "\t", ",")
_MOST = 1_000_000


def read_hierarchy(path: Path, categories: Container[str] = ()) -> Tree:
    """Return the hierarchy in a text file: a line a category, first itself, then its groups, ever larger ones.

    Parameters
    ----------
    path : Path
        UTF-8 with semicolons (as ARX writes it), tabs or commas; no header.
    categories : container of str, optional
        Those of the data. Blanks around a name are dropped, unless the data have such a category.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If it cannot be read, or is no tree; names the line, never a category.
    """
    source = Source(path, holds="a hierarchy")
    text = source.text_bytes().decode()
    first = next((line for line in text.split("\n") if line.strip()), "")
    delimiter = next((one for one in _DELIMITERS if one in first), ";")
    # lines end where a text file ends them: a quoted category may hold any other break
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        numbered = [(reader.line_num, row) for row in reader if row]
    except csv.Error:
        raise source.bad("the line has a quote that does not end, or text behind one", reader.line_num) from None
    if len(numbered) > _MOST:
        raise source.bad(f"has more than {_MOST} categories; group them before")
    try:
        paths = [[row[0] if row[0] in categories else row[0].strip(), *map(str.strip, row[1:])] for _, row in numbered]
        return tree_of_paths(paths, [line for line, _ in numbered])
    except InvalidInput as error:
        raise source.bad(f"is no hierarchy: {error}") from error


def is_made(how: str) -> bool:
    """Tell how a hierarchy is made from the name of its file.

    Examples
    --------
    >>> is_made("intervals:5:20"), is_made("dates.csv")
    (True, False)
    """
    return how.partition(":")[0] in MADE


def made_hierarchy(how: str, categories: Sequence[str]) -> Tree:
    """Return a hierarchy made from categories.

    Parameters
    ----------
    how : str
        ``prefixes``: codes with the same beginning, one character less at each step. ``dates``: days in months in
        years. ``intervals:5:20``: numbers in intervals of 5, these in intervals of 20, from 0 on.
    categories : sequence of str

    Raises
    ------
    BadInput
        If there is no such way, or a category is not what it is made of.

    Examples
    --------
    >>> made_hierarchy("prefixes", ["131", "132", "20"]).labels
    ('131', '132', '20', '13*', '1*', '*', '2*')
    >>> made_hierarchy("intervals:5:10", ["3", "7", "12"]).labels
    ('3', '7', '12', '0..4', '0..9', '*', '5..9', '10..14', '10..19')
    """
    name, _, given = how.partition(":")
    if name == "intervals":
        widths, numbers = _widths(given), [_number(category) for category in categories]
        whole = all(number.is_integer() for number in numbers)
        paths = [
            [category, *(_interval(number, width, whole=whole) for width in widths), ROOT]
            for category, number in zip(categories, numbers, strict=True)
        ]
    elif given or name not in MADE:
        raise BadInput(f"unknown hierarchy; give a file, or one of {', '.join(MADE)} (intervals:5:20)")
    elif name == "prefixes":
        paths = [[one, *(f"{one[:end]}*" for end in range(len(one) - 1, 0, -1)), ROOT] for one in categories]
    else:
        paths = [[one, *_months(one), ROOT] for one in categories]
    try:
        return tree_of_paths(paths)
    except InvalidInput as error:
        raise BadInput(f"no hierarchy can be made of these categories ({error}); give one as a file") from error


def _widths(given: str) -> list[int]:
    texts = given.split(":")
    if not all(text.strip().isdecimal() and int(text) > 0 for text in texts):
        raise BadInput("intervals need their widths, ever larger whole numbers, such as intervals:5:20")
    widths = [int(text) for text in texts]
    if any(large <= small or large % small for small, large in pairwise(widths)):
        raise BadInput("the width of an interval must be a multiple of the one before, such as intervals:5:20")
    return widths


def _number(category: str) -> float:
    try:
        number = float(category)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInput("intervals are made of numbers, and a category is none; give a hierarchy as a file")
    return number


def _interval(number: float, width: int, *, whole: bool) -> str:
    start = math.floor(number / width) * width
    return f"{start}..{start + width - 1}" if whole else f"{start}..<{start + width}"


def _months(category: str) -> list[str]:
    year, *rest = category.split(" ")[0].split("-")
    if len(rest) != 2 or not all(part.isdecimal() for part in (year, *rest)):
        raise BadInput("a category is no date such as 2026-11-23; give a hierarchy as a file")
    return [f"{year}-{rest[0]}", year]
