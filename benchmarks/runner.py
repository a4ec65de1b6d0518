"""Find the benchmarks, run them, and keep docs/performance.md."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import cast

from auditor.errors import NotFound
from benchmarks.row import Row

__all__ = ["available", "machine", "rows_of", "write_rows"]

_HERE = Path(__file__).resolve().parent
_BEGIN, _END = "<!-- measured rows: written by `make bench` -->", "<!-- end of measured rows -->"
_HEAD = ["| work | value | bar | peer | machine | date |", "|---|---|---|---|---|---|"]


def available() -> list[str]:
    """Return the names of all benchmarks, sorted.

    Examples
    --------
    >>> "cli" in available()
    True
    """
    return sorted(path.stem.removeprefix("bench_") for path in _HERE.glob("bench_*.py"))


def rows_of(names: Sequence[str], data_dir: Path | None) -> Iterator[tuple[str, list[Row]]]:
    """Run the benchmarks of these names (all of them for none), one after the other.

    Parameters
    ----------
    names : sequence of str
    data_dir : Path or None
        Folder with the cited instances as ``NAME.npz`` (arrays ``edges`` and ``n``); a benchmark leaves out
        the rows whose instance is not there.

    Raises
    ------
    NotFound
        If there is no benchmark of a name.
    """
    known = available()
    for name in names:
        if name not in known:
            raise NotFound(f"no benchmark '{name}'; there are {', '.join(known)}")
    for name in names or known:
        run = cast("Callable[[Path | None], list[Row]]", import_module(f"benchmarks.bench_{name}").run)
        yield name, run(data_dir)


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
    date = date or datetime.now(UTC).date().isoformat()
    text = page.read_text(encoding="utf-8") if page.exists() else "# Performance\n"
    if _BEGIN not in text:
        text = f"{text.rstrip()}\n\n{_BEGIN}\n{_END}\n"
    before, rest = text.split(_BEGIN, 1)
    old, after = rest.split(_END, 1)
    kept = {line.split(" | ")[0]: line for line in old.splitlines() if re.match(r"\| (?!work )[^-]", line)}
    for row in rows:
        bar = "" if row.bar is None else f"≤ {row.bar:g} {row.unit}"
        cells = [row.work, f"{row.value:.4g} {row.unit}", bar, row.peer, where, date]
        line = "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        kept[line.split(" | ")[0]] = line
    page.write_text(
        "\n".join([f"{before}{_BEGIN}", "", *_HEAD, *kept.values(), "", f"{_END}{after}"]), encoding="utf-8"
    )
