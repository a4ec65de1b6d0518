"""Names of variables on a command line."""

from __future__ import annotations

import csv

import typer

__all__ = ["as_names"]


def as_names(text: str) -> tuple[str, ...]:
    """Return the names that a list such as ``A,B`` holds; one with a comma stands in double quotes.

    Raises
    ------
    typer.BadParameter
        If a name is empty or the quotes are not closed.

    Examples
    --------
    >>> as_names("sex, age"), as_names('"income, net",sex')
    (('sex', 'age'), ('income, net', 'sex'))
    """
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise typer.BadParameter("must be names with commas between them, such as A,B") from None
    names = tuple(name.strip() for name in row)
    if not all(names):
        raise typer.BadParameter("holds an empty name; write names with commas between them, such as A,B")
    return names
