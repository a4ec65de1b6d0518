"""Find the benchmarks, run them, and keep docs/performance.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import cast

from auditor.errors import NotFound
from benchmarks.cell import Cell
from benchmarks.row import Row

__all__ = ["available", "chosen", "machine", "write_cells", "write_rows"]

Run = Callable[[Path | None], Iterable[Row | Cell]]

_HERE = Path(__file__).resolve().parent
_BEGIN, _END = "<!-- measured rows: written by `make bench` -->", "<!-- end of measured rows -->"
_HEAD = "| work | value | bar | peer | machine | date |"
_CELLS_HEAD = "| network, k | n | m | edges added | proven bound | gap | status | seconds | others | machine | date |"
_CELLS_TITLE = """\
# Figures of degree anonymization

Every cell of `auditor benchmark degree`, of which [performance.md](performance.md) has the summary: new edges of the
default method, the bound proven on any solution, and seconds of the engine alone, the graph in memory; all verified.
Barabási–Albert graphs are those of networkx with the seed that stands there.
"""


def available() -> list[str]:
    """Return the names of all benchmarks, sorted; of one with parts, the names of its parts.

    Examples
    --------
    >>> "cli" in available(), "degree-sparse" in available()
    (True, True)
    """
    return [name for benchmark in _benchmarks() for name in _runs(benchmark)]


def chosen(names: Sequence[str]) -> dict[str, Run]:
    """Return what to call for the benchmarks of these names, each once; all of them for none.

    Parameters
    ----------
    names : sequence of str
        A benchmark (``degree``) means all its parts; a part is named with it (``degree-sparse``).

    Returns
    -------
    dict
        Each is called with the folder that has the cited networks as ``NAME.npz`` (arrays ``edges`` and ``n``) and
        tables as ``NAME.csv``, or None, and gives its figures as it measures them; it leaves out those whose instance
        is not there.

    Raises
    ------
    NotFound
        If there is no benchmark of a name.
    """
    benchmarks = _benchmarks()
    found: dict[str, Run] = {}
    for name in names or benchmarks:
        benchmark = name.split("-")[0]
        runs = _runs(benchmark) if benchmark in benchmarks else {}
        if name not in (benchmark, *runs) or not runs:
            raise NotFound(f"no benchmark '{name}'; there are {', '.join(available())}")
        found |= runs if name == benchmark else {name: runs[name]}
    return found


def _benchmarks() -> list[str]:
    return sorted(path.stem.removeprefix("bench_") for path in _HERE.glob("bench_*.py"))


def _runs(benchmark: str) -> dict[str, Run]:
    """Return what to call for each part of a benchmark, or for the whole where it has none."""
    module = import_module(f"benchmarks.bench_{benchmark}")
    if hasattr(module, "PARTS"):
        return {f"{benchmark}-{part}": cast("Run", run) for part, run in module.PARTS.items()}
    return {benchmark: cast("Run", module.run)}


def machine() -> str:
    """Return what this machine is, in a few words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores {platform.machine()}, {memory:.0f} GiB, Python {platform.python_version()}"


def write_rows(rows: Iterable[Row], page: Path, *, where: str, date: str | None = None) -> None:
    """Put rows into the table of a page, in place of older rows for the same work.

    Parameters
    ----------
    rows : iterable of Row
    page : Path
        Markdown; the table stands between two comments, and is added where they are missing.
    where : str
        The machine.
    date : str, optional
        Today by default.
    """
    cells = [[row.work, f"{row.value:.4g} {row.unit}", row.limit, row.peer] for row in rows]
    _write_table(page, "# Performance\n", _HEAD, cells, (where, date))


def write_cells(cells: Iterable[Cell], page: Path, *, where: str, date: str | None = None) -> None:
    """Put cells into the table of a page, in place of older ones for the same network and k.

    Parameters as for :func:`write_rows`.
    """
    lines = [
        [cell.work, *map(str, (cell.n, cell.m, cell.edges, cell.bound)), *_quality(cell), cell.peer] for cell in cells
    ]
    _write_table(page, _CELLS_TITLE, _CELLS_HEAD, lines, (where, date))


def _quality(cell: Cell) -> tuple[str, str, str]:
    return f"{100 * cell.gap:.3g} %", cell.status, f"{cell.seconds:.3f}"


def _write_table(
    page: Path, title: str, head: str, lines: Sequence[Sequence[str]], measured_on: tuple[str, str | None]
) -> None:
    """Put lines into the table between the two comments; the first column tells which older line one replaces."""
    where, date = measured_on
    date = date or datetime.now(UTC).date().isoformat()
    text = page.read_text(encoding="utf-8") if page.exists() else title
    if _BEGIN not in text:
        text = f"{text.rstrip()}\n\n{_BEGIN}\n{_END}\n"
    before, rest = text.split(_BEGIN, 1)
    old, after = rest.split(_END, 1)
    rule = "|" + "---|" * head.count(" | ") + "---|"
    kept = {line.split(" | ")[0]: line for line in old.splitlines() if line.startswith("| ")}
    kept.pop(head.split(" | ")[0], None)
    for cells in lines:
        line = "| " + " | ".join(cell.replace("|", "\\|") for cell in (*cells, where, date)) + " |"
        kept[line.split(" | ")[0]] = line
    page.write_text(
        "\n".join([f"{before}{_BEGIN}", "", head, rule, *kept.values(), "", f"{_END}{after}"]), encoding="utf-8"
    )
