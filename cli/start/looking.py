"""What a look at a file shows: its columns, and how many values they have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import AuditorError
from cli.start.guide import Looked

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings

_OF_COLUMNS = ("csv", "tsv", "snap", "parquet")
"""Formats of networks that hold columns, and so may hold something else."""


def look_at(path: Path, settings: EdgeTableSettings) -> Looked:
    """Return what a file shows without a question; a file without columns shows its name alone.

    Raises
    ------
    NotFound, BadFile
        If there is no such file, or it is empty.
    """
    from auditor.formats.networks.registry import format_of_name
    from auditor.formats.records import open_records
    from auditor.formats.records.values import count_values
    from auditor.formats.source import Source

    Source(path, holds="data")
    info = format_of_name(path.name)
    if info is not None and info.name not in _OF_COLUMNS:
        return Looked(path)
    try:
        with open_records(path, settings) as opened:
            return Looked(path, opened.columns, count_values(opened))
    except AuditorError:
        # no table of columns: a network in a format of its own, or what only the command for it can explain
        return Looked(path)
