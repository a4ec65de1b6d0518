"""Lists of names on a command line."""

import csv
import shlex
from collections.abc import Iterable

import typer


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
    return split_names(text, "A,B; one with a comma stands in double quotes, '\"income, net\",sex'")


def as_argument(names: Iterable[str]) -> str:
    """Return a list of names as :func:`as_names` reads it, quoted for a shell.

    Examples
    --------
    >>> print(as_argument(["sex", "age"]), as_argument(['a "b" c', "income, net"]))
    sex,age '"a ""b"" c","income, net"'
    """
    return shlex.quote(",".join(map(_written, names)))


def split_names(text: str, such_as: str) -> tuple[str, ...]:
    """Return the names in a list, which messages show by an example.

    Raises
    ------
    typer.BadParameter
        If a name is empty or the quotes are not closed.
    """
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise typer.BadParameter(f"must be names with commas between them, such as {such_as}") from None
    names = tuple(name.strip() for name in row)
    if not all(names):
        raise typer.BadParameter(f"holds an empty name; write names with commas between them, such as {such_as}")
    return names


def _written(name: str) -> str:
    # what begins with a dash would be taken for an option
    plain = not any(sign in name for sign in ',"\r\n') and not name.startswith("-")
    return name if plain else '"' + name.replace('"', '""') + '"'
