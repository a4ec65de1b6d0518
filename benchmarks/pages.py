"""docs/performance.md and docs/degree-figures.md: rendered from the record, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.cell import Cell
from benchmarks.record import Record
from benchmarks.row import Row

CELLS_PAGE = "degree-figures.md"
"""Stands beside the page of rows."""
RECORD = "performance.json"
"""Stands beside the page of rows, too."""

_BEGIN, _END = "<!-- measured rows: written by `make bench` -->", "<!-- end of measured rows -->"
_HEAD = ("work", "value", "bar", "", "peer")
_CELLS_HEAD = ("network, k", "n", "m", "edges added", "proven bound", "gap", "status", "seconds", "work", "others")
_TITLE = "# Performance\n"
_CELLS_TITLE = """\
# Figures of degree anonymization

Every cell of `auditor benchmark degree`, of which [performance.md](performance.md) has the summary: new edges of the
default method, the bound proven on any solution, seconds of the engine alone, the graph in memory, and the work that
was counted, about a second each; all verified.
Barabási–Albert graphs are those of networkx with the seed that stands there.
"""


def write_pages(record: Record, page: Path) -> None:
    """Write the record beside a page, and its figures into the page and the page of cells beside it.

    Parameters
    ----------
    record : Record
    page : Path
        Markdown; the tables stand between two comments, or at the end. What is around them stays.
    """
    record.write(page.with_name(RECORD))
    for path, title in ((page, _TITLE), (page.with_name(CELLS_PAGE), _CELLS_TITLE)):
        text = path.read_text(encoding="utf-8") if path.exists() else title
        path.write_text(rendered(record, text, cells=path.name == CELLS_PAGE), encoding="utf-8")


def rendered(record: Record, text: str, *, cells: bool) -> str:
    """Return the text of a page with the figures of a record: its cells, or its rows."""
    if _BEGIN not in text:
        text = f"{text.rstrip()}\n\n{_BEGIN}\n{_END}\n"
    before, rest = text.split(_BEGIN, 1)
    after = rest.split(_END, 1)[1]
    said = f"Measured on {record.machine}."
    tables = []
    for name, measured in sorted(record.measured.items()):
        table = _table(_CELLS_HEAD, map(_cell, measured.cells)) if cells else _table(_HEAD, map(_row, measured.rows))
        if table:
            run = f"Version {measured.version}, {measured.date}."
            tables += [f"## {name}", "", run, "", *table, ""]
    if not cells:
        tables += _against(record)
    return "\n".join([f"{before}{_BEGIN}", "", said, "", *tables, f"{_END}{after}"])


def _against(record: Record) -> list[str]:
    """Return the cells that are not what the version before made of them, and how many are better or worse."""
    if record.before is None:
        return []
    lines, better, worse, same = [], 0, 0, 0
    for cell in (cell for measured in record.measured.values() for cell in measured.cells):
        if cell.work not in record.before.cells:
            continue
        edges, bound, seconds = record.before.cells[cell.work]
        better += cell.edges < edges or cell.bound > bound
        worse += cell.edges > edges or cell.bound < bound
        same += (cell.edges, cell.bound) == (edges, bound)
        if (cell.edges, cell.bound) != (edges, bound):
            figures = (edges, cell.edges), (bound, cell.bound), (f"{seconds:.1f}", f"{cell.seconds:.1f}")
            lines.append((cell.work, *(f"{old} → {new}" for old, new in figures)))
    said = f"Of version {record.before.version}: {same} cells with the same edges and bound, {better} with better, "
    said += f"{worse} with worse ones; those that changed:"
    table = _table(("network, k", "edges", "bound", "seconds"), lines)
    return ["## degree: against the version measured before", "", said, "", *table, ""]


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; none where it would be empty."""
    shown = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *shown] if shown else []


def _row(row: Row) -> tuple[str, ...]:
    return row.work, f"{row.value:.4g} {row.unit}", row.limit, "" if row.holds else "**missed**", row.peer


def _cell(cell: Cell) -> tuple[str, ...]:
    effort = f"{cell.effort:.3f}" if cell.effort else ""
    figures = map(str, (cell.n, cell.m, cell.edges, cell.bound))
    return cell.work, *figures, f"{100 * cell.gap:.3g} %", cell.status, f"{cell.seconds:.3f}", effort, cell.peer
