"""What rounding leaves of a figure that is 0 or 1."""

from dataclasses import fields, replace
from typing import Any, TypeVar

_NOISE = 1e-12

Figures = TypeVar("Figures")


def without_noise(value: float) -> float:
    """Return a figure without what sums of floating-point numbers in another order leave of 0 and 1.

    Examples
    --------
    >>> without_noise(3.3e-16), without_noise(0.9999999999999998), without_noise(3.3e-9)
    (0.0, 1.0, 3.3e-09)
    """
    near = float(round(value)) if 0 <= value + _NOISE <= 1 + 2 * _NOISE else value
    return near if abs(value - near) < _NOISE else value


def cleared(found: Figures) -> Figures:
    """Return a record of figures with each without noise.

    Examples
    --------
    >>> from graphkit.microdata.utility.comparison import AttributeChange
    >>> found = cleared(AttributeChange("age", -1e-17, 1 + 1e-15))
    >>> found.mean_shift, found.variance_ratio
    (0.0, 1.0)
    """
    record: Any = found
    held = {one.name: getattr(record, one.name) for one in fields(record)}
    clear: Any = replace(
        record, **{name: without_noise(value) for name, value in held.items() if isinstance(value, float)}
    )
    return clear  # type: ignore[no-any-return]
