"""A released marginal as a file: written aside, read back, compared, and only then there."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from auditor.core.errors import VerificationFailed
from auditor.core.staging import delivering, publish, staging_folder, sync
from graphkit.tables.structure.contingency import ContingencyTable

# what a spreadsheet takes for the beginning of a formula, unless it is a number
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[-+]?[0-9]+([.,][0-9]+)?")


def write_marginal(marginal: ContingencyTable, path: Path, *, force: bool, simulated: bool = False) -> list[str]:
    """Write a marginal as CSV, one row a cell, zeros too, and check what was written; return remarks about it.

    The column of counts is called ``count``, or ``simulated_count``, so that every recipient can see it.

    Raises
    ------
    VerificationFailed
        If the file does not hold the marginal; then there is no file.
    NotDelivered
        If the file system refuses.
    """
    with staging_folder(path) as folder:
        aside = folder / path.name
        with delivering(path):
            with aside.open("x", encoding="utf-8", newline="") as stream:
                stream.writelines(_lines(marginal, simulated))
            sync(aside)
            written = aside.read_text(encoding="utf-8")
        if not _holds(written, marginal):
            raise VerificationFailed("the file that was written does not hold the marginal; nothing was published")
        publish([aside], path.parent, force=force)
    return formula_remarks(marginal)


def marginal_text(marginal: ContingencyTable, *, simulated: bool = False) -> str:
    """Return what :func:`write_marginal` writes, checked in the same way.

    Raises
    ------
    VerificationFailed
        If the text does not hold the marginal.
    """
    text = "".join(_lines(marginal, simulated))
    if not _holds(text, marginal):
        raise VerificationFailed("the text that was written does not hold the marginal; nothing is given out")
    return text


def formula_remarks(marginal: ContingencyTable) -> list[str]:
    """Return what to say of names that a spreadsheet would run as a formula: one sentence, or nothing.

    They are written as they are: with anything put before them, the file would read back as another table.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> formula_remarks(ContingencyTable.from_dense([3, 4], [Variable("change", ("-5", "+5"))]))
    []
    >>> print(formula_remarks(ContingencyTable.from_dense([3, 4], [Variable("a", ("=1+1", "b"))]))[0])
    a spreadsheet takes '=1+1' for a formula; import the columns of this file as text, or rename the category
    """
    names = (name for v in marginal.variables for name in (v.name, *v.categories))
    found = [name for name in names if _FORMULA.match(name) and not _NUMBER.fullmatch(name)]
    if not found:
        return []
    more = f" and {len(found) - 1} more names" if len(found) > 1 else ""
    return [
        f"a spreadsheet takes {found[0]!r}{more} for a formula; import the columns of this file as text, "
        "or rename the category"
    ]


def _lines(marginal: ContingencyTable, simulated: bool) -> Iterator[str]:
    column = "simulated_count" if simulated else "count"
    while column in marginal.names:
        column += "_"
    counts = marginal.dense().reshape(-1).tolist()
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow([*marginal.names, column])
    # one line after the other: a table of millions of cells is not held as text
    for categories, count in zip(product(*(v.categories for v in marginal.variables)), counts, strict=True):
        writer.writerow([*categories, count])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _holds(text: str, marginal: ContingencyTable) -> bool:
    """Whether the text, read as CSV, has every cell of the marginal once, with its count."""
    rows = csv.reader(io.StringIO(text, newline=""))
    if next(rows, [])[:-1] != list(marginal.names):
        return False
    body = list(rows)
    found = {tuple(row[:-1]): row[-1] for row in body if row}
    categories = [variable.categories for variable in marginal.variables]
    cells = np.transpose(marginal.codes()).tolist()
    counted = {
        tuple(names[code] for names, code in zip(categories, cell, strict=True)): str(count)
        for cell, count in zip(cells, marginal.counts.tolist(), strict=True)
    }
    return len(body) == len(found) == marginal.size and all(
        found.get(cell) == counted.get(cell, "0") for cell in product(*categories)
    )
