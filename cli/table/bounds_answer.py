"""What `auditor table bounds` answers: the object for machines, the table for people, the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.formats.tables.words import needed_in_words
from cli.terminal.output import Output
from graphkit.numbers import count, counted

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.bounds import TableBounds

_MOST_ROWS = 200


def answer_shown(output: Output, answer: TableBounds, data: dict[str, Any], *, show_all: bool) -> list[Any]:
    """Return the table, the narrowest intervals first, and lines; `data` is what ``--json`` prints."""
    from auditor.subjects.tables.charts.intervals import narrowest

    order = narrowest(answer.found.lower, answer.found.upper).tolist()
    listed = order if show_all else order[:_MOST_ROWS]
    cells = [data["cells"][i] for i in listed]
    rows = [(*cell["cell"].values(), cell["lower"], cell["upper"], cell["status"]) for cell in cells]
    statuses = ", ".join(f"{count(number)} {status}" for status, number in data["statuses"].items() if number)
    lines = [
        f"{data['table']}: {counted(len(order), 'cell', 'cells')}, from {' and '.join(_given_in_words(answer))}",
        f"{statuses or 'no cell'}; exactly determined: {data['exactly_determined']}",
    ]
    if "tables" in data:
        lines.append(f"tables with these marginals: {_tables_in_words(answer)}")
    columns = (*(variable.name for variable in answer.table.variables), "lower", "upper", "status")
    shown: list[Any] = ["\n".join(lines), output.table(columns, rows)]
    if len(listed) < len(order):
        shown.append(f"{len(order) - len(listed)} wider intervals are not shown; --all shows them")
    if data["picture"] is not None:
        shown.append(f"drawn: {data['picture']}")
    return shown


def picture_of(name: str, answer: TableBounds) -> str:
    """Return the intervals as SVG."""
    from auditor.subjects.tables.charts.intervals import intervals_picture

    found = answer.found
    return intervals_picture(
        name, _given_in_words(answer), answer.table.variables, found.cells, found.lower, found.upper, found.status
    )


def _given_in_words(answer: TableBounds) -> list[str]:
    needed = needed_in_words(answer.given, answer.table.variables)
    return [f"[{words}]" for words in needed] or ["the total alone"]


def _tables_in_words(answer: TableBounds) -> str:
    if answer.tables is None:
        return "not counted, the table has too many merged cells"
    return count(answer.tables.count) if answer.tables.complete else f"at least {count(answer.tables.count)}"
