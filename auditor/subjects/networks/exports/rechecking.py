"""Look at a published file again: is it still there, unchanged, and does it hold what it claims?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.exports.file_digests import files_check
from auditor.exports.findings import check_findings, claim_findings, origin_finding
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store import Store
from auditor.subjects.networks.exports.attributes import single_out
from auditor.subjects.networks.exports.claim_record import claim_of
from auditor.subjects.networks.exports.owner_claim_record import terms_of
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from graphkit.networks.graphs.graph import DroppedEdges, SimpleGraph
from graphkit.networks.verify import Check, DegreeClaim, Terms, Verification, verify_release

_NO_KEY = "verified at publication; the relabelling was not kept for another look"


@dataclass(frozen=True, slots=True, eq=False)
class Recheck:
    """What was found, and the graph that was read."""

    verification: Verification
    graph: SimpleGraph | None = None
    """None unless every check holds: what is not what it claims to be is not measured."""
    not_checked: tuple[str, ...] = ()
    """What was checked at publication and cannot be checked again, and why."""
    published: NDArray[np.int64] | None = None
    """The relabelling, where the file was verified with it. Protected."""
    terms: Terms | None = None
    """The owner claim, where it was verified. Protected."""


def audit_export(store: Store, export: Export, policy: NetworkPolicy, path: Path | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with an export's file, and with what it claims under a policy.

    Parameters
    ----------
    store : Store
        Has the network that it was made from, and the relabelling where that was kept.
    export : Export
    policy : NetworkPolicy
        Its k is what an export must claim by now.
    path : Path, optional
        Where its files are; where they were published by default.

    Notes
    -----
    Reads the file and the network: O(n + m). A network that is gone, or was replaced by another one under its name,
    leaves what the file shows by itself: a finding says so.
    """
    findings = claim_findings(claim_of(export.claim).k, policy.k)
    if Exports(store).origin(export) is None:
        message = "the network that it was made from is not in the store any more; the file was not verified against it"
        findings = (*findings, origin_finding("network", message))
    return (*findings, *check_findings(checks_of_export(store, export, path)[0]))


def checks_of_export(
    store: Store, export: Export, path: Path | None = None
) -> tuple[tuple[Check, ...], tuple[str, ...]]:
    """Return the checks of an export's file as it is now, and what cannot be checked again, and why.

    Parameters
    ----------
    store, export, path
        As :func:`audit_export`. Of a network that is gone only the checksums are left.
    """
    if Exports(store).origin(export) is None:
        gone = "its claim: the network that it was made from is not in the store any more"
        return (files_check(Path(export.path) if path is None else path, export.files),), (gone,)
    original = Networks(store).load(export.subject.removeprefix("network:")).graph
    found = recheck_export(store, export, original, path)
    return found.verification.checks, found.not_checked


def recheck_export(store: Store, export: Export, original: SimpleGraph, path: Path | None = None) -> Recheck:
    """Read the file of an export again, at another `path` where given, and verify it against its claim.

    The owner claim, and what was claimed about the original, are verified where the store keeps the relabelling.
    """
    terms = Exports(store).terms(export.id)
    return recheck_release(
        Path(export.path) if path is None else path,
        export.files,
        claim_of(export.claim),
        tuple(export.claim["attributes"]),
        original,
        Exports(store).relabelling(export.id),
        export.claim.get("format"),
        None if terms is None else terms_of(terms),
    )


