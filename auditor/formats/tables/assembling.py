"""Counted cells as a contingency table: categories put in order, cells numbered."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.formats.source import Source
from auditor.formats.tables.counting import CountedCells
from graphkit.tables.contingency import MOST_TOTAL, ContingencyTable
from graphkit.tables.variable import Variable

__all__ = ["assemble"]

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")


def assemble(source: Source, names: Sequence[str], cells: CountedCells) -> ContingencyTable:
    """Return the table of counted cells.

    Parameters
    ----------
    source : Source
        For messages.
    names : sequence of str
        Of the variables.
    cells : CountedCells
        Cells of count 0 make their categories known and are then left out.

    Raises
    ------
    BadFile
        If the total is 2^53 or more, everybody is missing, or the table would have more than 2^62 cells.

    Notes
    -----
    Categories are in the order of numbers where all of a variable are numbers, else in that of their first rows.
    """
    if cells.counts.sum() > MOST_TOTAL:
        raise source.bad("has a total of 2^53 or more; a table must have less")
    variables, codes = [], []
    for name, texts in zip(names, cells.categories, strict=True):
        categories, code = _ordered(texts, cells.first)
        variables.append(Variable(name, categories))
        codes.append(code)
    shape = tuple(variable.size for variable in variables)
    if math.prod(shape) > 2**62:
        raise source.bad("would be a table of more than 2^62 cells; choose fewer variables with --variables A,B")
    there = cells.counts > 0
    if not there.any():
        raise source.bad("holds nobody: every count is 0")
    numbers = np.ravel_multi_index(tuple(code[there] for code in codes), shape).astype(np.int64)
    order = np.argsort(numbers)
    return ContingencyTable(tuple(variables), numbers[order], cells.counts[there][order].astype(np.int64))


def _ordered(texts: Any, first: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the categories in order, and for every cell the place of its category."""
    encoded = texts.dictionary_encode()
    categories: list[str] = encoded.dictionary.to_pylist()
    found: NDArray[np.int64] = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    appeared = np.full(len(categories), np.iinfo(np.int64).max)
    np.minimum.at(appeared, found, first)
    order = np.argsort(appeared)
    if all(map(_NUMBER.fullmatch, categories)):
        values = [Decimal(category) for category in categories]
        order = np.array(sorted(order.tolist(), key=values.__getitem__), dtype=np.int64)
    place = np.empty(len(categories), dtype=np.int64)
    place[order] = np.arange(len(categories))
    return tuple(categories[code] for code in order.tolist()), place[found]
