"""A released file of records, verified against the original by whoever has both, with or without a store."""

from dataclasses import dataclass, field
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.exports.file_digests import files_check
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of as generalized_claim
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform
from auditor.subjects.microdata.exports.generalized.domains import Generalizing, read_domains
from auditor.subjects.microdata.exports.generalized.reading_back import read_extents, written_types
from auditor.subjects.microdata.exports.matching import rows_of_key
from auditor.subjects.microdata.exports.reading_back import (
    RELEASED,
    WrittenRecords,
    columns_check,
    others_check,
    read_published,
)
from graphkit.microdata.verify import GroupClaim, verify_groups
from graphkit.microdata.verify_freeform import FreeformClaim, verify_freeform
from graphkit.verification import Check, Verification


@dataclass(frozen=True, slots=True)
class WhatIsKnown:
    """What is known of how a file was made, beside its manifest."""

    key: Path | None = None
    """Key file: which record is which."""
    choices: Generalizing = field(default_factory=Generalizing)
    """Hierarchies of what was generalized."""


def verify_release(opened: OpenRecords, released: Path, known: WhatIsKnown) -> Verification:
    """Verify a released file against its manifest and the original.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    released : Path
        Its manifest lies beside it.
    known : WhatIsKnown
        Without the key only what values show is checked: for microaggregated records not which group a record is in.

    Raises
    ------
    BadInput
        If there is no manifest about records, or it claims what this version does not know; if the file cannot be read,
        or a hierarchy is missing.
    BadFile
        If the original or the key cannot be read.
    """
    manifest = read_manifest(manifest_path(released))
    checksum = files_check(released, manifest.files)
    if checksum.name == "file":
        return Verification((checksum,))
    opened.widen_types()
    if is_freeform(manifest.claim):
        checks = _generalized(opened, released, generalized_claim(manifest.claim), known)
    else:
        checks = _grouped(opened, released, claim_of(manifest.claim), known)
    opened.check_unchanged()
    return Verification((checksum, *checks))


def _grouped(opened: OpenRecords, released: Path, claim: GroupClaim, known: WhatIsKnown) -> tuple[Check, ...]:
    if known.key is None:
        return verify_groups(claim, read_published(released, claim)).checks
    original = read_original(opened, claim)
    rows = rows_of_key(known.key, original.records.values.shape[0], claim.n)
    return WrittenRecords(opened, claim, _leaving(opened, released), original, rows).verify(released).checks


def _generalized(opened: OpenRecords, released: Path, claim: FreeformClaim, known: WhatIsKnown) -> tuple[Check, ...]:
    lacking = [name for name, sort in claim.sorts.items() if sort == "tree" and name not in known.choices.hierarchies]
    if lacking:
        raise BadInput(f"{lacking[0]!r} was generalized by a hierarchy; give it with --hierarchy {lacking[0]}=FILE")
    nominal = tuple(name for name, sort in claim.sorts.items() if sort == "set")
    coded = read_domains(opened, claim.attributes, Generalizing(known.choices.hierarchies, nominal=nominal))
    columns, connection = _leaving(opened, released), opened.connection
    with record_errors(opened.source):
        same = columns_check(connection, released, written_types(claim, columns))
        if not same.passed:
            return (same,)
        extents = read_extents(connection, RELEASED, coded)
        if extents is None:
            return same, Check("values", False, "a value is none that stands for values of its attribute")
        checks = (same, *verify_freeform(claim, coded.attributes, extents, coded.codes).checks)
        if known.key is None:
            return checks
        rows = rows_of_key(known.key, coded.codes.shape[0], extents.shape[0])
        others = [column.name for column in columns if column.name not in claim.attributes]
        return (*checks, others_check(connection, others, rows))


def _leaving(opened: OpenRecords, released: Path) -> tuple[Column, ...]:
    """Return the columns of the original that the released file has."""
    from auditor.config import EdgeTableSettings
    from auditor.formats.records.opening import open_records

    with open_records(released, EdgeTableSettings()) as file:
        there = {column.name for column in file.columns}
    return tuple(column for column in opened.columns if column.name in there)
