"""The frame that every chart shares: axes, grid, titles for readers who do not see it, and the data as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

from auditor.reports.charts.axes import Scale

WIDTH, HEIGHT = 480, 330
LEFT, RIGHT, TOP, BOTTOM = 66, 466, 40, 268

Series = tuple[str, str]
"""Class that gives a series its look (`before`, `after`), and its name in the legend."""
Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and the data in it."""

    title: str
    about: str
    """What to see in it, for readers who do not see it and those who wonder."""
    svg: Markup
    swatch: Literal["bar", "dot", "line"]
    """How the legend shows a series."""
    legend: tuple[Series, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def tidy(place: float) -> str:
    """Return a coordinate, short.

    Examples
    --------
    >>> tidy(12.0), tidy(12.345)
    ('12', '12.3')
    """
    return f"{place:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, kind: str, anchor: str = "middle") -> Markup:
    """Return words at a place."""
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        kind, tidy(x), tidy(y), anchor, words
    )


def bar(kind: str, x: float, width: float, top: float, label: str) -> Markup:
    """Return a bar with its label above, or the label alone where the bar has no height."""
    words = text(x + width / 2, top - 5, label, "value")
    if top >= BOTTOM:
        return words
    return words + Markup('<rect class="bar {}" x="{}" y="{}" width="{}" height="{}"/>').format(
        kind, tidy(x), tidy(top), tidy(width), tidy(BOTTOM - top)
    )


def frame(
    name: str,
    title: str,
    about: str,
    axis_titles: tuple[str, str],
    marks: Iterable[Markup],
    x_ticks: Iterable[tuple[float, str]],
    y_scale: Scale,
    y_labels: Iterable[tuple[float, str]],
    x_grid: bool = True,
) -> Markup:
    """Return a chart as an image with a title and a description.

    Parameters
    ----------
    name : str
        Unique on the page, for references within it.
    title, about : str
        What it is and what is to be seen in it.
    axis_titles : tuple of str
        Of the horizontal and the vertical axis; the latter is written above it.
    marks : iterable of Markup
        What lies on the grid.
    x_ticks : iterable of (place, label)
        Of the horizontal axis.
    y_scale : Scale
        Of the vertical axis.
    y_labels : iterable of (value, label)
        Of the vertical axis.
    x_grid : bool, optional
        Whether vertical lines are drawn.
    """
    parts = [
        Markup('<svg class="chart" role="img" viewBox="0 0 {0} {1}" aria-labelledby="{2}-t {2}-d">').format(
            WIDTH, HEIGHT, name
        ),
        Markup('<title id="{0}-t">{1}</title><desc id="{0}-d">{2}</desc>').format(name, title, about),
        text(6, 18, axis_titles[1], "axis", "start"),
        text((LEFT + RIGHT) / 2, HEIGHT - 6, axis_titles[0], "axis"),
    ]
    for value, label in y_labels:
        y = y_scale(value)
        parts.append(_line("grid", LEFT, y, RIGHT, y))
        parts.append(text(LEFT - 8, y + 5, label, "tick", "end"))
    for x, label in x_ticks:
        if x_grid:
            parts.append(_line("grid", x, TOP, x, BOTTOM))
        parts.append(_tick_label(x, label))
    parts.append(_line("base", LEFT, BOTTOM, RIGHT, BOTTOM))
    return Markup("").join([*parts, *marks, Markup("</svg>")])


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
        kind, tidy(x1), tidy(y1), tidy(x2), tidy(y2)
    )


def _tick_label(x: float, label: str) -> Markup:
    if "\n" not in label:
        return text(x, BOTTOM + 20, label, "tick")
    lines = Markup("").join(
        Markup('<tspan x="{}" dy="{}">{}</tspan>').format(tidy(x), "0" if i == 0 else "1.1em", escape(line))
        for i, line in enumerate(label.split("\n"))
    )
    return Markup('<text class="tick" y="{}" text-anchor="middle">{}</text>').format(BOTTOM + 18, lines)
