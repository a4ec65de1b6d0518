"""How results are read: as plain values, as a table of a notebook, as a drawing."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from enum import Enum
from html import escape
from typing import Any, ClassVar

from graphkit.numbers import figure


class Presentable:
    """What every result offers beside its fields.

    A class names in `_figures` what a notebook shows of it: figures only, never a protected edge or vertex. In
    `_derived` it names what :meth:`to_dict` holds beside the fields.
    """

    __slots__ = ()
    _figures: ClassVar[tuple[str, ...]] = ()
    _derived: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain values that JSON can hold; as protected as the result itself."""
        fields = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return {name: plain_value(getattr(self, name)) for name in (*fields, *self._derived)}

    def _repr_html_(self) -> str:
        """Return the figures as a table for a notebook."""
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(name.replace("_", " "))}</th>'
            f'<td style="text-align:right">{escape(shown(getattr(self, name)))}</td></tr>'
            for name in self._figures
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption><tbody>{rows}</tbody></table>"


def plain_value(value: Any) -> Any:
    """Return a value as JSON can hold it; a number that is not finite becomes None.

    Examples
    --------
    >>> plain_value({"sizes": (1, 2), 3: float("inf")})
    {'sizes': [1, 2], '3': None}
    """
    if isinstance(value, Enum):
        return plain_value(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, Presentable):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "tolist"):
        return plain_value(value.tolist())
    if isinstance(value, Iterable):
        return [plain_value(item) for item in value]
    return str(value)


def shown(value: Any) -> str:
    """Return a value as people read it.

    Examples
    --------
    >>> shown(1234567), shown(0.123456), shown(True), shown(None), shown("optimal")
    ('1,234,567', '0.1235', 'yes', '–', 'optimal')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return figure(value) if math.isfinite(value) else str(value)


def new_axes(axes: Any) -> Any:
    """Return the axes to draw on: those given, or new ones.

    Raises
    ------
    ImportError
        If matplotlib is not there; the message names the extra that brings it.
    """
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install 'disclosure-auditor[plot]'") from error
    return pyplot.subplots(layout="constrained")[1]
