"""What a table makes one doubt of its file: rows of totals, names of people, counts that were read as records."""

import re
from collections.abc import Iterable

import numpy as np

from auditor.formats.tables.columns import COUNT_NAMES, LIKELY_NAMES, TableOptions
from auditor.formats.tables.names import quoted
from graphkit.tables.structure.contingency import ContingencyTable

_MANY_CATEGORIES = 1_000
# of so few people each may well be another one in any respect
_FEWEST_PEOPLE = 5
# so many other categories hold exactly as many as one of them by chance only seldom
_MANY_OTHERS = 4
_TOTALS = {
    "total", "totals", "all", "sum", "overall", "everybody", "everyone", "grand", "subtotal", "gesamt", "insgesamt",
    "summe", "alle", "zusammen", "gesamtsumme", "tous", "toutes", "ensemble", "somme", "totale", "totaux", "todos",
    "todas", "suma", "tutti", "totaal", "samtliga", "summa", "razem", "итого", "всего", "合計", "合计", "总计",
}  # fmt: skip
_WHOLE = re.compile(r"\+?[0-9]+")


def remarks_on_table(table: ContingencyTable, options: TableOptions) -> list[str]:
    """Return what to say of a table that may not be what was meant, one sentence each."""
    remarks = []
    # whoever names the variables has chosen
    may_be_others = options.records and options.variables is None
    counts = counts_among(table) if may_be_others else None
    for variable in table.variables:
        if variable.name == counts:
            # one remark for a column: counts differ in nearly every row, and name nobody
            continue
        if may_be_others and _tells_apart(variable.size, table.total):
            remarks.append(
                f"column '{variable.name}' has another category in (nearly) every row; leave it out (of the file, or "
                "with --variables)"
            )
        elif variable.size > _MANY_CATEGORIES:
            remarks.append(
                f"variable {variable.name} has very many categories; if it names people, leave it out (of the file, or "
                "with --variables)"
            )
    # of a column that is called so, its name was remarked on already
    if counts is not None and counts.lower() not in (*COUNT_NAMES, *LIKELY_NAMES):
        remarks.append(
            f"column {quoted(counts)} holds whole numbers, and no combination of the others comes twice, as in a table "
            f"of counts; if it holds counts, leave out --records and say --count {quoted(counts)} (on the page: call "
            "it count, and choose 'a cell, with its count'); if it numbers people, leave it out (of the file, or with "
            "--variables)"
        )
    totals = [] if options.records else with_totals(table)
    if totals:
        remarks.append(
            f"{', '.join(map(quoted, totals))}: one category holds as many as all others together, as a row of totals "
            "does; if it is one, everybody counts twice: remove such rows and add the table again"
        )
    return remarks


def with_totals(table: ContingencyTable) -> list[str]:
    """Return the variables with a category that looks like the total of all others.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> sex = Variable("sex", ("f", "m", "Total"))
    >>> [with_totals(ContingencyTable.from_dense([3, 4, total], [sex])) for total in (7, 8)]
    [['sex'], []]
    """
    found = []
    for axis, variable in enumerate(table.variables):
        if variable.size < 2:
            continue
        counts = table.marginal((axis,)).dense().reshape(-1)
        as_many = np.flatnonzero(2 * counts == table.total).tolist()
        if any(variable.size >= _MANY_OTHERS or _says_total(variable.categories[place]) for place in as_many):
            found.append(variable.name)
    return found


def _says_total(category: str) -> bool:
    return not _TOTALS.isdisjoint(re.findall(r"\w+", category.casefold()))


def counts_among(table: ContingencyTable) -> str | None:
    """Return the variable of a table of records that looks like counts: one of numbers, beside one row for each cell.

    Half of the cells of the others must be there, as in a table of counts: people with many columns differ anyway.
    """
    numbers = [axis for axis, variable in enumerate(table.variables) if _are_numbers(variable.categories)]
    if len(numbers) != 1 or len(table.variables) < 2 or table.total < _FEWEST_PEOPLE:
        return None
    others = tuple(axis for axis in range(len(table.variables)) if axis != numbers[0])
    cells = table.marginal(others)
    apart = max(table.variables[axis].size for axis in others) >= table.total
    is_whole = cells.cells.size == table.total and 2 * table.total >= cells.size
    return table.variables[numbers[0]].name if is_whole and not apart else None


def _are_numbers(categories: Iterable[str]) -> bool:
    return all(_WHOLE.fullmatch(category) for category in categories)


def _tells_apart(categories: int, people: int) -> bool:
    """Whether nearly everybody has a category alone."""
    return people >= _FEWEST_PEOPLE and categories * 10 >= people * 9
