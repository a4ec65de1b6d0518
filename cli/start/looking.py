"""What a look at a file shows: its columns, and which of them name its records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import AuditorError
from cli.start.guide import Looked

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings
    from auditor.formats.records.opening import OpenRecords

_OF_COLUMNS = ("csv", "tsv", "snap", "parquet")
"""Formats of networks that hold columns, and so may hold something else."""
_MOST_COLUMNS = 200
_FEW_RECORDS = 20


def look_at(path: Path, settings: EdgeTableSettings) -> Looked:
    """Return what a file shows without a question; a file without columns shows its name alone.

    Raises
    ------
    NotFound, BadFile
        If there is no such file, or it is empty.
    """
    from auditor.formats.networks.registry import format_of_name
    from auditor.formats.records import open_records
    from auditor.formats.source import Source

    Source(path, holds="data")
    info = format_of_name(path.name)
    if info is not None and info.name not in _OF_COLUMNS:
        return Looked(path)
    try:
        with open_records(path, settings) as opened:
            return Looked(path, opened.columns, _distinct(opened))
    except AuditorError:
        # no table of columns: a network in a format of its own, or what only the command for it can explain
        return Looked(path)


def _distinct(opened: OpenRecords) -> tuple[str, ...]:
    """Return columns of text in which every record has another value, where there are more than a few records."""
    from auditor.formats.records.errors import record_errors
    from auditor.formats.records.opening import VIEW
    from graphkit.microdata.risk.relation import quoted

    names = [column.name for column in opened.columns if column.sort == "text"][:_MOST_COLUMNS]
    if not names:
        return ()
    counted = ", ".join(f"approx_count_distinct({quoted(name)})" for name in names)
    with record_errors(opened.source):
        n, *about = opened.connection.execute(f'SELECT count(*), {counted} FROM "{VIEW}"').fetchone()
        if n <= _FEW_RECORDS:
            return ()
        # an estimate tells most columns apart cheaply; the few that may be distinct are counted
        likely = [name for name, count in zip(names, about, strict=True) if 2 * count > n]
        if not likely:
            return ()
        exact = ", ".join(f"count(DISTINCT {quoted(name)})" for name in likely)
        counts = opened.connection.execute(f'SELECT {exact} FROM "{VIEW}"').fetchone()
    return tuple(name for name, count in zip(likely, counts, strict=True) if count == n)
