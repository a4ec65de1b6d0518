"""Cells and their counts as lists of integers on a node, or on chunk nodes where there are many."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import StoreCorrupt
from auditor.core.transactions import Transaction

_CHUNK = 50_000

# write
_CREATE_CHUNK = """
CREATE (:AuditorTableChunk {id: $owner + '/' + toString($part), owner: $owner, part: $part,
                            cells: $cells, counts: $counts})
"""
# read
_READ_CHUNKS = """
MATCH (c:AuditorTableChunk {owner: $owner}) WITH c ORDER BY c.part
RETURN c.cells AS cells, c.counts AS counts
"""
# write
_DELETE_CHUNKS = "MATCH (c:AuditorTableChunk) WHERE c.owner IN $owners DELETE c"


def write_cells(tx: Transaction, owner: str, cells: NDArray[np.int64], counts: NDArray[np.int64]) -> dict[str, Any]:
    """Write cells that are too many for one node, and return the properties that the node of the others needs.

    Parameters
    ----------
    tx : Transaction
    owner : str
        Id of the node that they belong to; it has no chunks yet, or :func:`delete_chunks` took them.
    cells, counts : ndarray of int64, shape (c,)

    Returns
    -------
    dict
        ``chunks``, ``cells`` and ``counts``; a list on the node is empty where there are chunks.
    """
    if cells.size <= _CHUNK:
        return {"chunks": 0, "cells": cells.tolist(), "counts": counts.tolist()}
    starts = range(0, cells.size, _CHUNK)
    for part, start in enumerate(starts):
        piece = slice(start, start + _CHUNK)
        values = {"owner": owner, "part": part, "cells": cells[piece].tolist(), "counts": counts[piece].tolist()}
        tx.run(_CREATE_CHUNK, values).consume()
    return {"chunks": len(starts), "cells": [], "counts": []}


def read_cells(
    tx: Transaction, owner: str, properties: Mapping[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells and counts that :func:`write_cells` wrote, given the properties of their node.

    Raises
    ------
    StoreCorrupt
        If chunks are missing.
    """
    if not properties["chunks"]:
        return _array(properties["cells"]), _array(properties["counts"])
    chunks = list(tx.run(_READ_CHUNKS, owner=owner))
    if len(chunks) != properties["chunks"]:
        raise StoreCorrupt("parts of a table are missing in the store; restore it from a backup or add it again")
    cells, counts = ([_array(chunk[name]) for chunk in chunks] for name in ("cells", "counts"))
    return np.concatenate(cells), np.concatenate(counts)


def delete_chunks(tx: Transaction, owners: Sequence[str]) -> None:
    """Delete the chunks of some nodes."""
    tx.run(_DELETE_CHUNKS, owners=list(owners)).consume()


def _array(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)