def recheck_release(
    path: Path,
    digests: Mapping[str, str],
    claim: DegreeClaim,
    attributes: tuple[str, ...],
    original: SimpleGraph,
    published: NDArray[np.int64] | None,
    format: str | None = None,
    terms: Terms | None = None,
) -> Recheck:
    """Read a released file again and verify it against its claim.

    Parameters
    ----------
    path : Path
        Where it was published.
    digests : mapping
        SHA-256 at publication of every file of the export, by name: vertices without an edge may be in one beside it.
    claim : DegreeClaim
        What it promises.
    attributes : tuple of str
        Names of the vertex attributes that left with it.
    original : SimpleGraph
        The network that was protected.
    published : ndarray of int64, shape (n,), or None
        ``published[v]`` is the id of the original's vertex v; without it nothing about the original is verified again.
    format : str, optional
        Format in which it was written; by default its suffix decides.
    terms : Terms, optional
        What was promised to the owner besides; verified again where the relabelling is at hand.

    Notes
    -----
    Without the relabelling a claim about a subset cannot be verified: nobody knows who is in it. That check fails
    then.
    """
    checksum = files_check(path, digests)
    if checksum.name == "file":
        return Recheck(Verification((checksum,)))
    try:
        loaded = read_network(path, format=format)
    except BadInput:
        unreadable = Check("readable", False, "the released file cannot be read as a network")
        return Recheck(Verification((checksum, unreadable)))
    checkable, not_checked = (claim, ()) if published is not None else _without_key(claim)
    terms = None if published is None else terms
    attributes_hold = attribute_check(loaded, attributes, claim.k, protected_ids(claim, published, terms))
    checks = verified_file(loaded, attributes_hold, checkable, original, published, terms)
    verification = Verification((checksum, *checks))
    graph = SimpleGraph.from_edges(loaded.labels[loaded.graph.edges], claim.n) if verification.passed else None
    return Recheck(verification, graph, not_checked, published, terms)


def verified_file(
    loaded: LoadedNetwork,
    attributes: Check,
    claim: DegreeClaim,
    original: SimpleGraph | None,
    published: NDArray[np.int64] | None,
    terms: Terms | None,
) -> tuple[Check, ...]:
    """Return the checks of a network that was read back from a file, that of its attributes among them."""
    # ids that are no numbers fail the check of the vertices
    ids = loaded.labels if loaded.labels.dtype == np.int64 else np.full(loaded.graph.n, -1)
    ids = ids.astype(np.int64, copy=False)
    dropped = loaded.notes.dropped != DroppedEdges() or bool(loaded.notes.dropped_columns)
    text = (
        "the file holds loops, repetitions or edge columns"
        if dropped
        else "no loop, repetition or edge column was read back"
    )
    checks = verify_release(claim, ids[loaded.graph.edges], ids, original, published, terms).checks
    return (Check("file", not dropped, text), attributes, *checks)


def _without_key(claim: DegreeClaim) -> tuple[DegreeClaim, tuple[str, ...]]:
    """Return what of a claim the file alone can show, and what is left out."""
    promised = {
        "contains the original": claim.supergraph,
        "k-anonymous with the earlier versions": claim.earlier,
    }
    texts = tuple(f"{name}: {_NO_KEY}" for name, is_promised in promised.items() if is_promised)
    return replace(claim, supergraph=False, earlier=0), texts


def protected_ids(
    claim: DegreeClaim, published: NDArray[np.int64] | None, terms: Terms | None
) -> NDArray[np.int64] | None:
    """Return the published ids of the vertices that a claim protects, or None where that is all of them.

    Where nobody knows who is protected, or it cannot be so, everybody is.
    """
    if claim.scope == "whole" or published is None or terms is None or terms.subset is None:
        return None
    subset = np.unique(terms.subset)
    return published[subset] if subset.size and subset[0] >= 0 and subset[-1] < published.size else None


def attribute_check(
    loaded: LoadedNetwork, attributes: tuple[str, ...], k: int, protected: NDArray[np.int64] | None
) -> Check:
    """Return the check of a file's vertex attributes: these, and with the degree nobody protected is singled out.

    Parameters
    ----------
    loaded : LoadedNetwork
        As it was read back.
    attributes : tuple of str
        Names that were published.
    k : int
    protected : ndarray of int64 or None
        Published ids of those who are protected; None: everybody.
    """
    if set(loaded.attributes) != set(attributes):
        return Check("attributes", False, "the file holds other attributes than were published")
    if not attributes:
        return Check("attributes", True, "the file holds no vertex attribute")
    places = None if protected is None else np.flatnonzero(np.isin(loaded.labels, protected))
    passed = not single_out(loaded.graph.degrees(), loaded.attributes, k, places)
    text = f"degree and attributes together are shared by at least {k} vertices each"
    return Check("attributes", passed, text if passed else "degree and attributes together single vertices out")
