"""A released file of records, verified against the original by whoever has both, with or without a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from auditor.config import EdgeTableSettings
from auditor.exports.file_digests import files_check
from auditor.exports.manifest import manifest_path, read_manifest
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import OpenRecords, open_records
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.attributes.writing import written_types
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of as generalized_claim
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform
from auditor.subjects.microdata.exports.generalized.reading_back import WrittenGeneralization, read_claimed
from auditor.subjects.microdata.exports.matching import rows_of_key
from auditor.subjects.microdata.exports.reading_back import (
    WrittenRecords,
    columns_check,
    others_together_check,
    published_in,
)
from graphkit.microdata.verify import GroupClaim, verify_groups
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Check, Verification


@dataclass(frozen=True, slots=True)
class WhatIsKnown:
    """What is known of how a file was made, beside its manifest."""

    key: Path | None = None
    """Key file: which record is which."""
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    """Of what was generalized, as they were given then."""
    kept_back: tuple[str, ...] = ()
    """Columns of the original that no release may have, where their roles are known."""


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
    with open_records(released, EdgeTableSettings()) as file:
        there = {column.name for column in file.columns}
        leaving = tuple(column for column in opened.columns if column.name in there)
        if len(leaving) != len(there):
            return Verification((checksum, _OTHER_COLUMNS))
        claim = generalized_claim(manifest.claim) if is_freeform(manifest.claim) else claim_of(manifest.claim)
        if not there.issuperset(_named(claim)):
            return Verification((checksum, _MISSING_COLUMN))
        if not there.isdisjoint(known.kept_back) or (isinstance(claim, FreeformClaim) and there & {*claim.withheld}):
            return Verification((checksum, _COLUMN_TOO_MANY))
        if isinstance(claim, FreeformClaim):
            checks = _generalized(opened, file, leaving, claim, known)
        else:
            checks = _grouped(opened, file, leaving, claim, known)
    opened.check_unchanged()
    return Verification((checksum, *checks))


def _named(claim: GroupClaim | FreeformClaim) -> set[str]:
    """Return the columns that a file must have for its claim."""
    named = {*claim.attributes, *([] if claim.stratum is None else [claim.stratum])}
    if isinstance(claim, FreeformClaim):
        return named | {demand.sensitive for demand in claim.demands if not demand.of_households}
    return named if claim.household is None else {*named, claim.household}


def _grouped(
    opened: OpenRecords, file: OpenRecords, leaving: tuple[Column, ...], claim: GroupClaim, known: WhatIsKnown
) -> tuple[Check, ...]:
    if known.key is None:
        checks = verify_groups(claim, published_in(file, claim)).checks
        return (*checks, *_without_key(opened, file, claim, leaving))
    original = read_original(opened, claim)
    rows = rows_of_key(known.key, original.records.values.shape[0], claim.n)
    return WrittenRecords(opened, claim, leaving, original, rows).verify(file.source.path, file.delimiter).checks


def _without_key(
    opened: OpenRecords, file: OpenRecords, claim: GroupClaim, leaving: tuple[Column, ...]
) -> tuple[Check, ...]:
    """Return what shows that a file was made of these records, where it is not known which one is which."""
    released = file.source.path
    with record_errors(opened.source, released):
        columns = columns_check(opened.connection, released, written_types(claim, leaving), file.delimiter)
        if not columns.passed:
            return (columns,)
        others = [column.name for column in leaving if column.name not in claim.attributes]
        return (columns, others_together_check(opened.connection, others))


def _generalized(
    opened: OpenRecords, file: OpenRecords, leaving: tuple[Column, ...], claim: FreeformClaim, known: WhatIsKnown
) -> tuple[Check, ...]:
    coded = read_claimed(opened, claim, known.hierarchies)
    rows = None if known.key is None else rows_of_key(known.key, coded.codes.shape[0], claim.n, claim.suppressed)
    written = WrittenGeneralization(opened, claim, leaving, coded, rows)
    return written.verify(file.source.path, file.delimiter).checks


_MISSING_COLUMN = Check("columns", False, "the file lacks a column that its claim is about")
_COLUMN_TOO_MANY = Check("columns", False, "the file has a column that must not be published")
_OTHER_COLUMNS = Check("columns", False, "the file has a column that the original does not have")
