"""The figures of one machine, in a file that pages are rendered from: each benchmark with the version it measured."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor.core.errors import BadInput
from benchmarks.cell import Cell
from benchmarks.row import Row

_ROOT = Path(__file__).resolve().parent.parent
_SOURCES = ("auditor", "benchmarks", "cli", "graphkit")


def machine() -> str:
    """Return what this machine is, in a few words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores {platform.machine()}, {memory:.0f} GiB, Python {platform.python_version()}"


def version() -> str:
    """Return the version with a digest of its source: the same for the same Python files, in whatever commit.

    Examples
    --------
    >>> version().startswith("0.")
    True
    """
    from auditor import __version__

    digest = hashlib.sha256()
    for name in _SOURCES:
        for path in sorted((_ROOT / name).rglob("*.py")):
            digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return f"{__version__} (source {digest.hexdigest()[:12]})"


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one benchmark, or of one part of it, from one run."""

    version: str
    date: str
    rows: tuple[Row, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Before:
    """What the last whole run before this one reached in each cell: what the cells are compared with."""

    version: str
    cells: dict[str, tuple[int, int, float]]
    """Edges, bound and seconds by network and k."""


@dataclass(slots=True)
class Record:
    """The figures of one machine, by benchmark.

    Each benchmark is one run of one version, which stands beside its figures; a whole run begins a record of its own,
    so that no figure outlives a benchmark that was given up.
    """

    machine: str
    measured: dict[str, Measured] = field(default_factory=dict)
    before: Before | None = None

    @classmethod
    def here(cls) -> Record:
        """Return an empty record of this machine."""
        return cls(machine())

    @classmethod
    def read(cls, path: Path) -> Record:
        """Return the record that a file holds."""
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        measured = {
            name: Measured(
                of["version"],
                of["date"],
                tuple(Row(**row) for row in of["rows"]),
                tuple(Cell(**cell) for cell in of["cells"]),
            )
            for name, of in data["measured"].items()
        }
        before = data.get("before")
        if before is not None:
            before = Before(before["version"], {work: tuple(cell) for work, cell in before["cells"].items()})
        return cls(data["machine"], measured, before)

    @classmethod
    def continued(cls, path: Path, *, anew: bool) -> Record:
        """Return what a run goes on from: the record in a file, or an empty one.

        Parameters
        ----------
        path : Path
            Where the record is to be written; it need not exist.
        anew : bool
            Whether all benchmarks are run: then of what was measured before only the cells are kept, as those of
            before.

        Raises
        ------
        BadInput
            If the file is of another machine, and only some benchmarks are run.
        """
        new = cls.here()
        if not path.exists():
            return new
        old = cls.read(path)
        if anew:
            cells = [(of.version, cell) for of in old.measured.values() for cell in of.cells]
            if cells:
                held = {cell.work: (cell.edges, cell.bound, cell.seconds) for _, cell in cells}
                new.before = Before(cells[-1][0], held)
            return new
        if old.machine == new.machine:
            return old
        raise BadInput(
            f"--write: {path.name} holds figures of {old.machine}; this is {new.machine}: run all benchmarks (without "
            "names) to write it anew, or write to another folder"
        )

    def add(self, name: str, rows: Iterable[Row], cells: Iterable[Cell]) -> None:
        """Put in the figures of a benchmark, in place of older ones."""
        self.measured[name] = Measured(version(), datetime.now(UTC).date().isoformat(), tuple(rows), tuple(cells))

    def write(self, path: Path) -> None:
        """Write the record into a file, one figure a line."""
        benchmarks = []
        for name, measured in sorted(self.measured.items()):
            lists = (
                f'"{kind}": [' + ",".join(f"\n   {_line(item)}" for item in items) + "]"
                for kind, items in (("rows", measured.rows), ("cells", measured.cells))
            )
            run = f'"version": {_plain(measured.version)}, "date": {_plain(measured.date)}'
            benchmarks.append(f"  {json.dumps(name)}: {{\n  " + ",\n  ".join((run, *lists)) + "\n  }")
        head = f' "machine": {_plain(self.machine)},\n'
        before = ""
        if self.before is not None:
            cells = ",".join(f"\n  {_plain(work)}: {_plain(cell)}" for work, cell in self.before.cells.items())
            before = f' "before": {{"version": {_plain(self.before.version)}, "cells": {{{cells}\n }}}},\n'
        text = "{\n" + head + before + ' "measured": {\n' + ",\n".join(benchmarks) + "\n }\n}\n"
        path.write_text(text, encoding="utf-8")


def _line(figure: Row | Cell) -> str:
    return _plain(asdict(figure))


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
