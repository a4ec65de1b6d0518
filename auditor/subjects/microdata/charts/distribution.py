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
        A class of fewer records than that is joined to the next one, however few there are before or after.

    Notes
    -----
    What a class of few records would tell is a value of theirs, within its borders. Left out alone it could be computed
    from the others.
    """
    borders, rows = _joined(list(borders), [list(counts) for _, counts in shown], least)
    classes, highest = len(borders) + 1, 0.0
    width = (RIGHT - LEFT) / classes
    shares = []
    for counts in rows:
        total = max(sum(counts), 1)
        shares.append([value / total for value in counts])
        highest = max(highest, *shares[-1])
    y = LinearScale(0, highest * 1.08 or 1.0, BOTTOM, TOP)
    marks = [
        Markup('<path class="curve {}" d="{}"/>').format(kind, _steps([y(value) for value in row], width))
        for ((kind, _), _), row in zip(shown, shares, strict=True)
    ]
    names = [f"below {figure(borders[0])}"] if borders else ["all values"]
    names += [f"{figure(low)} to {figure(high)}" for low, high in pairwise(borders)]
    names += [f"{figure(borders[-1])} and above"] if borders else []
    every = math.ceil(len(borders) / _MOST_TICKS)
    ticks = [(LEFT + (at + 1) * width, figure(border)) for at, border in enumerate(borders) if at % every == 0]
    return Chart(
        f"values-{place}",
        readable(attribute),
        f"Share of the records in {counted(classes, 'class', 'classes')} of values; the first and the last are open.",
        (readable(attribute), "share of the records"),
        marks,
        ticks,
        [(y(value), share(value)) for value in y.ticks()],
        "line",
        tuple(series for series, _ in shown),
        "values",
        tuple([name, *(count(counts[at]) for counts in rows)] for at, name in enumerate(names)),
        x_grid=False,
    )


def _joined(borders: list[float], rows: list[list[int]], least: int) -> tuple[list[float], list[list[int]]]:
    """Return classes none of which has few records: these are joined to the next, or the last to the one before."""
    at = 0
    while at < len(borders) + 1 and borders:
        if any(0 < row[at] < least for row in rows):
            at = min(at, len(borders) - 1)
            del borders[at]
            for row in rows:
                row[at : at + 2] = [row[at] + row[at + 1]]
        else:
            at += 1
    return borders, rows


def _steps(heights: Sequence[float], width: float) -> str:
    path = f"M{LEFT},{BOTTOM}"
    for at, height in enumerate(heights):
        path += f"V{tidy(height)}H{tidy(LEFT + (at + 1) * width)}"
    return f"{path}V{BOTTOM}"
