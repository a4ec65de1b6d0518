"""The categories of one attribute, before and after."""

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Series, grouped_bars
from auditor.reports.names import readable
from auditor.subjects.microdata.exports.generalized.effects import CategoryShares
from graphkit.numbers import share

_SERIES: tuple[Series, ...] = (("before", "original"), ("after", "released"))
_LONGEST = 9
_CHARACTER = 7.5
"""Width of one in a label."""


def categories_chart(found: CategoryShares, *, place: int) -> Chart:
    """Return the share of the records that have each category, as pairs of bars.

    Parameters
    ----------
    found : CategoryShares
    place : int
        Number of the chart on the page.
    """
    total = sum(found.before)
    shares = [[count / total for count in counts] for counts in (found.before, found.after)]
    y = LinearScale(0, max(map(max, shares)) * 1.2 or 1.0, BOTTOM, TOP)
    centres, bars = grouped_bars(_SERIES, shares, y, lambda value: "")
    names = [readable(name) for name in found.categories]
    labels = [_short(name) for name in names]
    if max(map(len, labels)) * _CHARACTER > (RIGHT - LEFT) / len(labels):
        # every second one a line lower
        labels = [f"\N{NO-BREAK SPACE}\n{label}" if at % 2 else label for at, label in enumerate(labels)]
    return Chart(
        f"categories-{place}",
        readable(found.attribute),
        f"Share of the records by category of {readable(found.attribute)}. A released record counts in equal parts for "
        "all categories that it may have.",
        (readable(found.attribute), "share of the records"),
        bars,
        list(zip(centres, labels, strict=True)),
        [(y(value), share(value)) for value in y.ticks()],
        "bar",
        _SERIES,
        "category",
        tuple([name, *(share(row[at]) for row in shares)] for at, name in enumerate(names)),
        x_grid=False,
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
