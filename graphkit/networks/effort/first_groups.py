"""Where the highest vertices end, as a bound has them in what it can say least of."""

from typing import NamedTuple

from graphkit.arrays import Ints


class FirstGroups(NamedTuple):
    """The first groups, and who is in which."""

    ends: Ints
    """The degree that each of the first vertices ends on, by descending degree, shape (b,)."""
    next_end: int
    """The degree of the group behind them; 0 where there is none."""
    is_last: bool
    """Whether the bound says nothing more of them."""
