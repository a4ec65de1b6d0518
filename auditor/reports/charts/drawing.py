"""The frame that every chart shares: axes, grid, titles for readers who do not see it, and the data as a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup, escape

WIDTH, HEIGHT = 480, 330
LEFT, RIGHT, TOP, BOTTOM = 66, 466, 40, 268

Series = tuple[str, str]
"""Class that gives a series its look (`before`, `after`), and its name in the legend."""
Row = Sequence[str]


Ticks = Sequence[tuple[float, str]]
"""Places on an axis, each with its label."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and the data in it."""

    name: str
    """Unique on the page, for references within it."""
    title: str
    about: str
    """What to see in it, for readers who do not see it and those who wonder."""
    axis_titles: tuple[str, str]
    """Of the horizontal and the vertical axis; the latter is written above it."""
    marks: Sequence[Markup]
    """What lies on the grid."""
    x_ticks: Ticks
    y_ticks: Ticks
    swatch: Literal["bar", "dot", "line"]
    """How the legend shows a series."""
    legend: tuple[Series, ...]
    of_rows: str
    """What a row of the data is about: the title of its first column."""
    rows: tuple[Row, ...]
    x_grid: bool = True
    """Whether vertical lines are drawn."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Titles of the columns of the data: that of the rows, then the series."""
        return (self.of_rows, *(series for _, series in self.legend))

    @property
    def svg(self) -> Markup:
        """The chart as an image with a title and a description."""
        parts = [
            Markup('<svg class="chart" role="img" viewBox="0 0 {0} {1}" aria-labelledby="{2}-t {2}-d">').format(
                WIDTH, HEIGHT, self.name
            ),
            Markup('<title id="{0}-t">{1}</title><desc id="{0}-d">{2}</desc>').format(
                self.name, self.title, self.about
            ),
            text(6, 18, self.axis_titles[1], "axis", "start"),
            text((LEFT + RIGHT) / 2, HEIGHT - 6, self.axis_titles[0], "axis"),
        ]
        for y, label in self.y_ticks:
            parts.append(_line("grid", LEFT, y, RIGHT, y))
            parts.append(text(LEFT - 8, y + 5, label, "tick", "end"))
        for x, label in self.x_ticks:
            if self.x_grid:
                parts.append(_line("grid", x, TOP, x, BOTTOM))
            parts.append(_tick_label(x, label))
        parts.append(_line("base", LEFT, BOTTOM, RIGHT, BOTTOM))
        return Markup("").join([*parts, *self.marks, Markup("</svg>")])


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


def grouped_bars(
    legend: Sequence[Series],
    values: Sequence[Sequence[float]],
    y: Callable[[float], float],
    words: Callable[[Any], str],
    fill: float = 0.8,
) -> tuple[list[float], list[Markup]]:
    """Return the centres of groups of bars, and the bars: one in each group for each series.

    Parameters
    ----------
    legend : sequence of series
    values : sequence of sequence of float
        Of each series, one value a group.
    y : callable
        Scale of the values.
    words : callable
        Label of a value.
    fill : float, optional
        Share of a group that the bars may take.
    """
    group = (RIGHT - LEFT) / len(values[0])
    centres = [LEFT + group * (i + 0.5) for i in range(len(values[0]))]
    width = min(28.0, group * fill / len(values))
    bars = [
        bar(kind, centre + (j - len(values) / 2) * width, width - 2, y(value), words(value))
        for j, ((kind, _), row) in enumerate(zip(legend, values, strict=True))
        for centre, value in zip(centres, row, strict=True)
    ]
    return centres, bars


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
