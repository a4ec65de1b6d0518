"""The checksum of a contingency table: the same for the same counts, in whatever order they were written down."""

import hashlib
import json

import numpy as np

from auditor.core.errors import BadInput
from graphkit.tables.structure.contingency import ContingencyTable

_HEADER = b"disclosure-auditor table 1\n"
_MARGINAL_HEADER = b"disclosure-auditor one-way marginal 1\n"


def table_checksum(table: ContingencyTable) -> str:
    """Return the SHA-256 of a table in canonical form, hexadecimal. Protected.

    Parameters
    ----------
    table : ContingencyTable
        A category without a count is part of it.

    Raises
    ------
    BadInput
        If a name is not valid Unicode text.

    Notes
    -----
    The canonical form has its variables and their categories in the order of code points: neither the order of rows
    nor that of columns in a file changes it. Hashed are a header; one line of JSON with each variable and its
    categories; and cell numbers, then counts, as little-endian 64 bit integers. O(c log c) for c cells.

    A table of few people has few possible contents: who knows the checksum can try them all. So it is as protected as
    the counts, and stays out of the ledger and of every page.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table_checksum(ContingencyTable.from_dense([3, 4], [Variable("ill", ("no", "yes"))]))[:16]
    'b223f584e27e485d'
    """
    order = sorted(range(len(table.variables)), key=table.names.__getitem__)
    names = [[variable.name, *sorted(variable.categories)] for variable in (table.variables[axis] for axis in order)]
    digest = hashlib.sha256(_HEADER + _line(names))
    codes = table.codes()
    canonical = []
    for axis in order:
        categories = table.variables[axis].categories
        place = np.empty(len(categories), dtype=np.int64)
        place[sorted(range(len(categories)), key=categories.__getitem__)] = np.arange(len(categories))
        canonical.append(place[codes[axis]])
    shape = tuple(table.shape[axis] for axis in order)
    cells = np.ravel_multi_index(tuple(canonical), shape) if table.cells.size else table.cells
    turn = np.argsort(cells)
    digest.update(cells[turn].astype("<i8").tobytes())
    digest.update(table.counts[turn].astype("<i8").tobytes())
    return digest.hexdigest()


def variable_checksums(table: ContingencyTable) -> list[str]:
    """Return the SHA-256 of every one-way marginal, in the order of the variables. Protected.

    Notes
    -----
    Two tables of the same people have it in common for every variable that they share; categories without a count and
    the order of categories do not change it.
    """
    found = []
    for axis, variable in enumerate(table.variables):
        marginal = table.marginal([axis])
        pairs = zip(marginal.cells.tolist(), marginal.counts.tolist(), strict=True)
        counts = sorted((variable.categories[cell], n) for cell, n in pairs)
        found.append(hashlib.sha256(_MARGINAL_HEADER + _line([variable.name, counts])).hexdigest())
    return found


def _line(value: object) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        raise BadInput("a name in the table is not valid Unicode text; save the file as UTF-8") from None
