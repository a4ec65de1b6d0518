"""A protected export of a file of records, from the request to the file: read, group, write, verify, publish."""

import itertools
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.digests import file_digest
from auditor.core.errors import BadInput, VerificationFailed
from auditor.core.staging import check_destination, delivering, publish, staging_folder, sync
from auditor.exports.claim import manifest_data, manifest_path, manifest_text
from auditor.exports.key_file import check_key_file, is_same, write_key_rows
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.numeric import chosen_attributes, read_numbers, read_strata
from auditor.subjects.microdata.exports.released_file import ReleasedFile, check_suffix
from graphkit.machine import fresh_permutation
from graphkit.microdata import microaggregate
from graphkit.microdata.microaggregation.groups import group_means
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.microaggregation.standing import Progress, silent
from graphkit.microdata.verify import GroupClaim
from graphkit.verification import Verification

_EXACT = 2.0**53
"""Whole numbers up to this are exact as floating-point numbers."""


@dataclass(frozen=True, slots=True)
class MicroaggregationRequest:
    """What is to be protected, how, and where it goes."""

    k: int
    out: Path | None
    """None: the figures are wanted alone."""
    roles: Roles = field(default_factory=Roles)
    attributes: tuple[str, ...] = ()
    """Columns to aggregate; none: the numbers among the quasi-identifiers, else all numbers."""
    keep_integers: bool = False
    """Whether means of columns of whole numbers are rounded."""
    force: bool = False
    key_file: Path | None = None
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the engine by their names."""


@dataclass(frozen=True, slots=True, eq=False)
class ExportedRecords:
    """What the engine answered, and what was published."""

    answer: Microaggregation
    attributes: tuple[str, ...]
    rounded_loss: float | None
    """Information loss in percent after means were rounded; None where none was."""
    removed: tuple[str, ...]
    """Direct identifiers, which did not leave."""
    unchanged: tuple[str, ...]
    """Quasi-identifiers that left as they were: the claim is not about them."""
    export: str | None = None
    files: tuple[Path, ...] = ()
    """The records first; empty where nothing was written."""
    verification: Verification | None = None


def check_request(request: MicroaggregationRequest, source: Path) -> None:
    """Refuse a place where the files could not be written, before any work.

    Raises
    ------
    NotFound, AlreadyExists, BadInput
        As :func:`auditor.core.staging.check_destination`; or if the original would be replaced.
    """
    if request.out is None:
        return
    check_suffix(request.out)
    targets = [request.out, manifest_path(request.out)]
    for target in targets:
        check_destination(target, force=request.force)
        if is_same(target, source):
            raise BadInput(f"{target} is the file that is protected; choose another name for the output")
    if request.key_file is not None:
        check_key_file(request.key_file, targets, "the release")


def export_records(
    opened: OpenRecords,
    request: MicroaggregationRequest,
    *,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress = silent,
) -> ExportedRecords:
    """Group the records, write each group's means aside, read back, verify, and publish.

    Raises
    ------
    BadInput
        If `k` or an attribute cannot be used, or the destination.
    BadFile
        If the file cannot be read, or an attribute has a value that is missing.
    NotDelivered
        If the file system refuses; nothing appears then.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    check_request(request, opened.source.path)
    phase("read")
    opened.widen_types()
    attributes = chosen_attributes(opened, request.roles, request.attributes)
    original = read_numbers(opened, attributes)
    strata = None if request.roles.stratum is None else read_strata(opened, request.roles.stratum)
    opened.check_unchanged()
    answer = microaggregate(
        original, request.k, strata=strata, clock=time.monotonic, progress=progress, **request.engine
    )
    values = group_means(original, answer.labels)[answer.labels]
    whole = _whole_numbers(opened, attributes, original) if request.keep_integers else ()
    for name in whole:
        values[:, attributes.index(name)] = np.rint(values[:, attributes.index(name)])
    result = ExportedRecords(
        answer,
        attributes,
        _loss(original, values) if whole else None,
        request.roles.identifiers,
        tuple(name for name in request.roles.quasi_identifiers if name not in attributes),
    )
    if request.out is None:
        return result
    claim = GroupClaim(request.k, original.shape[0], attributes, whole)
    leaving = tuple(column for column in opened.columns if column.name not in request.roles.identifiers)
    released = ReleasedFile(opened, claim, leaving, original, values, fresh_permutation(original.shape[0]))
    return _published(released, request, result, phase)


def _published(
    released: ReleasedFile, request: MicroaggregationRequest, result: ExportedRecords, phase: Callable[[str], None]
) -> ExportedRecords:
    out, export = request.out, str(uuid.uuid4())
    assert out is not None
    with staging_folder(out) as folder:
        phase("write")
        aside = folder / out.name
        released.write(aside)
        with delivering(out):
            sync(aside)
        phase("verify")
        verification = released.read_back(aside)
        if not verification.passed:
            failed = ", ".join(check.name for check in verification.checks if not check.passed)
            raise VerificationFailed(
                f"what was written to {out.name} fails its check ({failed}); nothing was published"
            )
        released.opened.check_unchanged()
        # no value, no group, no order of the original, no seed
        claim = {"kind": "microaggregation", "aggregate": "mean", **asdict(released.claim)}
        data = manifest_data(export, {out.name: file_digest(aside)}, claim, verification, datetime.now(UTC))
        manifest = manifest_path(aside)
        with delivering(out):
            manifest.write_text(manifest_text(data), encoding="utf-8")
            sync(manifest)
        if request.key_file is not None:
            write_key_rows(request.key_file, [zip(released.rows.tolist(), itertools.count(), strict=False)])
        try:
            files = publish([manifest, aside], out.parent, force=request.force)
        except BaseException:
            # the key of an export that did not appear
            if request.key_file is not None:
                request.key_file.unlink(missing_ok=True)
            raise
    return replace(result, export=export, files=tuple(reversed(files)), verification=verification)


def _whole_numbers(opened: OpenRecords, names: tuple[str, ...], original: Any) -> tuple[str, ...]:
    """Return the attributes whose columns hold whole numbers that floating-point numbers hold exactly."""
    whole = [name for name in names if opened.named(name).type.endswith("INT") or opened.named(name).type == "INTEGER"]
    return tuple(name for name in whole if np.abs(original[:, names.index(name)]).max() < _EXACT)


def _loss(original: Any, values: Any) -> float:
    """Return the information loss in percent, of attributes scaled to the same variance."""
    spread = original.std(axis=0)
    used = spread > 0
    before, after = original[:, used] / spread[used], values[:, used] / spread[used]
    total = ((before - before.mean(axis=0)) ** 2).sum()
    return float(100 * ((before - after) ** 2).sum() / total) if total else 0.0
