"""The figures as data files, as pictures and on two short pages: all rendered from the record, nothing else."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.cell import Cell
from benchmarks.pictures import areas, bars_picture, gaps_picture, times_picture
from benchmarks.record import Measured, Record
from benchmarks.row import Row

CELLS_PAGE = "degree-figures.md"
"""Stands beside the page of rows."""
FOLDER = "figures"
"""Stands beside the page of rows, too: the record, the data files and the pictures."""
RECORD = f"{FOLDER}/performance.json"

_BEGIN, _END = "<!-- measured rows: written by `make bench` -->", "<!-- end of measured rows -->"
_TITLE = "# Performance\n"
_CELLS_TITLE = """\
# Figures of degree anonymization

Each cell of `auditor benchmark degree` is a network and a k; [performance](performance.md) has the other figures.
"""


def write_pages(record: Record, page: Path) -> None:
    """Write the record, data files and pictures into the folder of figures beside a page, and what they show into it.

    Parameters
    ----------
    record : Record
    page : Path
        Markdown; what was measured stands between two comments, or at the end. What is around them stays. The page of
        cells lies beside it.
    """
    (page.parent / FOLDER).mkdir(exist_ok=True)
    record.write(page.parent / RECORD)
    for name, text in files_of(record).items():
        (page.parent / FOLDER / name).write_text(text, encoding="utf-8")
    for path, title in ((page, _TITLE), (page.with_name(CELLS_PAGE), _CELLS_TITLE)):
        text = path.read_text(encoding="utf-8") if path.exists() else title
        path.write_text(rendered(record, text, cells=path.name == CELLS_PAGE), encoding="utf-8")


def files_of(record: Record) -> dict[str, str]:
    """Return the data files and pictures of a record, by name."""
    cells = _cells(record)
    rows = [
        (name, row.work, row.value, row.unit, row.bar, "at least" if row.at_least else "at most", row.holds, row.peer)
        for name, measured in sorted(record.measured.items())
        for row in measured.rows
    ]
    columns = ("n", "m", "k", "edges", "bound", "status", "seconds", "effort", "peer")
    return {
        "performance.csv": _csv(("benchmark", "work", "value", "unit", "bar", "side", "holds", "peer"), rows),
        "degree.csv": _csv(("work", *columns), [[cell.work, *(getattr(cell, of) for of in columns)] for cell in cells]),
        "performance.svg": bars_picture(record).text_of(),
        "degree-gaps.svg": gaps_picture(cells).text_of(),
        "degree-times.svg": times_picture(cells).text_of(),
    }


def rendered(record: Record, text: str, *, cells: bool) -> str:
    """Return the text of a page with what was measured: in short, its cells or its rows."""
    if _BEGIN not in text:
        text = f"{text.rstrip()}\n\n{_BEGIN}\n{_END}\n"
    before, rest = text.split(_BEGIN, 1)
    after = rest.split(_END, 1)[1]
    parts = _cells_in_short(record) if cells else _rows_in_short(record)
    return "\n".join([f"{before}{_BEGIN}", "", f"Measured on {record.machine}.", "", *parts, "", f"{_END}{after}"])


def _rows_in_short(record: Record) -> list[str]:
    rows = [row for measured in record.measured.values() for row in measured.rows]
    barred = [row for row in rows if row.bar is not None]
    missed = [row for row in barred if not row.holds]
    said = f"{len(barred) - len(missed)} of {len(barred)} figures that have a bar are within it; {len(missed)} miss it."
    picture = f"![Each measured figure as a share of its bar, by area]({FOLDER}/performance.svg)"
    files = f"All {len(rows)} figures: [CSV]({FOLDER}/performance.csv), [JSON]({RECORD})."
    lines = [said, "", picture, "", files, ""]
    by_area = [
        (area, str(len(of)), str(sum(row.bar is not None for row in of)), str(sum(not row.holds for row in of)), dates)
        for area, of in areas(record).items()
        for dates in [_dates(record, area)]
    ]
    lines += ["## Areas", "", *_table(("area", "figures", "with a bar", "missed", "measured"), by_area), ""]
    if missed:
        lines += ["## Figures that miss their bar", "", *_table(("work", "value", "bar", "others"), map(_row, missed))]
    return lines


def _cells_in_short(record: Record) -> list[str]:
    cells = _cells(record)
    if not cells:
        return []
    parts = [
        (name.removeprefix("degree-"), *_in_short(measured))
        for name, measured in sorted(record.measured.items())
        if measured.cells
    ]
    head = ("networks", "cells", "optimal", "median gap", "largest gap", "median time", "longest time")
    days = sorted({of.date for of in record.measured.values() if of.cells})
    return [
        f"Measured {' and '.join(days)}. *Optimal* are cells whose number of edges equals the bound.",
        "",
        *_table(head, parts),
        "",
        "## Quality",
        "",
        f"![Gap to the proven bound, by network and k]({FOLDER}/degree-gaps.svg)",
        "",
        "## Time",
        "",
        f"![Seconds of the engine by edges of the network]({FOLDER}/degree-times.svg)",
        "",
        f"All {len(cells)} cells, with the figures of others: [CSV]({FOLDER}/degree.csv), [JSON]({RECORD}).",
        *_against(record),
    ]


def _in_short(measured: Measured) -> tuple[str, ...]:
    cells = measured.cells
    gaps, times = [100 * cell.gap for cell in cells], [cell.seconds for cell in cells]
    figures = (f"{median(gaps):.2g} %", f"{max(gaps):.2g} %", f"{median(times):.2g} s", f"{max(times):.3g} s")
    return str(len(cells)), str(sum(cell.is_optimal for cell in cells)), *figures


def _against(record: Record) -> list[str]:
    """Return how the cells differ from what the version before made of them, and those that do."""
    if record.before is None:
        return []
    lines, better, worse, same = [], 0, 0, 0
    for cell in _cells(record):
        if cell.work not in record.before.cells:
            continue
        edges, bound, seconds = record.before.cells[cell.work]
        better += cell.edges < edges or cell.bound > bound
        worse += cell.edges > edges or cell.bound < bound
        same += (cell.edges, cell.bound) == (edges, bound)
        if (cell.edges, cell.bound) != (edges, bound):
            figures = (edges, cell.edges), (bound, cell.bound), (f"{seconds:.1f}", f"{cell.seconds:.1f}")
            lines.append((cell.work, *(f"{old} → {new}" for old, new in figures)))
    said = f"Compared with version {record.before.version}: {same} cells have the same edges and bound, {better} are "
    said += f"better, {worse} are worse."
    table = _table(("network, k", "edges", "bound", "seconds"), lines)
    return ["", "## Against the version measured before", "", said, *(["", *table] if table else [])]


def _cells(record: Record) -> list[Cell]:
    return [cell for _, measured in sorted(record.measured.items()) for cell in measured.cells]


def _dates(record: Record, area: str) -> str:
    """Return the first and the last day on which an area was measured."""
    days = sorted(of.date for name, of in record.measured.items() if name.split("-")[0].replace("_", " ") == area)
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def _csv(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue()


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; none where it would be empty."""
    shown = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *shown] if shown else []


def _row(row: Row) -> tuple[str, ...]:
    return row.work, f"{row.value:.6g} {row.unit}", row.limit, row.peer
