"""Whether files for `neo4j-admin database import` hold a network, all of it and nothing else.

This reads what was written with Python's own reader of CSV, and shares nothing with the code that wrote it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from auditor.core.errors import VerificationFailed
from auditor.formats.networks.loaded import LoadedNetwork

_DIFFERENT = "what was written for the import is not what is in the file; nothing was published"
_LONGEST_FIELD = 2**31 - 1


def check_import_files(
    nodes: Path, relationships: Path, network: LoadedNetwork, *, label: str, relationship: str
) -> None:
    """Compare two files with a network: headers, every vertex with its attributes, every tie.

    Parameters
    ----------
    nodes, relationships : Path
    network : LoadedNetwork
        As it was read from the released file.
    label, relationship : str
        Label of every vertex, and type of every tie.

    Raises
    ------
    VerificationFailed
        If anything is different, missing or too much.

    Notes
    -----
    O(n + m) time; one line at a time is held.
    """
    names = [str(name) for name in network.labels.tolist()]
    columns = [values.tolist() for values in network.attributes.values()]
    header = ["id:ID", *(name + ":string" for name in network.attributes), ":LABEL"]
    vertices = ([name, *(column[v] for column in columns), label] for v, name in enumerate(names))
    ties = ([names[low], names[high], relationship] for low, high in network.graph.edges.tolist())
    _compare(nodes, header, vertices)
    _compare(relationships, [":START_ID", ":END_ID", ":TYPE"], ties)


def _compare(path: Path, header: list[str], rows: Iterator[list[str]]) -> None:
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            read = csv.reader(stream, strict=True)
            same = next(read, None) == header
            # both must end together, so none may be shorter
            same = same and all(found == wanted for found, wanted in zip(read, rows, strict=True))
    except (csv.Error, ValueError):
        # a field that does not end, text that is not UTF-8, or one of them ends early
        same = False
    if not same:
        raise VerificationFailed(_DIFFERENT)
