"""What `auditor table bounds` answers: the object for machines, the table for people, the picture."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.table.cells import named_cell

if TYPE_CHECKING:
    from auditor.releases.bounds import TableBounds
    from cli.output import Output

__all__ = ["answer_data", "answer_shown", "picture_of"]

_MOST_ROWS = 200
_STATUSES = ("sharp", "outer", "timeout")


def answer_data(name: str, answer: TableBounds, *, counted: bool, picture: Path | None) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    found, variables = answer.found, answer.table.variables
    rows = zip(found.cells.tolist(), found.lower.tolist(), found.upper.tolist(), found.status, strict=True)
    return {
        "table": name,
        "given": _names(answer),
        "complete": found.sharp,
        "statuses": _counts(answer),
        "exactly_determined": int((found.lower == found.upper).sum()),
        **({"tables": answer.tables} if counted else {}),
        "picture": picture,
        "cells": [
            {"cell": named_cell(variables, cell), "lower": lower, "upper": upper, "status": status}
            for cell, lower, upper, status in rows
        ],
    }


def answer_shown(
    output: Output, name: str, answer: TableBounds, *, counted: bool, picture: Path | None, show_all: bool
) -> list[Any]:
    """Return the table, the narrowest intervals first, and lines."""
    from auditor.reports.charts.table_intervals import narrowest

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
    statuses = ", ".join(f"{number} {status}" for status, number in _counts(answer).items() if number)
    number = "1 cell" if found.cells.size == 1 else f"{found.cells.size} cells"
    lines = [
        f"{name}: {number}, from {_given_in_words(answer)}",
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
    from auditor.reports.charts.table_intervals import intervals_picture

    found = answer.found
    return intervals_picture(
        name, _given_in_words(answer), answer.table.variables, found.cells, found.lower, found.upper, found.status
    )


def _names(answer: TableBounds) -> list[list[str]]:
    names = answer.table.names
    return [[names[axis] for axis in axes] for axes in answer.given]


def _given_in_words(answer: TableBounds) -> str:
    return " and ".join(f"[{', '.join(names)}]" for names in _names(answer)) or "the total alone"


def _counts(answer: TableBounds) -> dict[str, int]:
    found: Counter[str] = Counter(answer.found.status)
    return {status: found[status] for status in _STATUSES}


def _tables_in_words(answer: TableBounds) -> str:
    if answer.tables is None:
        return "not counted, the table has too many merged cells"
    return f"{answer.tables.count}" if answer.tables.complete else f"at least {answer.tables.count}"
