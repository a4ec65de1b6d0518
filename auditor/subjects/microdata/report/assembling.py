"""Bring together what a report about stored records shows: audit, newest export, its file as it is now, utility."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.core.names import one_of_ids
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.formats.records.opening import VIEW, OpenRecords, open_records
from auditor.formats.records.roles import Roles
from auditor.store import Store
from auditor.subjects.microdata.auditing import RecordsAudit, audit_records
from auditor.subjects.microdata.exports.attributes.aggregating import measured_attributes
from auditor.subjects.microdata.exports.attributes.reading import read_original
from auditor.subjects.microdata.exports.claim_record import claim_of, least_of
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of as generalized_claim
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform, trees_of
from auditor.subjects.microdata.exports.generalized.reading_back import read_claimed, read_extents
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.reading_back import read_published
from auditor.subjects.microdata.exports.rechecking import recheck_export
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.report.public_page import PublicRelease
from auditor.subjects.microdata.report.stored_report import GeneralizedLoss, Kept, StoredRelease, StoredReport
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.microdata.generalization.extents import layout_of, losses_of
from graphkit.microdata.utility import compare, histogram


def _ignored(name: str) -> None:
    """Say nothing of a phase."""


def report_of_stored(
    store: Store,
    name: str,
    settings: EdgeTableSettings,
    *,
    policy: MicrodataPolicy | None = None,
    export_id: str | None = None,
    phase: Callable[[str], None] = _ignored,
) -> StoredReport:
    """Return the internal report about stored records and an export of them, whose file is verified again.

    Parameters
    ----------
    store : Store
    name : str
        Of the stored records.
    settings : EdgeTableSettings
        What DuckDB may use.
    policy : MicrodataPolicy, optional
        The thresholds; by default the default ones, with the k that the export claims. The export is then judged by
        what it claims.
    export_id : str, optional
        The newest published export by default.
    phase : callable, optional
        Called with what is being done.

    Raises
    ------
    NotFound
        If there are no records of that name, or no such export of them.
    BadFile
        If the file of the records is gone or changed.
    BadInput
        If no quasi-identifier is declared.
    """
    info, export = _found(store, name, export_id)
    judged = policy
    if policy is None:
        policy = MicrodataPolicy() if export is None else MicrodataPolicy(k=least_of(export))
    phase("read")
    with open_unchanged(info, settings) as opened:
        audit = audit_records(opened, info.declared, policy)
        report = StoredReport(info.name, datetime.now(UTC), audit)
        if export is None:
            return report
        phase("verify")
        found = recheck_export(store, export, judged or _as_claimed(export))
        release = StoredRelease(export, least_of(export), found)
        if found.passed:
            # what is not what it claims to be is not measured
            phase("measure")
            measure = _kept_generalized if is_freeform(export.claim) else _kept_means
            release = replace(release, kept=measure(store, export, opened, audit, settings))
    return replace(report, release=release)


def public_release_of_stored(
    store: Store,
    name: str,
    *,
    policy: MicrodataPolicy | None = None,
    export_id: str | None = None,
    phase: Callable[[str], None] = _ignored,
) -> PublicRelease:
    """Return what everybody may know of an export, whose file is verified again.

    Parameters
    ----------
    store, name, policy, export_id, phase
        As :func:`report_of_stored`; without a policy the export is judged by what it claims.

    Raises
    ------
    NotFound
        As :func:`report_of_stored`.
    Refused
        If nothing was published, the file does not hold its claim, or discloses more together with other exports.
    """
    _, export = _found(store, name, export_id)
    if export is None:
        raise Refused(
            "there is nothing public to say without an export; make one with 'auditor microdata microaggregate' or "
            "'auditor microdata generalize'"
        )
    if export.state != "published":
        raise Refused(f"the export {export.id} is not published ({export.state}), so there is nothing to say in public")
    phase("verify")
    claimed = _as_claimed(export)
    judged = claimed if policy is None else claimed.model_copy(update={"audit_together": policy.audit_together})
    found = recheck_export(store, export, judged)
    if not found.passed:
        raise Refused("the released file does not hold its claim; the internal report tells why")
    if any(finding.severity != "warning" for finding in found.findings):
        raise Refused(
            "together with other exports the released file may disclose more than it claims; the internal report tells "
            "what was found"
        )
    return PublicRelease(
        Path(export.path),
        export.files,
        export.id,
        datetime.now(UTC),
        export.claim,
        found.checks,
        found.not_checked,
        None if policy is None else policy.k,
    )


def _as_claimed(export: Export) -> MicrodataPolicy:
    """Return a policy that asks no more of an export than it claims."""
    return MicrodataPolicy(k=least_of(export), distinct_l=1, entropy_l=1.0, t=None)


def _found(store: Store, name: str, export_id: str | None) -> tuple[MicrodataInfo, Export | None]:
    info = Microdata(store).show(name)
    exports = Exports(store).list(f"microdata:{info.name}")
    if export_id is None:
        return info, next((export for export in exports if export.state == "published"), None)
    meant = one_of_ids((export.id for export in exports), export_id, "exports")
    for export in exports:
        if export.id == meant:
            return info, export
    raise NotFound(f"there is no export {export_id!r} of the microdata {name!r}; see 'auditor microdata show'")


def _kept_means(
    store: Store, export: Export, opened: OpenRecords, audit: RecordsAudit, settings: EdgeTableSettings
) -> Kept:
    claim, file, key = claim_of(export.claim), Path(export.path), read_key(store, export)
    original, values = read_original(opened, claim).records.values, read_published(file, claim)
    lacking = np.asarray(np.isnan(original).any(axis=0))
    places = [place for place in measured_attributes(claim, values) if not lacking[place]]
    kept = Kept(_audit_of_released(file, audit, settings))
    if not places:
        return kept
    names = [claim.attributes[place] for place in places]
    before, after = original[:, places], values[:, places]
    rows = None if key is None else key.rows
    columns = zip(names, before.T, after.T, strict=True)
    return replace(
        kept,
        comparison=compare(before, after, rows=rows, names=names),
        histograms=tuple(histogram(*column) for column in columns),
    )


def _audit_of_released(file: Path, audit: RecordsAudit, settings: EdgeTableSettings) -> RecordsAudit | None:
    """Return the audit of a released file by the quasi-identifiers that it has; None if it has none of them."""
    with open_records(file, settings) as released:
        there = {column.name for column in released.columns}
        known = tuple(name for name in audit.roles.quasi_identifiers if name in there)
        told = tuple(name for name in audit.roles.sensitive if name in there)
        if not known:
            return None
        return audit_records(released, Roles(quasi_identifiers=known, sensitive=told), audit.policy)


def _kept_generalized(
    store: Store, export: Export, opened: OpenRecords, audit: RecordsAudit, settings: EdgeTableSettings
) -> Kept:
    claim = generalized_claim(export.claim)
    try:
        coded = read_claimed(opened, claim, trees_of(Exports(store).terms(export.id) or {}))
    except BadInput:
        # the hierarchies were not kept
        return Kept()
    with open_records(Path(export.path), settings) as released:
        extents = read_extents(released.connection, VIEW, coded)
    if extents is None:
        return Kept()
    by_attribute = tuple(
        (domain.name, domain.kind, float(losses_of(layout_of([domain.attribute]), own).mean()))
        for domain, own in coded.own_extents(extents)
    )
    return Kept(loss=GeneralizedLoss(float(losses_of(coded.layout, extents).mean()), by_attribute))
