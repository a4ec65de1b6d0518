"""When rounds of a linear program, each with what the last solution violated, are not worth another."""

from collections.abc import Sequence

# where so many rounds raise the value by less than that share, what is still violated tells little
_STALLED = 3
_GAIN = 0.002
# gains fall about as a geometric series; the rest of it is counted so often, as they may fall more slowly
_SPARE = 2


def has_stalled(values: Sequence[float], gain: float = _GAIN) -> bool:
    """Return whether the last rounds raised the value by less than a share of it."""
    return len(values) > _STALLED and values[-1] - values[-1 - _STALLED] < gain * values[-1]


def falls_short(values: Sequence[float], least: float) -> bool:
    """Return whether all rounds that may follow will hardly raise the value to what is wanted.

    Examples
    --------
    >>> values = [548, 595, 652, 672, 692, 698, 700]  # in the end 706
    >>> falls_short(values, 750), falls_short(values, 710), falls_short(values[:6], 750)
    (True, False, False)
    """
    if len(values) <= 2 * _STALLED:
        return False
    last, before = (values[i] - values[i - _STALLED] for i in (-1, -1 - _STALLED))
    # what fell to a share of r comes to r/(1 − r) of the last gain in the end
    return last < before and values[-1] + _SPARE * last * last / (before - last) < least
