"""A released file that is to go elsewhere: is it what was verified when it was published?"""

from pathlib import Path

from auditor.core.errors import BadInput, VerificationFailed
from auditor.exports.file_digests import files_check
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.exports.claim_record import claim_of


def read_released(path: Path) -> LoadedNetwork:
    """Return the network of a released file, checked against the manifest beside it.

    Raises
    ------
    NotFound, BadInput
        If there is no such file or no manifest, or the manifest is about something else than a network.
    VerificationFailed
        If a file changed since, or does not hold what is claimed.
    """
    manifest = read_manifest(manifest_path(path))
    claim, check = claim_of(manifest.claim), files_check(path, manifest.files)
    if not manifest.verification.passed or not check.passed:
        raise VerificationFailed(f"{path.name} is not what was published: {check.text}; export it again")
    released = read_network(path, format=manifest.format)
    blocks = released.graph.block_sequence()
    is_whole = claim.scope == "whole"
    if released.graph.n != claim.n or (is_whole and bool(((blocks > 0) & (blocks < claim.k)).any())):
        raise VerificationFailed(f"{path.name} does not hold what its manifest claims; export it again")
    if set(released.attributes) != set(manifest.claim.get("attributes", ())):
        raise BadInput(f"{path.name} holds other attributes than its manifest says; export it again")
    return released
