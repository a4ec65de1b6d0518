"""What must hold of a table after a release: which cells are sensitive, and what nobody may learn of them."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole
from graphkit.tables.structure.contingency import MOST_TOTAL, ContingencyTable

Sensitive = Literal["small", "all", "named"]

_MOST_RELATIVE = 100


@dataclass(frozen=True, slots=True)
class DisclosureRules:
    """Thresholds of disclosure.

    Parameters
    ----------
    sensitive : {"small", "all", "named"}
        Which cells are protected: those with a count from 1 to below the threshold, all that are not zero, or those
        with one of the named categories that are not zero.
    threshold : int
        Counts below it are small; at least 2.
    named : tuple of (str, str)
        Variable and category, for ``sensitive="named"``.
    min_width : int
        How far apart the least and the largest possible count of a sensitive cell must at least be; 1 forbids only that
        it is exactly known.
    min_relative_width : float, Decimal or Fraction
        The same as a share of its count, from 0 on; a float is the decimal number that it is written as.
    hide_small : bool
        Whether a small sensitive cell must possibly have `threshold` records: otherwise one learns that it is small.
    min_values : int
        How many counts a sensitive cell must be able to have; an interval may have gaps. 0 for no such demand.
    min_tables : int
        How many tables must have the marginals. 0 for no such demand.
    group_disclosure : bool
        Whether a marginal is refused that shows of a group of at least one person that nobody is in one of the
        categories: all are in one, or would be in a coarser marginal that follows from it.

    Raises
    ------
    InvalidInput
        If a threshold cannot be meant.
    """

    sensitive: Sensitive = "small"
    threshold: int = 3
    named: tuple[tuple[str, str], ...] = ()
    min_width: int = 3
    min_relative_width: float | Decimal | Fraction = 0.0
    hide_small: bool = True
    min_values: int = 0
    min_tables: int = 0
    group_disclosure: bool = False

    def __post_init__(self) -> None:
        if self.sensitive not in ("small", "all", "named"):
            raise InvalidInput(f"sensitive ({self.sensitive!r}) must be 'small', 'all' or 'named'")
        _check_whole("threshold", self.threshold, 2)
        _check_whole("min_width", self.min_width, 1)
        _check_whole("min_values", self.min_values, 0)
        _check_whole("min_tables", self.min_tables, 0)
        if not 0 <= self.min_relative_width <= _MOST_RELATIVE:
            raise InvalidInput(f"min_relative_width ({self.min_relative_width}) must be from 0 to {_MOST_RELATIVE}")
        if (self.sensitive == "named") != bool(self.named):
            raise InvalidInput("named categories and sensitive = 'named' belong together; give both or neither")

    @property
    def asks_widths_alone(self) -> bool:
        """Whether bounds of the cells settle all that is asked of them, without their values or whole tables."""
        return self.min_values <= 1 and self.min_tables <= 1


def _check_whole(name: str, value: Any, least: int) -> None:
    if not is_whole(value) or not least <= value <= MOST_TOTAL:
        raise InvalidInput(f"{name} must be a whole number of at least {least}, below 2^53")


@dataclass(frozen=True, slots=True, eq=False)
class Goals:
    """What the rules ask of the sensitive cells of one table. Protected: the goals tell the counts."""

    cells: Ints
    """Numbers of the sensitive cells in C order, ascending, shape (m,)."""
    width: Ints
    """How far apart their least and largest possible counts must be."""
    least_upper: Ints
    """What their largest possible count must at least be; 0 for no demand."""
    relative: Bools
    """Whether the width is asked for as a share of the count."""

    def of(self, chosen: Ints) -> "Goals":
        """Return the goals of some of the cells, by their places here."""
        return Goals(self.cells[chosen], self.width[chosen], self.least_upper[chosen], self.relative[chosen])

    def missed(self, lower: Ints, upper: Ints) -> Bools:
        """Return which goals counts between these, one pair a cell, do not reach."""
        missed: Bools = (upper - lower < self.width) | (upper < self.least_upper)
        return missed


def goals_of(table: ContingencyTable, rules: DisclosureRules) -> Goals:
    """Return the sensitive cells of a table, and what must hold of each.

    Raises
    ------
    InvalidInput
        If a named variable or category is not there.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([5, 1, 0, 2], (Variable("age", ("0-19", "20-39", "40-59", "60+")),))
    >>> goals = goals_of(table, DisclosureRules())
    >>> goals.cells.tolist(), goals.width.tolist(), goals.least_upper.tolist()
    ([1, 3], [3, 3], [3, 3])
    """
    small = table.counts < rules.threshold
    chosen = np.ones(table.cells.size, dtype=np.bool_)
    if rules.sensitive == "small":
        chosen = small
    elif rules.sensitive == "named":
        codes = table.codes()
        chosen = np.zeros(table.cells.size, dtype=np.bool_)
        for name, category in rules.named:
            (axis,) = table.axes([name])
            if category not in table.variables[axis].categories:
                raise InvalidInput(f"variable '{name}' has no category '{category}'")
            chosen |= codes[axis] == table.variables[axis].categories.index(category)
    counts = table.counts[chosen]
    relative = _shares(counts, rules.min_relative_width)
    hidden = np.where(small[chosen] & rules.hide_small, rules.threshold, 0).astype(np.int64)
    width = np.maximum(relative, rules.min_width)
    return Goals(table.cells[chosen], width, hidden, relative > rules.min_width)


def _shares(counts: Ints, share: float | Decimal | Fraction) -> Ints:
    """Return the least whole numbers that are at least a share of counts, computed in whole numbers.

    Examples
    --------
    >>> _shares(np.array([100, 101, 2**53 - 1]), 0.07).tolist()
    [7, 8, 630503947831870]
    """
    # 0.07 is written as 7/100, while the nearest floating point number is above it
    exact = Fraction(str(share))
    different, place = np.unique(counts, return_inverse=True)
    least = [-(-count * exact.numerator // exact.denominator) for count in different.tolist()]
    return np.array(least, dtype=np.int64)[place.reshape(-1)]
