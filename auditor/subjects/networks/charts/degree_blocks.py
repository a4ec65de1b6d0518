"""How many vertices share each degree, and which blocks are too small."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.reports.charts.axes import LogScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, text, tidy
from graphkit.numbers import count, tick

Blocks = NDArray[np.int64]
_LONGEST_TABLE = 400
# a ring and a smaller filled diamond: both are seen where they coincide
_MARKERS = {
    "before": "M{x},{y}m-4.5,0a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0-9,0",
    "after": "M{x},{y}m0-3.5l3.5,3.5l-3.5,3.5l-3.5-3.5z",
}


def degree_blocks_chart(shown: Sequence[tuple[Series, Blocks]], k: int) -> Chart | None:
    """Return the degree distribution, a mark for each degree that occurs; None without vertices.

    Parameters
    ----------
    shown : sequence of (series, block sequence)
        What to draw, the original first.
    k : int
        Required block size: below it lies the zone of exposed vertices.
    """
    shown = [(series, blocks) for series, blocks in shown if blocks.any()]
    if not shown:
        return None
    largest_block = max(int(blocks.max()) for _, blocks in shown)
    largest_degree = max(int(np.flatnonzero(blocks)[-1]) for _, blocks in shown)
    smallest_degree = min(int(np.flatnonzero(blocks)[0]) for _, blocks in shown)
    x = LogScale(smallest_degree, max(largest_degree, smallest_degree + 1), LEFT + 14, RIGHT - 12, shift=1)
    y = LogScale(0.7, 1.4 * max(largest_block, k), BOTTOM, TOP)
    marks = [_exposed_zone(y, k)]
    for (kind, _), blocks in shown:
        path = "".join(
            _MARKERS[kind].format(x=tidy(x(d)), y=tidy(y(int(blocks[d])))) for d in np.flatnonzero(blocks).tolist()
        )
        marks.append(Markup('<path class="dot {}" d="{}"/>').format(kind, path))
    return Chart(
        "degrees",
        "How many vertices share a degree",
        " ".join(_described(series, blocks, k) for series, blocks in shown),
        ("degree (number of edges of a vertex)", "vertices that share the degree"),
        marks,
        [(x(value), tick(value)) for value in x.ticks()],
        [(y(value), tick(value)) for value in y.ticks()],
        "dot",
        tuple(series for series, _ in shown),
        "degree",
        _table(shown),
    )


def _exposed_zone(y: LogScale, k: int) -> Markup:
    # halfway between k-1 and k, so that a block of exactly k lies clearly outside
    edge = y(k - 0.5)
    zone = Markup('<rect class="exposed" x="{}" y="{}" width="{}" height="{}"/>').format(
        LEFT, tidy(edge), RIGHT - LEFT, tidy(BOTTOM - edge)
    )
    line = Markup('<path class="limit" d="M{},{}H{}"/>').format(LEFT, tidy(edge), RIGHT)
    return zone + line + text(LEFT + 5, edge - 7, f"below k = {count(k)}", "note", "start")


def _described(series: Series, blocks: Blocks, k: int) -> str:
    occupied = blocks[blocks > 0]
    below = int((occupied < k).sum())
    return (
        f"{series[1].capitalize()}: {count(occupied.size)} degrees occur, {count(below) if below else 'none'} of them "
        f"in fewer than {count(k)} vertices."
    )


def _table(shown: Sequence[tuple[Series, Blocks]]) -> tuple[Row, ...]:
    length = max(blocks.size for _, blocks in shown)
    table = np.stack([np.pad(blocks, (0, length - blocks.size)) for _, blocks in shown], axis=1)
    degrees = np.flatnonzero(table.any(axis=1)).tolist()
    rows: list[Row] = [[count(d), *(count(value) for value in table[d].tolist())] for d in degrees[:_LONGEST_TABLE]]
    if len(degrees) > _LONGEST_TABLE:
        rows.append([f"{count(len(degrees) - _LONGEST_TABLE)} larger degrees", *("…" for _ in shown)])
    return tuple(rows)
