"""The figures of one run, in a file that pages are rendered from: one version, one machine, never a mixture."""

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
    """The figures of one benchmark, or of one part of it."""

    rows: tuple[Row, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Before:
    """What the version measured before reached in each cell: what this one is compared with."""

    version: str
    cells: dict[str, tuple[int, int, float]]
    """Edges, bound and seconds by network and k."""


@dataclass(slots=True)
class Record:
    """The figures of one version on one machine, by benchmark.

    A version that is measured begins a record of its own: figures of two versions never stand side by side, so
    that a figure that was true once cannot stay.
    """

    version: str
    machine: str
    date: str
    """Of the newest figure."""
    measured: dict[str, Measured] = field(default_factory=dict)
    before: Before | None = None

    @classmethod
    def here(cls) -> Record:
        """Return an empty record of this version on this machine."""
        return cls(version(), machine(), datetime.now(UTC).date().isoformat())

    @classmethod
    def read(cls, path: Path) -> Record:
        """Return the record that a file holds."""
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        measured = {
            name: Measured(tuple(Row(**row) for row in of["rows"]), tuple(Cell(**cell) for cell in of["cells"]))
            for name, of in data["measured"].items()
        }
        before = data.get("before")
        if before is not None:
            before = Before(before["version"], {work: tuple(cell) for work, cell in before["cells"].items()})
        return cls(data["version"], data["machine"], data["date"], measured, before)

    @classmethod
    def continued(cls, path: Path, *, anew: bool) -> Record:
        """Return what a run goes on from: the record in a file, or an empty one.

        Parameters
        ----------
        path : Path
            Where the record is to be written; it need not exist.
        anew : bool
            Whether all benchmarks are run: then of what another version or machine has measured only the cells are
            kept, as those of before.

        Raises
        ------
        BadInput
            If the file is of another version or machine, and only some benchmarks are run.
        """
        new = cls.here()
        if not path.exists():
            return new
        old = cls.read(path)
        if (old.version, old.machine) == (new.version, new.machine):
            return old
        if anew:
            cells = (cell for measured in old.measured.values() for cell in measured.cells)
            new.before = Before(old.version, {cell.work: (cell.edges, cell.bound, cell.seconds) for cell in cells})
            return new
        raise BadInput(
            f"--write: {path.name} holds figures of version {old.version} on {old.machine}; this is {new.version} on "
            f"{new.machine}: run all benchmarks (without names) to write it anew, or write to another folder"
        )

    def add(self, name: str, rows: Iterable[Row], cells: Iterable[Cell]) -> None:
        """Put in the figures of a benchmark, in place of older ones."""
        self.measured[name] = Measured(tuple(rows), tuple(cells))
        self.date = datetime.now(UTC).date().isoformat()

    def write(self, path: Path) -> None:
        """Write the record into a file, one figure a line."""
        benchmarks = []
        for name, measured in sorted(self.measured.items()):
            lists = (
                f'"{kind}": [' + ",".join(f"\n   {_line(item)}" for item in items) + "]"
                for kind, items in (("rows", measured.rows), ("cells", measured.cells))
            )
            benchmarks.append(f"  {json.dumps(name)}: {{\n  " + ",\n  ".join(lists) + "\n  }")
        head = "".join(f' "{key}": {_plain(getattr(self, key))},\n' for key in ("version", "machine", "date"))
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
