"""Which record of a release is which of the original: from a key file, or from what the store keeps."""

from pathlib import Path

import numpy as np

from auditor.core.digests import file_digest
from auditor.core.errors import BadFile
from auditor.exports.key_file import key_rows
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.microdata.exports.key import read_key
from graphkit.arrays import Ints
from graphkit.numbers import count

_LONGEST = 18
"""Digits of a row number."""


def rows_of_key(path: Path, records: int, published: int, suppressed: int = 0) -> Ints:
    """Return the row of the original of every published record.

    Parameters
    ----------
    path : Path
        A file that ``microdata microaggregate --key-file`` or ``generalize`` wrote: `original,published`, row numbers
        from 0 on. It names no record that was left out.
    records, published : int
        Records of the original and of the release.
    suppressed : int, optional
        Records of the original that the release leaves out.

    Raises
    ------
    BadFile
        If the file cannot be read or does not match that many records one to one; names a line, never a row.
    """
    if records != published + suppressed:
        raise BadFile(
            f"{path} cannot match {count(records)} records of the original and {count(published)} of the release; "
            "without it, distributions are compared"
        )
    rows = np.full(published, -1, dtype=np.int64)
    taken = np.zeros(records, dtype=np.bool_)
    for line, fields in key_rows(path):
        if not all(field.isascii() and field.isdigit() and len(field) <= _LONGEST for field in fields):
            raise BadFile(f"{path}, line {line}: there must be two row numbers; is it the key of a network?")
        original, place = map(int, fields)
        if original >= records or place >= published:
            raise BadFile(f"{path}, line {line}: there is no such row; is it the key of another export?")
        if rows[place] >= 0 or taken[original]:
            raise BadFile(f"{path}, line {line}: this row was named before")
        rows[place], taken[original] = original, True
    if (rows < 0).any():
        raise BadFile(f"{path} does not name every record; is it the key of another export?")
    return rows


def rows_of_store(store: Store, name: str, path: Path) -> Ints | None:
    """Return the row of the original of every published record, where the store knows the file and keeps its key.

    Parameters
    ----------
    store : Store
        Where the original is.
    name : str
        Its name.
    path : Path
        A file of records; recognized by its checksum as an export of the original.
    """
    export = Exports(store).recognized(f"microdata:{name}", file_digest(path))
    key = None if export is None else read_key(store, export)
    return None if key is None else key.rows
