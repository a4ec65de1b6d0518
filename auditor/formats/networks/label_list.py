"""Vertices, or pairs of them, named one a line by their labels: who is protected, what must not be touched."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadFile
from auditor.formats.networks.loaded import LabelArray


def read_label_list(path: Path, labels: LabelArray) -> NDArray[np.int64]:
    """Return the vertices that a file names, one label a line; empty lines are left out.

    Parameters
    ----------
    path : Path
        A text file in UTF-8; a label stands as it is, or in double quotes as in CSV.
    labels : ndarray, shape (n,)
        Labels of the network.

    Returns
    -------
    ndarray of int64
        Vertices, ascending, each once.

    Raises
    ------
    BadFile
        If the file cannot be read or names a vertex that is not there: with the line, never the label.
    """
    place = _places(labels)
    return np.unique(np.array([_found(path, number, text, place) for number, text in _lines(path)], dtype=np.int64))


def read_label_pairs(path: Path, labels: LabelArray) -> NDArray[np.int64]:
    """Return the pairs that a file names, two labels a line with a comma or a tab between them.

    Parameters
    ----------
    path : Path
        A text file in UTF-8; a label stands as it is, or in double quotes as in CSV: so it must where it holds a comma.
    labels : ndarray, shape (n,)
        Labels of the network.

    Returns
    -------
    ndarray of int64, shape (f, 2)
        Vertices, low index first.

    Raises
    ------
    BadFile
        As :func:`read_label_list`, or if a line does not hold two labels, or one twice.
    """
    place = _places(labels)
    pairs = []
    for number, text in _lines(path):
        fields = text.split("\t") if "\t" in text else next(csv.reader([text]))
        if len(fields) != 2:
            raise BadFile(f"{path}, line {number}: there must be two ids with a comma or a tab between them")
        first, second = (_found(path, number, field, place) for field in fields)
        if first == second:
            raise BadFile(f"{path}, line {number}: an edge joins two different vertices; the ids are the same")
        pairs.append((min(first, second), max(first, second)))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _places(labels: LabelArray) -> dict[str, int]:
    return {str(label): i for i, label in enumerate(labels.tolist())}


def _found(path: Path, line: int, text: str, place: dict[str, int]) -> int:
    # blanks and quotes may belong to a label; where they do not, they are a slip of the hand and those of a CSV file
    for spelling in (text, text.strip(), _unquoted(text.strip())):
        if spelling in place:
            return place[spelling]
    raise BadFile(f"{path}, line {line}: no vertex of the network has this id")


def _unquoted(text: str) -> str:
    """Return what stands in double quotes as in CSV, the text itself if nothing does."""
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    inside = text[1:-1]
    return inside.replace('""', '"') if quoted and '"' not in inside.replace('""', "") else text


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers."""
    try:
        with path.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line.rstrip("\n")
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'unknown reason'}") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is no list of vertices: it is not text in UTF-8") from error
