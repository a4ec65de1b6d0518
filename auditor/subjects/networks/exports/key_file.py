"""The relabelling as a file, for the owner alone."""

import csv
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.staging import delivering


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
