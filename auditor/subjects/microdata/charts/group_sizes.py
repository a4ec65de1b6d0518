"""How many groups of a release have how many records."""

import math

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, TOP, Chart, grouped_bars
from graphkit.arrays import Ints
from graphkit.numbers import count

_AFTER = ("after", "groups")
_MOST_BARS = 8


def group_sizes_chart(sizes: Ints, k: int) -> Chart:
    """Return the number of groups by their size, a bar for each size or range of sizes.

    Parameters
    ----------
    sizes : ndarray of int
        Records of each group.
    k : int
        Required size: the first bar begins there.
    """
    smallest, largest = min(k, int(sizes.min())), int(sizes.max())
    width = math.ceil((largest - smallest + 1) / _MOST_BARS)
    starts = range(smallest, largest + 1, width)
    heights = [int(((sizes >= start) & (sizes < start + width)).sum()) for start in starts]
    names = [count(start) if width == 1 else f"{count(start)}–{count(start + width - 1)}" for start in starts]
    y = LinearScale(0, max(heights) * 1.2, BOTTOM, TOP, whole=True)
    centres, bars = grouped_bars((_AFTER,), [heights], y, count)
    return Chart(
        "groups",
        "How large the groups are",
        f"{count(sizes.size)} groups, the smallest of {count(int(sizes.min()))} records, the largest of "
        f"{count(largest)}. Fewer records to a group lose less; none has fewer than k = {count(k)}.",
        ("records that share all published values", "number of groups"),
        bars,
        list(zip(centres, names, strict=True)),
        [(y(value), count(round(value))) for value in y.ticks()],
        "bar",
        (_AFTER,),
        "records in the group",
        tuple([name, count(height)] for name, height in zip(names, heights, strict=True)),
        x_grid=False,
    )
