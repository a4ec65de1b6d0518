"""How large the blocks of equal degree are."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, grouped_bars
from auditor.reports.charts.size_classes import HATCH, class_label, exposed_zone, size_classes
from graphkit.numbers import count


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
        [class_label(*bounds, " "), *(count(values[i]) for values in heights)] for i, bounds in enumerate(classes)
    )
    return Chart(
        "blocks",
        "How large the blocks are",
        _described(shown, heights, exposed, k),
        ("vertices that share the degree", "number of degrees"),
        [HATCH, exposed_zone((RIGHT - LEFT) / len(classes) * exposed, k), *bars],
        [(centre, class_label(*bounds, "\n")) for centre, bounds in zip(centres, classes, strict=True)],
        [(y(value), count(round(value))) for value in y.ticks()],
        "bar",
        legend,
        "vertices that share it",
        rows,
        x_grid=False,
    )


def _blocks_within(blocks: NDArray[np.int64], first: int, last: int | None) -> int:
    return int(((blocks >= first) & (blocks <= (last if last is not None else np.iinfo(np.int64).max))).sum())


def _described(
    shown: Sequence[tuple[Series, NDArray[np.int64]]], heights: list[list[int]], exposed: int, k: int
) -> str:
    return " ".join(
        f"{series[1].capitalize()}: degrees of one vertex alone {count(values[0])}, of fewer than {count(k)} vertices "
        f"{count(sum(values[:exposed]))}, of {count(k)} or more {count(sum(values[exposed:]))}."
        for (series, _), values in zip(shown, heights, strict=True)
    )
