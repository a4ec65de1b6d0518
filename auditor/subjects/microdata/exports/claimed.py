"""What the manifest beside a released file says of it."""

from dataclasses import dataclass
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.exports.file_digests import look_at_files
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of as generalized_claim
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform
from graphkit.microdata.verify import GroupClaim


@dataclass(frozen=True, slots=True)
class Claimed:
    """What somebody who has a released file may know of how it was made."""

    claim: GroupClaim
    unchanged: bool
    """Whether the file is the one that was published."""


def claimed_of(path: Path) -> Claimed | None:
    """Return what the manifest beside a file claims; None where there is none about groups of records."""
    try:
        manifest = read_manifest(manifest_path(path))
        claim = claim_of(manifest.claim)
    except BadInput:
        # a file without its manifest is compared as it is
        return None
    return Claimed(claim, path.name in manifest.files and look_at_files(path, manifest.files).unchanged)


def suppressed_of(path: Path) -> int:
    """Return how many records a release leaves out, as the manifest beside it says; 0 where there is none."""
    try:
        record = read_manifest(manifest_path(path)).claim
        return generalized_claim(record).suppressed if is_freeform(record) else 0
    except BadInput:
        return 0


def is_generalized(path: Path) -> bool:
    """Whether the manifest beside a file says that its records were generalized, each in its own way."""
    try:
        return is_freeform(read_manifest(manifest_path(path)).claim)
    except BadInput:
        return False
