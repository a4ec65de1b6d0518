"""A released marginal as a file: written aside, read back, compared, and only then there."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from auditor.errors import VerificationFailed
from auditor.staging import delivering, publish, staging_folder, sync
from graphkit.tables.contingency import ContingencyTable

__all__ = ["write_marginal"]

_COUNT, _SIMULATED = "count", "simulated_count"


def write_marginal(marginal: ContingencyTable, path: Path, *, force: bool, simulated: bool = False) -> None:
    """Write a marginal as CSV, one row a cell, zeros too, and check what was written.

    The column of counts is called ``count``, or ``simulated_count``, so that whoever gets the file is told.

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
                stream.writelines(_lines(marginal, _SIMULATED if simulated else _COUNT))
            sync(aside)
            written = aside.read_text(encoding="utf-8")
        if not _holds(written, marginal):
            raise VerificationFailed("the file that was written does not hold the marginal; nothing was published")
        publish([aside], path.parent, force=force)


def _lines(marginal: ContingencyTable, column: str) -> Iterator[str]:
    counts = marginal.dense().reshape(-1).tolist()
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow([*marginal.names, _free(column, marginal.names)])
    # one line after the other: a table of millions of cells is not held as text
    for categories, count in zip(product(*(v.categories for v in marginal.variables)), counts, strict=True):
        writer.writerow([*categories, count])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _free(name: str, taken: tuple[str, ...]) -> str:
    while name in taken:
        name += "_"
    return name


def _holds(text: str, marginal: ContingencyTable) -> bool:
    """Whether the text, read as CSV, has every cell of the marginal once, with its count."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or rows[0][:-1] != list(marginal.names) or len(rows) != marginal.size + 1:
        return False
    codes = [{category: code for code, category in enumerate(variable.categories)} for variable in marginal.variables]
    expected = dict(zip(marginal.cells.tolist(), marginal.counts.tolist(), strict=True))
    seen = set()
    for row in rows[1:]:
        number = 0
        for place, variable in enumerate(marginal.variables):
            if row[place] not in codes[place]:
                return False
            number = number * variable.size + codes[place][row[place]]
        if number in seen or row[-1] != str(expected.get(number, 0)):
            return False
        seen.add(number)
    return len(seen) == marginal.size
