"""Keys of exports in the store: which published id was whose, and what was promised to the owner alone."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import StoreCorrupt
from auditor.core.transactions import Transaction
from auditor.store.subjects import missing_subject

_PART = 1 << 20
"""Bytes of the relabelling a node."""

# write
_RECORD_PART = """
CREATE (:AuditorRelabellingPart {id: $id + '/' + toString($part), export: $id, part: $part, published: $published})
"""
# write
_FORGET = """
MATCH (x:AuditorExport {id: $id}) SET x.key_kept = false, x.terms = null
WITH x MATCH (p:AuditorRelabellingPart {export: x.id}) DELETE p
"""
# read
_KEY = """
MATCH (x:AuditorExport {id: $id})
OPTIONAL MATCH (p:AuditorRelabellingPart {export: x.id})
WITH x, p ORDER BY p.part
RETURN x.key_kept AS kept, x.vertices AS vertices, collect(p.published) AS parts
"""
# read; x.terms would be warned about in a store where no export has terms
_TERMS = "MATCH (x:AuditorExport {id: $id}) RETURN properties(x)['terms'] AS terms"


def write_relabelling(tx: Transaction, id: str, relabelling: NDArray[np.int64]) -> None:
    """Keep the published id of every vertex, in parts."""
    key = np.ascontiguousarray(relabelling, dtype="<i8").tobytes()
    for part, start in enumerate(range(0, len(key), _PART)):
        tx.run(_RECORD_PART, id=id, part=part, published=key[start : start + _PART]).consume()


def read_relabelling(tx: Transaction, id: str) -> NDArray[np.int64] | None:
    """Return the published id of every vertex, or None if the store does not hold it (any more).

    Raises
    ------
    NotFound
        If there is no export of that id.
    StoreCorrupt
        If parts of it are missing.
    """
    record = tx.run(_KEY, id=id).single()
    if record is None:
        raise missing_subject("export", id)
    if not record["kept"]:
        return None
    key = np.frombuffer(b"".join(record["parts"]), dtype="<i8").astype(np.int64)
    if key.size != record["vertices"]:
        raise StoreCorrupt(f"parts of the relabelling of export {id} are missing; restore the store from a backup")
    return key


def read_terms(tx: Transaction, id: str) -> Mapping[str, Any] | None:
    """Return what was promised to the owner alone, or None if the store does not hold it (any more).

    Raises
    ------
    NotFound
        If there is no export of that id.
    """
    record = tx.run(_TERMS, id=id).single()
    if record is None:
        raise missing_subject("export", id)
    return None if record["terms"] is None else dict(json.loads(record["terms"]))


def forget_key(tx: Transaction, id: str) -> None:
    """Delete the relabelling of an export and its terms."""
    tx.run(_FORGET, id=id).consume()
