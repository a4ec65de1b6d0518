"""How wide the intervals of the protected cells are, before a release and after it."""

from itertools import pairwise

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, grouped_bars
from auditor.reports.charts.size_classes import HATCH, class_label, exposed_zone
from graphkit.arrays import Ints
from graphkit.numbers import count

_LEGEND: tuple[Series, ...] = (("before", "before"), ("after", "with this marginal"))


def interval_widths_chart(before: Ints, after: Ints, least: int) -> Chart:
    """Return the number of protected cells by the width of their interval, a pair of bars for each range of widths.

    Parameters
    ----------
    before, after : ndarray of int64, shape (m,)
        Widths of the intervals of the same cells.
    least : int
        How wide the policy has them at least: narrower ones are exposed.
    """
    ranges = _ranges(least)
    heights = [[_within(widths, *one) for one in ranges] for widths in (before, after)]
    y = LinearScale(0, max(1, *map(max, heights)) * 1.25, BOTTOM, TOP, whole=True)
    centres, bars = grouped_bars(_LEGEND, heights, y, count)
    exposed = sum(last is not None and last < least for _, last in ranges)
    narrow = [sum(values[:exposed]) for values in heights]
    rows: tuple[Row, ...] = tuple(
        [class_label(*one, " "), *(count(values[place]) for values in heights)] for place, one in enumerate(ranges)
    )
    return Chart(
        "widths",
        "How far apart the possible counts are",
        f"Of {count(before.size)} protected cells, {count(narrow[0])} have an interval narrower than {count(least)} "
        f"before the release, and {count(narrow[1])} with it.",
        ("largest minus smallest possible count", "number of protected cells"),
        [HATCH, exposed_zone((RIGHT - LEFT) / len(ranges) * exposed, least, "below "), *bars],
        [(centre, class_label(*one, "\n")) for centre, one in zip(centres, ranges, strict=True)],
        [(y(value), count(round(value))) for value in y.ticks()],
        "bar",
        _LEGEND,
        "width of the interval",
        rows,
        x_grid=False,
    )


def _ranges(least: int) -> list[tuple[int, int | None]]:
    """Return ranges of widths, first and last of each; the least one begins a range.

    Examples
    --------
    >>> _ranges(3)
    [(0, 0), (1, 2), (3, 5), (6, 29), (30, 299), (300, None)]
    >>> _ranges(1)
    [(0, 0), (1, 1), (2, 9), (10, 99), (100, None)]
    """
    starts = sorted({0, 1, least, 2 * least, 10 * least, 100 * least})
    return [*((first, after - 1) for first, after in pairwise(starts)), (starts[-1], None)]


def _within(widths: Ints, first: int, last: int | None) -> int:
    inside = widths >= first if last is None else (widths >= first) & (widths <= last)
    return int(inside.sum())
