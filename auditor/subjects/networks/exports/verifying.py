"""A released network verified from its file and its manifest, by anybody; and with the original, by its owner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, NotFound
from auditor.exports.file_digests import files_check
from auditor.exports.manifest import Manifest, manifest_path, read_manifest
from auditor.formats.networks import companion_path, read_network
from auditor.formats.networks.label_list import read_label_list
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.claim_record import CLAIM_KIND, claim_of
from auditor.subjects.networks.exports.earlier import earlier_degrees_by_key
from auditor.subjects.networks.exports.matching import match_by_key
from auditor.subjects.networks.exports.rechecking import attribute_check, protected_ids, verified_file
from auditor.subjects.networks.exports.released_table import verify_released_table
from graphkit.networks.verify import Check, DegreeClaim, Terms, Verification

_OF_THE_OWNER = "needs the original and the key file (--original, --key-file)"
_OF_THE_SUBSET = "the manifest does not say who is protected; the owner names the list with --only"
_OF_EARLIER = "needs the earlier releases and their keys (--previous, --previous-key)"


@dataclass(frozen=True, slots=True, eq=False)
class KnownToOwner:
    """What the owner has beside the release."""

    original: LoadedNetwork
    """The network that was protected, as it was read then."""
    name: str
    """How messages name it."""
    key: Path
    """Which vertex of the release is which of it."""
    only: Path | None = None
    """Who is protected, where that is a subset."""
    previous: Sequence[tuple[Path, Path]] = ()
    """Earlier releases with their keys, in the order of then."""


@dataclass(frozen=True, slots=True)
class VerifiedRelease:
    """What was found of a released network."""

    manifest: Manifest
    verification: Verification
    not_checked: tuple[tuple[str, str], ...] = ()
    """What the manifest claims and nothing at hand shows, by the name of its check, and what is needed for it."""

    @property
    def passed(self) -> bool | None:
        """Whether it holds what it claims; None where nothing fails, and its anonymity itself could not be checked."""
        checked = {check.name for check in self.verification.checks}
        if not self.verification.passed:
            return False
        return True if checked & {"k-anonymous", "k-anonymous within the subset"} else None


def verify_released_network(
    released: Path, manifest: Path | None = None, known: KnownToOwner | None = None
) -> VerifiedRelease:
    """Verify a released network against its manifest, and with the original also that nothing of it is missing.

    Parameters
    ----------
    released : Path
        The released file; a vertex file that was released with it lies beside it.
    manifest : Path, optional
        Its manifest; the one that lies beside it by default.
    known : KnownToOwner, optional
        Without it only what the file shows by itself is checked.

    Raises
    ------
    NotFound
        If there is no such file, or no manifest.
    BadInput
        If the manifest is not about a network, or claims what this version does not know; if the key, a list or an
        earlier release does not belong to the original.

    Notes
    -----
    Everything is counted anew from the file, by :mod:`graphkit.networks.verify`, which imports no engine. An edge table
    is read a piece at a time where the original is not compared: memory for 16 bytes of each vertex.
    """
    read = read_manifest(_existing(released, manifest))
    if read.claim.get("kind", CLAIM_KIND) != CLAIM_KIND:
        raise BadInput(
            f"{released} was not released as a network; records are verified with 'auditor microdata verify ORIGINAL "
            f"{released.name}'"
        )
    claim, attributes = claim_of(read.claim), tuple(map(str, read.claim.get("attributes", ())))
    checksum = files_check(released, read.files)
    if checksum.name == "file":
        return VerifiedRelease(read, Verification((checksum,)))
    if known is None and _is_edge_table(read):
        public, not_checked = _public_part(claim)
        beside = companion_path(released)
        checks = verify_released_table(released, beside if beside.name in read.files else None, public)
        return VerifiedRelease(read, Verification((checksum, *checks)), not_checked)
    try:
        loaded = read_network(released, format=read.format)
    except BadInput:
        unreadable = Check("readable", False, "the released file cannot be read as a network")
        return VerifiedRelease(read, Verification((checksum, unreadable)))
    if known is None:
        public, not_checked = _public_part(claim)
        checks = _checks_of_file(loaded, attributes, public)
    else:
        checks, not_checked = _checks_of_owner(loaded, attributes, claim, known)
    return VerifiedRelease(read, Verification((checksum, *checks)), not_checked)


def _existing(released: Path, manifest: Path | None) -> Path:
    path = manifest_path(released) if manifest is None else manifest
    if not released.is_file():
        raise NotFound(f"{released} is no file; check the path")
    if not path.is_file():
        raise NotFound(
            f"there is no manifest {path}; put it beside the released file, or say where it is with --manifest"
        )
    return path


def _is_edge_table(manifest: Manifest) -> bool:
    """Whether a release was written from a database: no network in memory was compared with it then."""
    return manifest.format == "parquet" and all(check.name != "attributes" for check in manifest.verification.checks)


def _public_part(claim: DegreeClaim) -> tuple[DegreeClaim, tuple[tuple[str, str], ...]]:
    """Return what of a claim a file shows by itself, and the rest."""
    rest = [("k-anonymous within the subset", _OF_THE_SUBSET)] if claim.scope == "subset" else []
    rest += [("k-anonymous with the earlier versions", _OF_THE_OWNER)] if claim.earlier else []
    rest += [("contains the original", _OF_THE_OWNER)] if claim.supergraph else []
    return replace(claim, supergraph=False, earlier=0), tuple(rest)


def _checks_of_file(loaded: LoadedNetwork, attributes: tuple[str, ...], claim: DegreeClaim) -> tuple[Check, ...]:
    if claim.scope == "subset":
        # only their names: whose classes count is not known
        nobody = np.empty(0, dtype=np.int64)
        named = attribute_check(loaded, attributes, claim.k, nobody)
        if attributes and named.passed:
            named = replace(named, text="exactly the attributes that were published")
        checks = verified_file(loaded, named, replace(claim, scope="whole"), None, None, None)
        return tuple(check for check in checks if check.name != "k-anonymous")
    return verified_file(loaded, attribute_check(loaded, attributes, claim.k, None), claim, None, None, None)


def _checks_of_owner(
    loaded: LoadedNetwork, attributes: tuple[str, ...], claim: DegreeClaim, known: KnownToOwner
) -> tuple[tuple[Check, ...], tuple[tuple[str, str], ...]]:
    original, labels = known.original.graph, known.original.labels
    if original.n != claim.n:
        raise BadInput(
            f"{known.name} has another number of vertices than the network that was protected; name that one, and read "
            "it as then (--delimiter, --header, --vertices)"
        )
    if known.only is not None and claim.scope == "whole":
        raise BadInput("the release protects every vertex, not a subset; leave out --only")
    if known.previous and len(known.previous) != claim.earlier:
        raise BadInput(
            f"the release was held against {claim.earlier} earlier ones, and --previous names {len(known.previous)}; "
            "name those of then, in their order"
        )
    published = match_by_key(known.key, labels, np.arange(claim.n))
    not_checked: list[tuple[str, str]] = []
    if claim.scope == "subset" and known.only is None:
        public, rest = _public_part(replace(claim, supergraph=False))
        checks = _checks_of_file(loaded, attributes, public)
        if claim.supergraph:
            whole = replace(claim, scope="whole", earlier=0)
            named = next(check for check in checks if check.name == "attributes")
            held = verified_file(loaded, named, whole, original, published, None)
            checks += tuple(check for check in held if check.name == "contains the original")
        return checks, rest
    terms = _terms(claim, known)
    if claim.earlier and terms.earlier_degrees is None:
        not_checked.append(("k-anonymous with the earlier versions", _OF_EARLIER))
        claim = replace(claim, earlier=0)
    protected = protected_ids(claim, published, terms)
    named = attribute_check(loaded, attributes, claim.k, protected)
    return verified_file(loaded, named, claim, original, published, terms), tuple(not_checked)


def _terms(claim: DegreeClaim, known: KnownToOwner) -> Terms:
    labels = known.original.labels
    columns: list[NDArray[np.int64]] = [earlier_degrees_by_key(file, key, labels) for file, key in known.previous]
    return Terms(
        subset=read_label_list(known.only, labels) if claim.scope == "subset" and known.only is not None else None,
        earlier_degrees=np.column_stack(columns) if claim.earlier and columns else None,
    )
