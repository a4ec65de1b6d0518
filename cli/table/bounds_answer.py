"""What `auditor table bounds` answers: the object for machines, the table for people, the picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.formats.tables.words import needed_in_words
from auditor.subjects.tables.representations.bounds import status_counts
from auditor.subjects.tables.representations.cells import named_cell
from graphkit.numbers import count

if TYPE_CHECKING:
    from auditor.subjects.tables.releases.bounds import TableBounds
    from cli.terminal.output import Output

_MOST_ROWS = 200


def answer_shown(
    output: Output, name: str, answer: TableBounds, *, counted: bool, picture: Path | None, show_all: bool
) -> list[Any]:
    """Return the table, the narrowest intervals first, and lines."""
    from auditor.subjects.tables.charts.intervals import narrowest

    found, variables = answer.found, answer.table.variables
    order = narrowest(found.lower, found.upper).tolist()
    listed = order if show_all else order[:_MOST_ROWS]
    rows = [
        (
            *named_cell(variables, int(found.cells[i])).values(),
            int(found.lower[i]),
            int(found.upper[i]),
            found.status[i],
        )
        for i in listed
    ]
    statuses = ", ".join(f"{count(number)} {status}" for status, number in status_counts(answer).items() if number)
    number = "1 cell" if found.cells.size == 1 else f"{count(found.cells.size)} cells"
    lines = [
        f"{name}: {number}, from {' and '.join(_given_in_words(answer))}",
        f"{statuses or 'no cell'}; exactly determined: {int((found.lower == found.upper).sum())}",
    ]
    if counted:
        lines.append(f"tables with these marginals: {_tables_in_words(answer)}")
    shown: list[Any] = ["\n".join(lines)]
    shown.append(output.table((*(v.name for v in variables), "lower", "upper", "status"), rows))
    if len(listed) < len(order):
        shown.append(f"{len(order) - len(listed)} wider intervals are not shown; --all shows them")
    if picture is not None:
        shown.append(f"drawn: {picture}")
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
