"""How many records are in classes of which size."""

import numpy as np

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, grouped_bars
from auditor.reports.charts.size_classes import HATCH, class_label, exposed_zone, size_classes
from graphkit.microdata.risk.classes import ClassRisk
from graphkit.numbers import count, counted

_BEFORE = ("before", "records")


def class_sizes_chart(risk: ClassRisk, k: int) -> Chart | None:
    """Return the number of records by the size of their class, a bar for each range of sizes; None without records.

    Parameters
    ----------
    risk : ClassRisk
    k : int
        Required size of a class.
    """
    if not risk.n:
        return None
    # the curve steps at size + 1, by the records in classes of that size
    sizes, records = risk.curve_k - 1, np.diff(risk.curve_below, prepend=0)
    ranges = size_classes(k)
    heights = [_within(sizes, records, *bounds) for bounds in ranges]
    y = LinearScale(0, max(1, *heights) * 1.25, BOTTOM, TOP, whole=True)
    centres, bars = grouped_bars((_BEFORE,), [heights], y, count)
    exposed = sum(last is not None and last < k for _, last in ranges)
    return Chart(
        "classes",
        "How many records have company",
        f"{counted(heights[0], 'record is', 'records are')} alone with all quasi-identifiers, "
        f"{count(sum(heights[:exposed]))} in classes of fewer than {count(k)}, {count(sum(heights[exposed:]))} in "
        "larger ones.",
        ("records that share the quasi-identifiers", "number of records"),
        [HATCH, exposed_zone((RIGHT - LEFT) / len(ranges) * exposed, k), *bars],
        [(centre, class_label(*bounds, "\n")) for centre, bounds in zip(centres, ranges, strict=True)],
        [(y(value), count(round(value))) for value in y.ticks()],
        "bar",
        (_BEFORE,),
        "records in the class",
        tuple([class_label(*bounds, " "), count(height)] for bounds, height in zip(ranges, heights, strict=True)),
        x_grid=False,
    )


def _within(sizes: np.ndarray, records: np.ndarray, first: int, last: int | None) -> int:
    inside = (sizes >= first) & (sizes <= (np.iinfo(np.int64).max if last is None else last))
    return int(records[inside].sum())
