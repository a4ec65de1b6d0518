"""A protected export of a file of records, from the request to the file: read, group, publish."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.core.origin import Origin
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published, publish_release
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import Roles
from auditor.policy import Policy
from auditor.subjects.microdata.exports.attributes.aggregating import (
    Aggregated,
    aggregate_groups,
    measured_attributes,
    too_large_to_round,
)
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.attributes.sensitive_groups import check_sensitive
from auditor.subjects.microdata.exports.attributes.treatment import (
    Treatment,
    aggregates_for,
    chosen_attributes,
    claim_for,
    preparation_for,
)
from auditor.subjects.microdata.exports.effects import CurvePoint, Effects, measure_effects, risk_against_utility
from auditor.subjects.microdata.exports.key import value_groups
from auditor.subjects.microdata.exports.released_file import RecordsRelease, check_records_place
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.exports.unchanged import Unchanged, unchanged_columns
from graphkit.arrays import Floats
from graphkit.microdata import microaggregate
from graphkit.microdata.microaggregation.aggregates import imputed
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.microaggregation.scaling import Preparation
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.verify import GroupClaim, OriginalRecords

_CURVE_EFFORT = 0.5
"""Of each size of groups: what groups cost is seen with little work."""


@dataclass(frozen=True, slots=True)
class MicroaggregationRequest:
    """What is to be protected, how, for whom, and where it goes."""

    k: int
    destination: Destination | None
    """None: the figures are wanted alone."""
    roles: Roles = field(default_factory=Roles)
    attributes: tuple[str, ...] = ()
    """Columns to aggregate; none: the numbers among the quasi-identifiers, else all numbers."""
    keep_integers: bool = False
    """Whether means of columns of whole numbers are rounded."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the engine by their names."""
    policy: Policy = field(default_factory=Policy)
    """Where its `exports.approval` says so, the export of stored records awaits a second person."""
    actor: str = ""
    """Who makes it."""
    keep_key: bool = True
    """Whether the store keeps which record is which; without it only what the file itself shows can be checked again.
    A pending export keeps it until it is decided: it is verified once more."""
    pictures: bool = False
    """Whether a report is wanted: what that shows is measured."""
    curve: bool = False
    """Whether other sizes of groups are tried, too: risk against utility."""
    origin: Origin = field(default_factory=Origin)
    """The token of the request, and earlier requesters."""
    treatment: Treatment = field(default_factory=Treatment)
    """How attributes are compared and aggregated."""
    policy_demands: bool = False
    """Whether what the policy demands of sensitive columns counts: it was named, or is that of a service."""


@dataclass(frozen=True, slots=True, eq=False)
class ExportedRecords:
    """What the engine answered, and what was published."""

    answer: Microaggregation
    attributes: tuple[str, ...]
    aggregated: Aggregated
    """What is published of the attributes, and what that loses. Protected."""
    treatment: Treatment
    """How they were compared."""
    removed: tuple[str, ...]
    """Direct identifiers, which did not leave."""
    unchanged: Unchanged
    """Columns that left as they were: the claim is not about them."""
    effects: Effects | None
    """What the published numbers keep and tell; None where no attribute is one. Protected."""
    remarks: tuple[str, ...] = ()
    """What is to be said of sensitive columns, and of numbers that were read as text."""
    published: Published | None = None
    """None where nothing was written."""

    @property
    def claim(self) -> GroupClaim:
        """What is claimed of the file, or would be."""
        return self.aggregated.claim

    @property
    def aggregate_loss(self) -> float | None:
        """Information loss in percent with medians and modes; None if all are means."""
        return self.aggregated.aggregate_loss

    @property
    def rounded_loss(self) -> float | None:
        """Information loss in percent after rounding; None where nothing was rounded."""
        return self.aggregated.rounded_loss

    @property
    def measures(self) -> Effects:
        """What the published numbers keep and tell.

        Raises
        ------
        BadInput
            If no attribute is one.
        """
        if self.effects is None:
            raise BadInput("there is no attribute of numbers without missing values to measure")
        return self.effects


def check_request(request: MicroaggregationRequest, source: Path) -> None:
    """Refuse a place where the files could not be written, before any work.

    Raises
    ------
    NotFound, AlreadyExists, BadInput
        As :func:`auditor.exports.destination.check_place`.
    """
    if request.destination is not None:
        check_records_place(request.destination, (source,))


