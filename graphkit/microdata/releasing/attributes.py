"""Columns of a frame as numbers for an engine, and what is published as values of the columns again."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphkit.arrays import Floats
from graphkit.errors import InvalidInput
from graphkit.frames import is_missing

_EXACT = 2**53


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """Columns that are aggregated together. Protected."""

    names: tuple[str, ...]
    values: Floats
    """Shape (n, columns): numbers, or the places of categories in their order; NaN where a value is missing."""
    categories: Mapping[str, tuple[Any, ...]]
    """Categories of the columns that hold no numbers, ascending."""

    @property
    def nominal(self) -> tuple[int, ...]:
        """Positions of the columns of categories."""
        return tuple(place for place, name in enumerate(self.names) if name in self.categories)

    def in_words(self, values: Floats) -> dict[str, list[Any]]:
        """Return values of all columns as the frame has them: numbers, categories, and None for what is missing."""
        return {name: self._in_words(name, values[:, place].tolist()) for place, name in enumerate(self.names)}

    def _in_words(self, name: str, values: list[float]) -> list[Any]:
        categories = self.categories.get(name)
        if categories is None:
            return [None if math.isnan(value) else value for value in values]
        return [None if math.isnan(value) else categories[int(value)] for value in values]


def attributes_of(columns: Mapping[str, Sequence[Any]]) -> Attributes:
    """Return columns as numbers: those of numbers as they are, others as categories.

    Parameters
    ----------
    columns : mapping of str to sequence
        Values of each; None and NaN are missing.

    Raises
    ------
    InvalidInput
        If there is no column, or the values of one are of several kinds or neither numbers nor text nor truth values.

    Examples
    --------
    >>> found = attributes_of({"age": [41, 35], "sex": ["m", "f"]})
    >>> found.values.tolist(), found.categories
    ([[41.0, 1.0], [35.0, 0.0]], {'sex': ('f', 'm')})
    """
    if not columns:
        raise InvalidInput("no attribute is named; say which columns are to be aggregated")
    categories: dict[str, tuple[Any, ...]] = {}
    held = []
    for name, values in columns.items():
        known = [value for value in values if not is_missing(value)]
        kinds = {type(value) for value in known}
        if kinds <= {int, float}:
            if any(isinstance(value, int) and abs(value) > _EXACT for value in known):
                raise InvalidInput(f"column {name!r} holds whole numbers that are too large to be aggregated")
            numbers = [math.nan if is_missing(value) else float(value) for value in values]
        elif kinds in ({str}, {bool}):
            categories[name] = tuple(sorted(set(known)))
            place = {category: at for at, category in enumerate(categories[name])}
            numbers = [math.nan if is_missing(value) else place[value] for value in values]
        else:
            raise InvalidInput(f"column {name!r} does not hold numbers, text or truth values alone; convert it first")
        held.append(numbers)
    return Attributes(tuple(columns), np.array(held, dtype=np.float64).T.copy(), categories)
