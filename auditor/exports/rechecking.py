"""Look at a published file again: is it still there, unchanged, and does it hold what it claims?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.errors import BadInput
from auditor.exports.attributes import smallest_class
from auditor.exports.claim import file_digest
from auditor.formats import read_network
from auditor.formats.network import LoadedNetwork
from graphkit.networks.graph import DroppedEdges, SimpleGraph
from graphkit.networks.verify import Check, DegreeClaim, Verification, verify_release

__all__ = ["Recheck", "recheck_release"]


@dataclass(frozen=True, slots=True, eq=False)
class Recheck:
    """What was found, and the graph that was read."""

    verification: Verification
    graph: SimpleGraph | None = None
    """None unless every check holds: what is not what it claims to be is not measured."""


def recheck_release(
    path: Path,
    sha256: str,
    claim: DegreeClaim,
    attributes: tuple[str, ...],
    original: SimpleGraph,
    published: NDArray[np.int64] | None,
    format: str | None = None,
) -> Recheck:
    """Read a released file again and verify it against its claim.

    Parameters
    ----------
    path : Path
        Where it was published.
    sha256 : str
        Its checksum at publication.
    claim : DegreeClaim
        What it promises.
    attributes : tuple of str
        Names of the vertex attributes that left with it.
    original : SimpleGraph
        The network that was protected.
    published : ndarray of int64, shape (n,), or None
        ``published[v]`` is the id of the original's vertex v; without it containment is not verified again.
    format : str, optional
        Format in which it was written; told by its suffix by default.
    """
    try:
        digest = file_digest(path)
    except OSError:
        return _failed(Check("file", False, "the released file is not where it was published, or cannot be read"))
    same = digest == sha256
    text = "the checksum is the one recorded at publication" if same else "the file was changed since publication"
    checksum = Check("checksum", same, text)
    try:
        loaded = read_network(path, format=format)
    except BadInput:
        return _failed(checksum, Check("readable", False, "the released file cannot be read as a network"))
    # ids that are no numbers fail the check of the vertices
    ids = loaded.labels if loaded.labels.dtype == np.int64 else np.full(loaded.graph.n, -1)
    ids = ids.astype(np.int64, copy=False)
    edges = ids[loaded.graph.edges]
    # without the relabelling the file's own claim is all that can be checked again
    checkable = claim if published is not None else replace(claim, supergraph=False)
    verification = Verification(
        (
            checksum,
            _nothing_dropped(loaded),
            _attribute_check(loaded, attributes, claim.k),
            *verify_release(checkable, edges, ids, original, published).checks,
        )
    )
    return Recheck(verification, SimpleGraph.from_edges(edges, claim.n) if verification.passed else None)


def _failed(*checks: Check) -> Recheck:
    return Recheck(Verification(checks))


def _nothing_dropped(loaded: LoadedNetwork) -> Check:
    passed = loaded.notes.dropped == DroppedEdges() and not loaded.notes.dropped_columns
    text = "no loop, repetition or edge column in the file"
    return Check("file", passed, text if passed else "the file holds loops, repetitions or edge columns")


def _attribute_check(loaded: LoadedNetwork, attributes: tuple[str, ...], k: int) -> Check:
    if set(loaded.attributes) != set(attributes):
        return Check("attributes", False, "the file holds other attributes than were published")
    if not attributes:
        return Check("attributes", True, "the file holds no vertex attribute")
    passed = loaded.graph.n == 0 or smallest_class(loaded.graph.degrees(), loaded.attributes) >= k
    text = f"degree and attributes together are shared by at least {k} vertices each"
    return Check("attributes", passed, text if passed else "degree and attributes together single vertices out")
