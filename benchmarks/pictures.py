"""The pictures of the figures: how far each is from its bar, and how good and how fast degree anonymization is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.cell import Cell
from benchmarks.record import Record
from benchmarks.row import Row
from benchmarks.svg import WIDTH, Drawing

_LEFT, _RIGHT = 120.0, WIDTH - 20.0
_STEP = 7.0
"""Height of a dot with its space, where several lie beside each other."""


def areas(record: Record) -> dict[str, list[Row]]:
    """Return the figures by area: the first word of the name of their benchmark."""
    found: dict[str, list[Row]] = {}
    for name, measured in sorted(record.measured.items()):
        found.setdefault(name.split("-")[0].replace("_", " "), []).extend(measured.rows)
    return {area: rows for area, rows in found.items() if rows}


def used(row: Row) -> float | None:
    """Return the share of its bar that a figure uses: above 1 it misses it; none without a bar, or with a bar of 0.

    Examples
    --------
    >>> used(Row("time", 1.0, "s", bar=4.0)), used(Row("share", 50.0, "%", bar=75.0, at_least=True))
    (0.25, 1.5)
    """
    if not row.bar:
        return None
    if row.at_least:
        return row.bar / row.value if row.value else math.inf
    return row.value / row.bar


def bars_picture(record: Record) -> Drawing:
    """Return a lane an area, with a mark for each figure at the share of its bar that it uses."""
    low, high = 0.001, 3.0
    lanes = {area: [(used(row), row) for row in rows if used(row) is not None] for area, rows in areas(record).items()}
    places = {area: list(_swarm([_log(x or 0, low, high) for x, _ in of])) for area, of in lanes.items() if of}
    heights = {area: max(26.0, 14 + max(abs(up) for _, up in of) * 2) for area, of in places.items()}
    bottom = 30 + sum(heights.values())
    drawing = Drawing("Each measured figure as a share of its bar, by area", bottom + 60)
    for share, words in ((0.001, "1/1000 or less"), (0.01, "1/100"), (0.1, "1/10"), (1.0, "the bar")):
        x = _log(share, low, high)
        drawing.line(x, 24, x, bottom, "bar" if share == 1 else "line")
        drawing.text(x, 16, words, anchor="middle", kind="small")
    y = 30.0
    for area, of in places.items():
        middle = y + heights[area] / 2
        drawing.text(6, middle + 4, area)
        for (x, up), (_, row) in zip(of, lanes[area], strict=True):
            title = f"{row.work}: {row.value:.4g} {row.unit} (bar {row.limit})"
            if row.holds:
                drawing.dot(x, middle + up, "good", title=title)
            else:
                drawing.diamond(x, middle + up, "bad", title=title)
        y += heights[area]
        drawing.line(_LEFT, y, _RIGHT, y)
    drawing.dot(_LEFT, bottom + 22, "good", title="within")
    drawing.text(_LEFT + 12, bottom + 26, "within its bar")
    drawing.diamond(_LEFT + 140, bottom + 22, "bad", title="missed")
    drawing.text(_LEFT + 152, bottom + 26, "misses it: a fault to mend")
    drawing.text(_LEFT, bottom + 48, "← better, on a logarithmic scale", kind="small")
    return drawing


def gaps_picture(cells: Sequence[Cell]) -> Drawing:
    """Return a row a network and a column a k; each box shows the gap to the proven bound, in percent."""
    networks = dict.fromkeys(_network(cell) for cell in cells)
    ks = sorted({cell.k for cell in cells})
    left, top, step = 150.0, 40.0, 22.0
    width = (WIDTH - left - 4) / max(len(ks), 1)
    drawing = Drawing("Gap to the proven bound by network and k", top + step * len(networks) + 40)
    drawing.text(left, 14, "gap to the proven bound in percent, by k", kind="small")
    for column, k in enumerate(ks):
        drawing.text(left + width * (column + 0.5), 32, str(k), anchor="middle", kind="small")
    rows = {name: top + step * number for number, name in enumerate(networks)}
    for name, y in rows.items():
        drawing.text(6, y + 15, name)
    for cell in cells:
        x, y = left + width * ks.index(cell.k), rows[_network(cell)]
        shade = _shade(cell)
        title = f"{cell.work}: {cell.edges} edges, at least {cell.bound}"
        drawing.box(x + 1, y + 1, width - 2, step - 2, shade, title=title)
        ink = "light" if shade in ("s0", "s1", "bad") else "dark"
        drawing.text(x + width / 2, y + 15, _percent(cell), anchor="middle", kind=ink)
    y = top + step * len(networks) + 12
    for number, words in enumerate(("0: proven optimal", "up to 0.1", "up to 1", "up to 2", "more")):
        x = left + (0, 120, 205, 280, 355)[number]
        drawing.box(x, y, 14, 14, f"s{number}")
        drawing.text(x + 18, y + 11, words, kind="small")
    return drawing


def times_picture(cells: Sequence[Cell]) -> Drawing:
    """Return a mark a cell: the edges of the network against the seconds of the engine, both logarithmic."""
    low, high, fast, slow = 50.0, 2e6, 0.001, 300.0
    top, bottom = 20.0, 300.0
    drawing = Drawing("Seconds of the engine by edges of the network", bottom + 70)

    def place(cell: Cell) -> tuple[float, float]:
        share = _share(cell.seconds, fast, slow)
        return _log(cell.m, low, high), bottom - share * (bottom - top)

    for edges, words in (
        (100, "100"),
        (1000, "1000"),
        (10_000, "10 000"),
        (100_000, "100 000"),
        (1_000_000, "1 million"),
    ):
        x = _log(edges, low, high)
        drawing.line(x, top, x, bottom)
        drawing.text(x, bottom + 16, words, anchor="middle", kind="small")
    for seconds, words in ((0.001, "1 ms"), (0.01, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (100, "100 s")):
        y = bottom - _share(seconds, fast, slow) * (bottom - top)
        drawing.line(_LEFT, y, _RIGHT, y)
        drawing.text(_LEFT - 8, y + 4, words, anchor="end", kind="small")
    for cell in cells:
        x, y = place(cell)
        title = f"{cell.work}: {cell.seconds:.3g} s"
        if cell.is_valid:
            drawing.dot(x, y, "good" if cell.is_optimal else "open", title=title)
        else:
            drawing.diamond(x, y, "bad", title=title)
    drawing.text((_LEFT + _RIGHT) / 2, bottom + 34, "edges of the network", anchor="middle", kind="small")
    drawing.dot(_LEFT, bottom + 54, "good", title="optimal")
    drawing.text(_LEFT + 12, bottom + 58, "proven optimal")
    drawing.dot(_LEFT + 150, bottom + 54, "open", title="feasible")
    drawing.text(_LEFT + 162, bottom + 58, "valid, with a gap to the bound")
    return drawing


def _share(value: float, low: float, high: float) -> float:
    """Return where a value lies between two others, on a logarithmic scale, within 0 and 1."""
    return math.log(min(max(value, low), high) / low) / math.log(high / low)


def _log(value: float, low: float, high: float) -> float:
    return _LEFT + _share(value, low, high) * (_RIGHT - _LEFT)


def _swarm(places: Iterable[float]) -> Iterator[tuple[float, float]]:
    """Yield each place with a height at which no earlier mark lies: 0, then above and below in turn."""
    taken: list[tuple[float, float]] = []
    for x in places:
        level = 0
        while True:
            up = (level + 1) // 2 * _STEP * (1 if level % 2 else -1)
            if all(abs(x - other) >= _STEP or up != height for other, height in taken):
                break
            level += 1
        taken.append((x, up))
        yield x, up


def _network(cell: Cell) -> str:
    """Return the name of a network, short enough for its column.

    Examples
    --------
    >>> _network(Cell("near-clique of 50 hubs, density 0.9, seed 1 k = 5", 5000, 9000, 5, "optimal", 10, 10, 1.0))
    '50 hubs, 90 % (1)'
    >>> _network(Cell("random graph, n = 400, density 0.97, seed 2 k = 5", 400, 77406, 5, "optimal", 18, 18, 1.0))
    '400, 97 % (2)'
    >>> _network(Cell("vertex that knows all, n = 600, next 60, seed 1 k = 2", 600, 1857, 2, "optimal", 9, 9, 1.0))
    '1 of 600, 60 (1)'
    """
    name = cell.work.rsplit(" k = ", 1)[0]
    words = name.replace(",", "").split()
    if name.startswith("near-clique"):
        return f"{words[2]} hubs, {_whole(words[5])} % ({words[7]})"
    if name.startswith("random graph"):
        return f"{words[4]}, {_whole(words[6])} % ({words[8]})"
    if name.startswith("vertex that knows all"):
        return f"1 of {words[6]}, {words[8]} ({words[10]})"
    return name.replace("Barabási–Albert n = ", "BA ").replace(", seed 1", "")


def _whole(share: str) -> str:
    """Return a share as a percentage."""
    return f"{100 * float(share):.0f}"


def _shade(cell: Cell) -> str:
    if not cell.is_valid:
        return "bad"
    return f"s{sum(100 * cell.gap > limit for limit in (0, 0.1, 1, 2))}"


def _percent(cell: Cell) -> str:
    if not cell.is_valid:
        return "–"
    gap = 100 * cell.gap
    return "0" if gap == 0 else f"{gap:.2f}" if gap < 1 else f"{gap:.1f}"
