"""The distribution of one attribute, before and after."""

import math
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Series, tidy
from auditor.reports.names import readable
from graphkit.numbers import count, counted, figure, share

_MOST_TICKS = 5


def distribution_chart(
    attribute: str, borders: Sequence[float], shown: Sequence[tuple[Series, Sequence[int]]], *, place: int, least: int
) -> Chart:
    """Return the share of the records in each class of values, as step curves.

    Parameters
    ----------
    attribute : str
        Its name.
    borders : sequence of float
        Between the classes; the first class has no lower end, and the last no upper one.
    shown : sequence of (series, records of each class)
        What to draw, the original first.
    place : int
        Number of the chart on the page.
    least : int
        Fewer records than that in a class are not counted out, neither in the curve nor in the table.

    Notes
    -----
    What a class of few records would tell is a value of theirs, within its borders. A single class of few records can
    be computed from the others, so this is for pages that stay in the house; a page for the public draws published
    values, of which each is that of k records.
    """
    classes, highest = len(borders) + 1, 0.0
    width = (RIGHT - LEFT) / classes
    shares = []
    for _, counts in shown:
        total = max(sum(counts), 1)
        shares.append([_drawn(value, least) / total for value in counts])
        highest = max(highest, *shares[-1])
    y = LinearScale(0, highest * 1.08 or 1.0, BOTTOM, TOP)
    marks = [
        Markup('<path class="curve {}" d="{}"/>').format(kind, _steps([y(value) for value in row], width))
        for ((kind, _), _), row in zip(shown, shares, strict=True)
    ]
    names = [f"below {figure(borders[0])}"]
    names += [f"{figure(low)} to {figure(high)}" for low, high in pairwise(borders)]
    names.append(f"{figure(borders[-1])} and above")
    every = math.ceil(len(borders) / _MOST_TICKS)
    ticks = [(LEFT + (at + 1) * width, figure(border)) for at, border in enumerate(borders) if at % every == 0]
    few = sum(0 < value < least for _, counts in shown for value in counts)
    hidden = f" {counted(few, 'class has', 'classes have')} fewer than {count(least)} records." if few else ""
    return Chart(
        f"values-{place}",
        readable(attribute),
        f"Share of the records in {count(classes)} classes of values; the first and the last are open.{hidden}",
        (readable(attribute), "share of the records"),
        marks,
        ticks,
        [(y(value), share(value)) for value in y.ticks()],
        "line",
        tuple(series for series, _ in shown),
        "values",
        tuple([name, *(_count(counts[at], least) for _, counts in shown)] for at, name in enumerate(names)),
        x_grid=False,
    )


def _drawn(value: int, least: int) -> float:
    return least / 2 if 0 < value < least else value


def _count(value: int, least: int) -> str:
    return f"fewer than {count(least)}" if 0 < value < least else count(value)


def _steps(heights: Sequence[float], width: float) -> str:
    path = f"M{LEFT},{BOTTOM}"
    for at, height in enumerate(heights):
        path += f"V{tidy(height)}H{tidy(LEFT + (at + 1) * width)}"
    return f"{path}V{BOTTOM}"
