"""Effort: how much work an engine may do, in units of about a microsecond, calibrated once, the same on every machine.

A budget of work depends on the input, the seed and the version alone, so the answer is the same bits on a slow machine,
a fast one and a busy one. What a unit takes on a machine differs; `docs/performance.md` measures it.
"""

from math import inf

from graphkit.errors import InvalidInput
from graphkit.parameters import check_number, check_time_limit

SECOND = 1_000_000
"""Units in about a second: effort is given in these."""
DEFAULT_EFFORT = 20.0
"""Effort where none is given."""
PROVING_EFFORT = 60.0
"""Effort where a proof is requested."""

_LONGEST = 1e9
_MEANS = "a positive number, about seconds of work, such as 60"


def units_of(effort: float | None, *, prove: bool, time_limit: float | None) -> int:
    """Return how many units an effort means.

    Parameters
    ----------
    effort : float or None
        In about seconds; None for the default. With a time limit the default is no less than that: the clock decides.
    prove : bool
        Whether a proof is asked for.
    time_limit : float or None
        Seconds by the clock.

    Raises
    ------
    InvalidInput
        If `effort` or `time_limit` is no positive number.

    Examples
    --------
    >>> units_of(None, prove=False, time_limit=None), units_of(0.5, prove=True, time_limit=None)
    (20000000, 500000)
    """
    if time_limit is not None:
        check_time_limit(time_limit)
    if effort is None:
        effort = max(PROVING_EFFORT if prove else DEFAULT_EFFORT, min(time_limit or 0.0, _LONGEST))
    check_number(effort, "effort", _MEANS)
    if not 0 < effort < inf:
        raise InvalidInput(f"effort ({float(effort):g}) must be {_MEANS}")
    return max(1, round(effort * SECOND))
