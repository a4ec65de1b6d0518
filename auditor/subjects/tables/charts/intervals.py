"""What is known of the cells of a table: an interval a cell, the narrowest first."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.formats.tables.names import quoted
from auditor.reports.charts.axes import LinearScale, LogScale
from auditor.reports.charts.drawing import tidy
from auditor.subjects.tables.charts.picture import fitted, hover, label, listed, page
from graphkit.hierarchies.variable import Variable
from graphkit.numbers import count, tick

MOST_BARS = 200
"""The most intervals in one picture."""

_ROW, _TOP, _BARS, _LETTER, _GAP = 17, 124, 440, 7.4, 12
_MOST_LEFT, _LEAST_WIDTH = 620, 760
_WORDS = {
    "exact": "exactly determined",
    "sharp": "sharp: both ends are possible",
    "outer": "outer: perhaps narrower",
    "timeout": "timeout: perhaps narrower",
}
_STYLE = (
    ".sharp{fill:#0072b2;stroke:#0072b2}.outer{fill:#f6dca6;stroke:#a86f00;stroke-width:1.2}"
    ".timeout{fill:#fff;stroke:#b34700;stroke-width:1.4;stroke-dasharray:3 2}.exact{fill:#111;stroke:#111}"
    ".row{stroke:#eef0f3;stroke-width:1}.head{font-weight:600}.value{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
)


def intervals_picture(
    name: str,
    given: Sequence[str],
    variables: Sequence[Variable],
    cells: NDArray[np.int64],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    status: Sequence[str],
) -> str:
    """Return a picture of the bounds of cells: no true count is in it, but where a cell has no other choice.

    Parameters
    ----------
    name : str
        Of the table.
    given : sequence of str
        The marginals that the bounds follow from, in words; those of them that fit stand below the title.
    variables : sequence of Variable
    cells : ndarray of int64, shape (m,)
        Numbers of the cells in C order.
    lower, upper : ndarray of int64, shape (m,)
    status : sequence of str
        ``sharp``, ``outer`` or ``timeout``, of each.

    Notes
    -----
    At most :data:`MOST_BARS` cells, those with the narrowest intervals; counts on a logarithmic scale where they are
    beyond 100, so that narrow intervals are seen beside wide ones.
    """
    order = narrowest(lower, upper)[:MOST_BARS]
    columns, left = _columns(variables)
    codes = np.array(np.unravel_index(cells[order], [variable.size for variable in variables]))
    highest = max(int(upper[order].max(initial=0)), 1)
    logarithmic = highest > 100
    start, end = left + 24.0, left + 24.0 + _BARS
    x = LogScale(0, highest, start, end, shift=1) if logarithmic else LinearScale(0, highest, start, end, whole=True)
    bottom = _TOP + _ROW * order.size
    marks = _axis(x, bottom, logarithmic)
    for (place, most), variable in zip(columns, variables, strict=True):
        marks.append(hover(variable.name, label(place, _TOP - 10, fitted(variable.name, most), "head")))
    kinds = []
    for row, i in enumerate(order.tolist()):
        y = _TOP + _ROW * row
        low, high = int(lower[i]), int(upper[i])
        kind = "exact" if low == high else status[i]
        kinds.append(kind)
        shown = [v.categories[code] for v, code in zip(variables, codes[:, row].tolist(), strict=True)]
        words = f"= {count(low)}" if low == high else f"{count(low)}–{count(high)}"
        full = ", ".join(f"{quoted(v.name)}={quoted(category)}" for v, category in zip(variables, shown, strict=True))
        texts = [
            label(place, y + 12, fitted(category, most)) for (place, most), category in zip(columns, shown, strict=True)
        ]
        line = Markup('<path class="row" d="M16,{}H{}"/>').format(y + _ROW, tidy(end))
        value = label(x(high) + 8, y + 12.5, words, "value")
        marks.append(hover(f"{full}: {words} ({_WORDS[kind]})", line, *texts, _mark(kind, x(low), x(high), y), value))
    present = [kind for kind in _WORDS if kind in kinds]
    title = f"{name}: bounds of the cells"
    cut = f"the {count(order.size)} narrowest of {count(cells.size)} cells; " if order.size < cells.size else ""
    room = int((end + 60) / _LETTER) - len(cut) - len("from ")
    marks.append(label(16, 48, f"{cut}from {listed(given, room)}", "quiet"))
    marks += _legend(present)
    counted = ", ".join(f"{_WORDS[kind]} {count(kinds.count(kind))}" for kind in present)
    drawn = f"{count(order.size)} of {count(cells.size)} cells"
    about = f"Intervals of possible counts of {drawn}, from {' and '.join(given)}. {counted}."
    return page(max(end + 110, _LEAST_WIDTH), bottom + 40, title, about, _STYLE, marks)


def narrowest(lower: NDArray[np.int64], upper: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of intervals by width, then by upper end, then as they come.

    Examples
    --------
    >>> narrowest(np.array([0, 2, 0]), np.array([9, 2, 1])).tolist()
    [1, 2, 0]
    """
    return np.lexsort((upper, upper - lower))


def _columns(variables: Sequence[Variable]) -> tuple[list[tuple[float, int]], float]:
    """Return where the categories of each variable stand and how many letters they may have, and where they end."""
    longest = [max(len(variable.name), *map(len, variable.categories)) for variable in variables]
    for most in (24, 16, 12, 9, 7, 5, 4, 3):
        letters = [min(length, most) for length in longest]
        widths = [number * _LETTER + _GAP for number in letters]
        if sum(widths) <= _MOST_LEFT:
            break
    places, place = [], 16.0
    for number, width in zip(letters, widths, strict=True):
        places.append((place, number))
        place += width
    return places, place


def _axis(x: LinearScale | LogScale, bottom: float, logarithmic: bool) -> list[Markup]:
    marks = []
    for value in x.ticks():
        place = x(value)
        marks.append(Markup('<path class="grid" d="M{},{}V{}"/>').format(tidy(place), _TOP - 4, tidy(bottom + 4)))
        marks.append(label(place, _TOP - 10, tick(value), "quiet", "middle"))
        marks.append(label(place, bottom + 18, tick(value), "quiet", "middle"))
    words = "possible counts" + (", logarithmic" if logarithmic else "")
    return [*marks, label(x.start, _TOP - 27, words, "quiet")]


def _mark(kind: str, start: float, end: float, y: float) -> Markup:
    middle = y + _ROW / 2
    if kind == "exact":
        return Markup('<path class="exact" d="M{},{}m0-5l5,5l-5,5l-5-5z"/>').format(tidy(start), tidy(middle))
    height = 9 if kind == "sharp" else 7
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
        kind, tidy(start), tidy(middle - height / 2), tidy(max(end - start, 2)), height
    )


def _legend(kinds: Sequence[str]) -> list[Markup]:
    marks, place = [], 16.0
    for kind in kinds:
        marks.append(_mark(kind, place + (8 if kind == "exact" else 0), place + 24, 57.5))
        marks.append(label(place + 30, 70, _WORDS[kind]))
        place += 48 + len(_WORDS[kind]) * 6.2
    return marks
