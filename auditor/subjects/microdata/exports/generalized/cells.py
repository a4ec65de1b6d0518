"""Generalized values as text in a file, and back: `20..29`, `{clerk|nurse}`, or the name of a group of a hierarchy.

A single value is written as it was. In sets, and where a value could be taken for a set, a backslash stands before the
characters that have a meaning; what is missing is an empty cell, and ``\\N`` within a set, and where a range
begins with it.
"""

import re
from collections.abc import Sequence

import numpy as np

from auditor.subjects.microdata.exports.generalized.domains import Domain
from graphkit.arrays import Ints
from graphkit.microdata.generalization.extents import WORD

_TO = ".."
_MISSING = r"\N"
_MEANT = re.compile(r"[\\{}|]")
_PARTS = re.compile(r"(?:[^\\|]|\\.)*")


def written_cells(domain: Domain, extents: Ints) -> list[str | None]:
    """Return the text of an attribute for each extent.

    Parameters
    ----------
    domain : Domain
    extents : ndarray of int, shape (n, width)
        Its numbers in a row of :class:`~graphkit.microdata.generalization.extents.Layout`.

    Notes
    -----
    O(n log n) and O(values) for each different extent.
    """
    different, which = np.unique(extents, axis=0, return_inverse=True)
    texts = [_written(domain, extent) for extent in different.tolist()]
    return [texts[place] for place in which.reshape(-1).tolist()]


def read_cells(domain: Domain, cells: Sequence[str | None]) -> Ints | None:
    """Return the extents that texts stand for, shape (n, width); None if one of them is nothing that is written."""
    numbers = {value: code for code, value in enumerate(domain.values)}
    nodes = {label: node for node, label in enumerate(domain.labels)}
    known: dict[str | None, list[int] | None] = {}
    for cell in set(cells):
        known[cell] = _read(domain, cell, numbers, nodes)
        if known[cell] is None:
            return None
    return np.array([known[cell] for cell in cells], dtype=np.int64)


def _written(domain: Domain, extent: list[int]) -> str | None:
    if domain.kind == "tree":
        return domain.labels[extent[0]]
    if domain.kind == "range":
        first, last = (domain.values[code] for code in extent)
        return first if extent[0] == extent[1] else f"{_MISSING if first is None else first}{_TO}{last}"
    members = [WORD * place + bit for place, word in enumerate(extent) for bit in range(WORD) if word >> bit & 1]
    if len(members) == 1 and domain.values[members[0]] is None:
        return None
    texts = [_escaped(domain.values[code]) for code in members]
    return texts[0] if len(texts) == 1 else "{" + "|".join(texts) + "}"


def _read(
    domain: Domain, cell: str | None, numbers: dict[str | None, int], nodes: dict[str | None, int]
) -> list[int] | None:
    if domain.kind == "tree":
        return None if cell not in nodes else [nodes[cell]]
    if domain.kind == "range":
        if cell in numbers:
            return [numbers[cell]] * 2
        begin, _, last = (cell or "").partition(_TO)
        first = None if begin == _MISSING else begin
        return [numbers[first], numbers[last]] if first in numbers and last in numbers else None
    words = [0] * (-(-len(domain.values) // WORD))
    for text in _members(cell):
        if text not in numbers:
            return None
        words[numbers[text] // WORD] |= 1 << numbers[text] % WORD
    return words


def _members(cell: str | None) -> list[str | None]:
    if cell is None:
        return [None]
    if not (cell.startswith("{") and cell.endswith("}")):
        return [re.sub(r"\\(.)", r"\1", cell)]
    inner, found, at = cell[1:-1], [], 0
    while at <= len(inner):
        end = _PARTS.match(inner, at).end()  # type: ignore[union-attr]
        part = inner[at:end]
        found.append(None if part == _MISSING else re.sub(r"\\(.)", r"\1", part))
        at = end + 1
    return found


def _escaped(value: str | None) -> str:
    return _MISSING if value is None else _MEANT.sub(r"\\\g<0>", value)
