"""Which record or vertex of an export is which of the original, as a file for the owner alone."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import AlreadyExists, BadFile, BadInput
from auditor.core.staging import check_destination, delivering
from auditor.formats.compression import split_compression
from auditor.formats.networks.registry import format_of_name


def check_key_file(key: Path, others: Sequence[Path], whose: str) -> None:
    """Refuse a place where a key could not, or must not, be written.

    Parameters
    ----------
    key : Path
    others : sequence of Path
        What the key must not replace or be replaced by.
    whose : str
        What these are files of, for messages.

    Raises
    ------
    AlreadyExists
        If there is a file: a key is never overwritten.
    BadInput
        As :func:`auditor.core.staging.check_destination`; if it is one of the others; or if it has the name of another
        format than CSV.
    """
    if any(is_same(key, other) for other in others):
        raise BadInput(f"the key file {key} is a file of {whose}; choose another name for it")
    if not _may_hold_csv(key.name):
        raise BadInput(f"the key file {key} is written as CSV, which its name denies; let it end with .csv")
    if os.path.lexists(key) and not key.is_dir():
        raise AlreadyExists(f"the key file {key} exists already, and a key is never overwritten; choose another name")
    check_destination(key)


def is_same(first: Path, second: Path) -> bool:
    """Whether two paths are, or would be, one file."""
    try:
        return first.samefile(second)
    except OSError:
        return first.absolute() == second.absolute()


def _may_hold_csv(name: str) -> bool:
    """Whether a name does not stand for another format, or for a compressed file."""
    known = format_of_name(name)
    return split_compression(name)[1] == "" and (known is None or known.name in ("csv", "snap"))


def write_key(path: Path, labels: NDArray[np.int64] | NDArray[np.object_], published: NDArray[np.int64]) -> None:
    """Write `original,published` for every vertex, in the order of the published ids, readable by the owner only.

    Raises
    ------
    NotDelivered
        If the file system refuses, or there is a file of that name: a key is never overwritten.
    """
    order = np.argsort(published)
    write_key_rows(path, [zip(labels[order].tolist(), published[order].tolist(), strict=True)])


def write_key_rows(path: Path, pieces: Iterable[Iterable[tuple[object, ...]]]) -> None:
    """Write pairs of original and published id, piece by piece, as :func:`write_key` does.

    Raises
    ------
    NotDelivered
        As :func:`write_key`.
    """
    with delivering(path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(("original", "published"))
                for rows in pieces:
                    writer.writerows(rows)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def key_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a key file with their numbers, the header left out: the original's id and the published one.

    Raises
    ------
    BadFile
        If it cannot be read, or is none; names a line, never a label.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream)
            if next(reader, None) != ["original", "published"]:
                raise BadFile(f"{path} is no key file: its first line must be 'original,published'")
            for row in reader:
                if len(row) != 2:
                    raise BadFile(f"{path}, line {reader.line_num}: there must be two fields, original and published")
                yield reader.line_num, row
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'unknown reason'}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"{path} is no key file: it is not CSV in UTF-8") from error
