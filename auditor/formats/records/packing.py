"""Records kept by the store: a Parquet file that its owner alone may read."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from auditor.core.digests import file_digest
from auditor.core.staging import publish, staging_folder
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.text import literal

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class PackedRecords:
    """A file of records that an audit can read again, and what is in it."""

    path: Path | str
    """Or the address of a file that stays where it is."""
    columns: tuple[Column, ...]
    rows: int
    format: str
    """Of the file that it was made from."""
    checksum: str
    """SHA-256 of the file at `path`."""


def pack_records(opened: OpenRecords, path: Path) -> PackedRecords:
    """Write all records to a new Parquet file, readable by its owner only; names, order and types are kept.

    Raises
    ------
    AlreadyExists, NotFound, BadInput, NotDelivered
        If it cannot be written there.
    BadFile
        If the records cannot be read to their end, or there are none.
    """
    with staging_folder(path) as folder:
        aside = folder / path.name
        with record_errors(opened.source), translated_errors(writing=path):
            copied = f'COPY (SELECT * FROM "{VIEW}") TO {literal(str(aside))} (FORMAT parquet, COMPRESSION zstd)'
            rows = int(opened.connection.execute(copied).fetchone()[0])
        if not rows:
            raise opened.source.bad("has no records below its header; give a file that holds records")
        opened.check_unchanged()
        os.chmod(aside, 0o600)
        checksum = file_digest(aside)
        publish([aside], path.parent, force=False)
    return PackedRecords(path, opened.columns, rows, opened.format, checksum)


def referenced_records(opened: OpenRecords, address: str | None = None) -> PackedRecords:
    """Return a file of records that stays where it is, read to its end; with an address, it is a copy of what is there.

    Raises
    ------
    BadFile
        If the records cannot be read to their end, or there are none.
    """
    rows = opened.read(()).n
    checksum = file_digest(opened.source.path)
    opened.check_unchanged()
    return PackedRecords(address or opened.source.path.resolve(), opened.columns, rows, opened.format, checksum)


def copy_checked(source: Path, target: Path, checksum: str) -> bool:
    """Copy a file, readable by its owner only, and return whether it is what its checksum says; if not, no copy stays.

    Raises
    ------
    OSError
        If the copy cannot be written.
    """
    digest = hashlib.sha256()
    try:
        file = source.open("rb")
    except OSError:
        return False
    with file, os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
        while piece := file.read(_PIECE):
            digest.update(piece)
            copy.write(piece)
        copy.flush()
        os.fsync(copy.fileno())
    if digest.hexdigest() == checksum:
        return True
    target.unlink()
    return False
