"""The protected export of a network that a schedule makes, where there is no good one."""

from pathlib import Path

from auditor.core.origin import Origin
from auditor.core.recorded_runs import Run
from auditor.core.subject import parse_subject
from auditor.core.transactions import TransactionHook
from auditor.exports.destination import Destination
from auditor.exports.file_digests import look_at_files
from auditor.exports.record import Export, ScheduledExport
from auditor.exports.repository import Exports
from auditor.policy import Policy
from auditor.schedules.protecting import dated_path
from auditor.schedules.repository import Schedule
from auditor.store import Store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.exports.rechecking import audit_export
from auditor.subjects.networks.repository import Networks

# the best that was found by then is taken: a scheduled run is not for proofs
_SECONDS = 600.0


def export_on_schedule(store: Store, schedule: Schedule, policy: Policy, run: Run, hold: TransactionHook) -> str | None:
    """Make an export where there is no good one, and return its id."""
    assert schedule.protect_k is not None
    assert schedule.protect_out is not None
    _, name = parse_subject(schedule.subjects[0])
    begun = Exports(store).of_run(run.id)
    for export in begun:
        if export.state == "recorded" and look_at_files(Path(export.path), export.files).unchanged:
            # the worker that made it died before it noted so
            Exports(store).mark_published(export.id)
    newest = next((one for one in Exports(store).of_schedule(schedule.id) if one.state != "recorded"), None)
    if newest is not None and _is_good(store, newest, policy):
        return newest.id if any(newest.id == export.id for export in begun) else None
    path = dated_path(Path(schedule.protect_out), run.due, len(begun) + 1)
    request = ExportRequest(
        schedule.protect_k,
        Destination(path),
        policy,
        schedule.requester,
        {"time_limit": _SECONDS},
        scheduled=ScheduledExport(schedule.id, run.id, hold),
        origin=Origin(earlier=schedule.earlier_requesters),
    )
    result = export_network(StoredNetwork(store, Networks(store).show(name)), request)
    assert result.published is not None
    return result.published.manifest.export


def _is_good(store: Store, newest: Export, policy: Policy) -> bool:
    """Whether no other export is wanted: this one holds, or waits, or a person said no to this very network."""
    if Exports(store).origin(newest) is None:
        return False
    if newest.state in ("pending", "rejected", "withdrawn", "returned"):
        return True
    return newest.state == "published" and not audit_export(store, newest, policy.network)