def export_records(
    opened: OpenRecords,
    request: MicroaggregationRequest,
    stored: StoredRecords | None = None,
    *,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress = silent,
) -> ExportedRecords:
    """Group the records, write each group's means aside, read back, verify, record, and publish.

    Parameters
    ----------
    opened : OpenRecords
        The records.
    request : MicroaggregationRequest
    stored : StoredRecords, optional
        Where they are stored: the export is recorded there, and held against what was published of them before.
    phase, progress : callable, optional
        Called with what is being done, and with what the engine has reached.

    Raises
    ------
    BadInput
        If `k` or an attribute cannot be used, or the destination.
    BadFile
        If the file cannot be read, or an attribute has a value that is missing.
    Refused
        If records would be singled out by this release together with earlier ones, or a group lacks what the policy
        demands of a sensitive column.
    NotDelivered
        If the file system refuses; nothing appears then.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    check_request(request, opened.source.path)
    phase("read")
    attributes = chosen_attributes(
        opened.columns, opened.source.name, request.roles, request.attributes, request.treatment
    )
    claim = claim_for(opened, request.roles, request.k, attributes, request.treatment)
    original = read_original(opened, claim)
    opened.check_unchanged()
    records, strata = original.records.values, original.records.strata
    if claim.missing == "impute":
        records = imputed(records, strata, aggregates_for(claim))
    preparation = preparation_for(claim, request.treatment)
    answer = microaggregate(
        records,
        request.k,
        strata=strata,
        households=original.records.households,
        preparation=preparation,
        clock=time.monotonic,
        progress=progress,
        **request.engine,
    )
    aggregated = aggregate_groups(
        opened, claim, records, answer.labels, preparation, keep_integers=request.keep_integers
    )
    claim, values = aggregated.claim, aggregated.values
    groups = value_groups(values)
    remarks = original.remarks
    if request.keep_integers:
        remarks += too_large_to_round(opened, claim)
    if request.policy_demands:
        remarks += check_sensitive(opened, request.roles, attributes, groups, request.policy.microdata)
    phase("measure")
    measured = measured_attributes(claim, records)
    effects = None
    if measured:
        names = [attributes[place] for place in measured]
        before = records[:, measured]
        effects = measure_effects(before, values[:, measured], answer, names, pictures=request.pictures)
        if request.curve:
            effects = replace(effects, curve=_curve(original.records, records, before, preparation, answer, request))
    elif request.curve or request.pictures:
        raise BadInput(
            "no attribute is of numbers without missing values: there is nothing to measure for a curve or report"
        )
    result = ExportedRecords(
        answer,
        attributes,
        aggregated,
        request.treatment,
        request.roles.kept_back,
        unchanged_columns(opened, request.roles, attributes, request.roles.kept_back),
        effects,
        remarks,
    )
    if request.destination is None:
        return result
    recorder = None
    if stored is not None:
        phase("compare")
        recorder = stored.recorder(request, answer.method, groups)
    leaving = tuple(column for column in opened.columns if column.name not in request.roles.kept_back)
    release = RecordsRelease(opened, claim, leaving, original, values, groups, request.destination)
    return replace(result, published=publish_release(release, recorder, phase))


def _curve(
    original: OriginalRecords,
    records: Floats,
    measured: Floats,
    preparation: Preparation,
    answer: Microaggregation,
    request: MicroaggregationRequest,
) -> tuple[CurvePoint, ...]:
    """Return risk against utility; a stratum, or those that lack the same values, bound the size of their groups."""
    strata, households = original.strata, original.households

    def grouped(k: int) -> Microaggregation:
        seed = request.engine.get("seed", 0)
        return microaggregate(
            records,
            k,
            strata=strata,
            households=households,
            preparation=preparation,
            seed=seed,
            effort=_CURVE_EFFORT,
        )

    apart = np.column_stack([np.zeros(len(records)) if strata is None else strata, np.isnan(records)])
    most = int(np.unique(apart, axis=0, return_counts=True)[1].min())
    return risk_against_utility(measured, answer, most, grouped)
