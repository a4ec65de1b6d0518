"""What is told of bounds of cells; whoever sees them sees what is protected."""

from collections import Counter
from pathlib import Path
from typing import Any

from auditor.subjects.tables.releases.bounds import TableBounds
from auditor.subjects.tables.representations.cells import named_cell
from auditor.subjects.tables.stored.recorded_answers import MarginalNames

_STATUSES = ("sharp", "outer", "timeout")


def bounds_data(name: str, answer: TableBounds, *, counted: bool, picture: Path | None) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    found, variables, given = answer.found, answer.table.variables, _given(answer)
    rows = zip(found.cells.tolist(), found.lower.tolist(), found.upper.tolist(), found.status, strict=True)
    return {
        "table": name,
        "given": [one.names for one in given],
        "merged": [one.merged for one in given],
        "complete": found.sharp,
        "statuses": status_counts(answer),
        "exactly_determined": int((found.lower == found.upper).sum()),
        **({"tables": answer.tables} if counted else {}),
        "picture": picture,
        "cells": [
            {"cell": named_cell(variables, cell), "lower": lower, "upper": upper, "status": status}
            for cell, lower, upper, status in rows
        ],
    }


def status_counts(answer: TableBounds) -> dict[str, int]:
    """Return how many bounds have each status."""
    found: Counter[str] = Counter(answer.found.status)
    return {status: found[status] for status in _STATUSES}


def _given(answer: TableBounds) -> list[MarginalNames]:
    from auditor.subjects.tables.stored.recorded_answers import MarginalNames

    return [MarginalNames.of(marginal, answer.table.variables) for marginal in answer.given]
