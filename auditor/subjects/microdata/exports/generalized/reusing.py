"""The graph and the draw of an earlier export: unchanged records are published with them again."""

from collections.abc import Sequence

import numpy as np

from auditor.exports.repository import Exports
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from graphkit.arrays import Ints


def earlier_graph(stored: StoredRecords, attributes: Sequence[str], k: int) -> Ints | None:
    """Return who may be behind whom in the newest export of the same attributes and k that is out.

    Returns
    -------
    ndarray of int, shape (n, k), or None
        By the record that each published one is made of, the records that it covers; None where there is no such
        export, or its key was not kept.

    Notes
    -----
    Who knows two draws looks in the intersection: the second one must be the first one.
    """
    for export in Exports(stored.store).list(f"microdata:{stored.info.name}"):
        claim = export.claim
        if export.is_out and is_freeform(claim) and claim["k"] == k and set(claim["attributes"]) == set(attributes):
            key = read_key(stored.store, export)
            if key is not None and np.array_equal(np.sort(key.published), np.arange(stored.info.records)):
                return key.hiding
    return None
