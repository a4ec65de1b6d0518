"""How large the blocks of equal degree are."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, grouped_bars, text, tidy
from graphkit.numbers import count

_HATCH = Markup(
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="2.4" height="6"/>'
    "</pattern></defs>"
)


def size_classes(k: int) -> list[tuple[int, int | None]]:
    """Return classes of block sizes, first and last size of each; k begins one, and the last has no end.

    Examples
    --------
    >>> size_classes(5)
    [(1, 1), (2, 4), (5, 9), (10, 49), (50, 499), (500, None)]
    >>> size_classes(2)
    [(1, 1), (2, 3), (4, 19), (20, 199), (200, None)]
    """
    below: list[tuple[int, int | None]] = [(1, 1), (2, k - 1)] if k > 2 else [(1, 1)]
    return [*below, (k, 2 * k - 1), (2 * k, 10 * k - 1), (10 * k, 100 * k - 1), (100 * k, None)]


def block_sizes_chart(shown: Sequence[tuple[Series, NDArray[np.int64]]], k: int) -> Chart | None:
    """Return how many degrees are shared by how many vertices, a bar for each class of sizes; None without vertices.

    Parameters
    ----------
    shown : sequence of (series, block sequence)
        What to draw, the original first.
    k : int
        Required block size.
    """
    shown = [(series, blocks) for series, blocks in shown if blocks.any()]
    if not shown:
        return None
    classes = size_classes(k)
    heights = [[_blocks_within(blocks, *bounds) for bounds in classes] for _, blocks in shown]
    y = LinearScale(0, max(1, max(map(max, heights))) * 1.25, BOTTOM, TOP, whole=True)
    legend = tuple(series for series, _ in shown)
    centres, bars = grouped_bars(legend, heights, y, count)
    exposed = sum(last is not None and last < k for _, last in classes)
    rows: tuple[Row, ...] = tuple(
        [_class_label(*bounds, " "), *(count(values[i]) for values in heights)] for i, bounds in enumerate(classes)
    )
    return Chart(
        "blocks",
        "How large the blocks are",
        _described(shown, heights, exposed, k),
        ("vertices that share the degree", "number of degrees"),
        [_HATCH, _exposed_zone((RIGHT - LEFT) / len(classes) * exposed, k), *bars],
        [(centre, _class_label(*bounds, "\n")) for centre, bounds in zip(centres, classes, strict=True)],
        [(y(value), count(round(value))) for value in y.ticks()],
        "bar",
        legend,
        "vertices that share it",
        rows,
        x_grid=False,
    )


def _blocks_within(blocks: NDArray[np.int64], first: int, last: int | None) -> int:
    return int(((blocks >= first) & (blocks <= (last if last is not None else np.iinfo(np.int64).max))).sum())


def _class_label(first: int, last: int | None, between: str) -> str:
    if last is None:
        return f"{count(first)}{between}or more"
    if first == last:
        return count(first)
    short = f"{count(first)}–{count(last)}"
    return short if len(short) <= 6 or between == " " else f"{count(first)}–{between}{count(last)}"


def _exposed_zone(width: float, k: int) -> Markup:
    zone = Markup('<rect class="exposed" x="{}" y="{}" width="{}" height="{}"/>').format(
        LEFT, TOP, tidy(width), BOTTOM - TOP
    )
    line = Markup('<path class="limit" d="M{},{}V{}"/>').format(tidy(LEFT + width), TOP, BOTTOM)
    return zone + line + text(LEFT + 6, TOP + 15, f"below k = {count(k)}", "note", "start")


def _described(
    shown: Sequence[tuple[Series, NDArray[np.int64]]], heights: list[list[int]], exposed: int, k: int
) -> str:
    return " ".join(
        f"{series[1].capitalize()}: degrees of one vertex alone {count(values[0])}, of fewer than {count(k)} vertices "
        f"{count(sum(values[:exposed]))}, of {count(k)} or more {count(sum(values[exposed:]))}."
        for (series, _), values in zip(shown, heights, strict=True)
    )
