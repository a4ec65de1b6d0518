"""Counted cells as a contingency table: categories put in order, cells numbered."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.formats.source import Source
from auditor.formats.tables.category_order import category_order
from auditor.formats.tables.counting import CountedCells
from auditor.formats.tables.names import named_categories
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import MOST_TOTAL, ContingencyTable


def assemble(
    source: Source, names: Sequence[str], cells: CountedCells, order: Sequence[Sequence[str]]
) -> ContingencyTable:
    """Return the table of counted cells.

    Parameters
    ----------
    source : Source
        For messages.
    names : sequence of str
        Of the variables.
    cells : CountedCells
        Cells of count 0 make their categories known and are then left out.
    order : sequence of sequence of str
        Categories that come first, as :class:`~auditor.formats.tables.columns.TableOptions` has them.

    Raises
    ------
    BadFile
        If the total is 2^53 or more, everybody is missing, or the table would have more than 2^62 cells.
    BadInput
        If a variable or category is to be ordered that is not there, or is there twice.
    """
    encoded = [texts.dictionary_encode() for texts in cells.categories]
    known = {name: one.dictionary.to_pylist() for name, one in zip(names, encoded, strict=True)}
    chosen = _chosen(order, known)
    if cells.counts.sum() > MOST_TOTAL:
        raise source.bad("has a total of 2^53 or more; a table must have less")
    variables, codes = [], []
    for name, one in zip(names, encoded, strict=True):
        found = one.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        categories, code = _ordered(known[name], found, cells.first, chosen.get(name, ()))
        variables.append(Variable(name, categories))
        codes.append(code)
    shape = tuple(variable.size for variable in variables)
    if math.prod(shape) > 2**62:
        raise source.bad(
            "would be a table of more than 2^62 cells; remove columns, or choose fewer variables with --variables A,B"
        )
    there = cells.counts > 0
    if not there.any():
        raise source.bad("holds nobody: every count is 0")
    numbers = np.ravel_multi_index(tuple(code[there] for code in codes), shape).astype(np.int64)
    turn = np.argsort(numbers)
    return ContingencyTable(tuple(variables), numbers[turn], cells.counts[there][turn].astype(np.int64))


def _chosen(order: Sequence[Sequence[str]], known: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Return which categories come first, by variable."""
    chosen: dict[str, tuple[str, ...]] = {}
    for items in order:
        name, categories = named_categories("--order", items, known)
        if name in chosen or len(set(categories)) < len(categories):
            raise BadInput(f"--order ({','.join(items)}) names a variable or a category twice; name each once")
        unknown = next((category for category in categories if category not in known[name]), None)
        if unknown is not None:
            raise BadInput(f"--order: variable '{name}' has no category '{unknown}'")
        chosen[name] = categories
    return chosen


def _ordered(
    categories: list[str], found: NDArray[np.int64], first: NDArray[np.int64], chosen: Sequence[str]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the categories in order, and for every cell the place of its category."""
    appeared = np.full(len(categories), np.iinfo(np.int64).max)
    np.minimum.at(appeared, found, first)
    by_row = np.argsort(appeared)
    order = by_row[category_order([categories[code] for code in by_row.tolist()], chosen)]
    place = np.empty(len(categories), dtype=np.int64)
    place[order] = np.arange(len(categories))
    return tuple(categories[code] for code in order.tolist()), place[found]
