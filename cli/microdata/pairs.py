"""Options that say something of attributes: `A=2,B=0.5`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from auditor.core.errors import BadInput
from cli.terminal.names import split_names


def as_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and what each is set to, of a list such as ``A=1,B=2``; a word alone has no name.

    Raises
    ------
    typer.BadParameter
        If one is empty or the quotes are not closed.

    Examples
    --------
    >>> as_pairs("income=2,age=0.5"), as_pairs("median")
    ((('income', '2'), ('age', '0.5')), (('', 'median'),))
    """
    pairs = []
    for item in split_names(text, "income=2,age=0.5"):
        name, sign, value = (part.strip() for part in item.rpartition("="))
        if not value or (sign and not name):
            raise typer.BadParameter("lacks a name or what it is set to; write such as income=2,age=0.5")
        pairs.append((name, value))
    return tuple(pairs)


def all_pairs(given: Iterable[Any] | None) -> list[tuple[str, str]]:
    """Return the pairs of an option that may be repeated."""
    return [pair for pairs in given or () for pair in pairs]


def named_pairs(given: Iterable[Any] | None, option: str, such_as: str) -> dict[str, str]:
    """Return what was said of each attribute.

    Raises
    ------
    BadInput
        If one is said of no attribute.
    """
    found = all_pairs(given)
    if not all(name for name, _ in found):
        raise BadInput(f"{option} needs an attribute for each, such as {such_as}")
    return dict(found)


def weights_of(given: Iterable[Any] | None) -> dict[str, float]:
    """Return the weight of each attribute that has one.

    Raises
    ------
    BadInput
        If one is no number, or lacks its attribute.
    """
    return {name: _weight(name, value) for name, value in all_pairs(given)}


def _weight(name: str, value: str) -> float:
    if not name:
        raise BadInput("--attribute-weight needs an attribute for each weight, such as income=2")
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"weight of {name!r} must be a number, such as {name}=2") from None
