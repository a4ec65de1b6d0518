"""Bring together what a report shows: audit, latest export, its file as it lies there now, utility."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from auditor.core.errors import BadInput, NotFound, Refused
from auditor.core.names import one_of_ids
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.networks.auditing import NetworkAudit, audit_graph, wanted_knowledge
from auditor.subjects.networks.exports.claim_record import claim_of
from auditor.subjects.networks.exports.rechecking import recheck_export
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.network_report import Making, NetworkReport, Release
from auditor.subjects.networks.report.pages import Edition
from auditor.subjects.networks.report.picture import check_drawable, draw_picture
from auditor.subjects.networks.repository import Networks
from graphkit.networks.driver import lower_bound
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.degree_risk import degree_risk
from graphkit.networks.utility import ASPECTS, QUICK, Utility, compare, utility
from graphkit.networks.verify import DegreeClaim, Terms

_EFFORT = 5.0
"""What the bound on a page may cost: `network anonymize` has shown the best one."""

_ALL_ASPECTS = 30_000
"""Number of edges up to which a page shows every aspect of utility."""


def report_of_graph(name: str, graph: SimpleGraph, policy: NetworkPolicy) -> NetworkReport:
    """Return the report about a network that is in no store: its audit and its utility.

    Parameters
    ----------
    name : str
        How the page calls it.
    graph : SimpleGraph
        The network.
    policy : NetworkPolicy
        The thresholds.
    """
    return NetworkReport(name, datetime.now(UTC), _audit(graph, policy), _utility(graph))


def report_of_stored(
    store: Store,
    name: str,
    edition: Edition,
    *,
    policy: NetworkPolicy | None = None,
    export_id: str | None = None,
    picture_for: str | None = None,
    phase: Callable[[str], None] = lambda name: None,
) -> NetworkReport:
    """Return the report about a stored network and its latest export, whose file is read and verified again.

    Parameters
    ----------
    store : Store
        Where the network is.
    name : str
        Its name.
    edition : {"internal", "public"}
        What the report is for.
    policy : NetworkPolicy, optional
        The thresholds; by default those of the default policy with the k that the export claims. A release is judged by
        them in both editions where they are given, else by what it claims.
    export_id : str, optional
        The export to report on; the newest published one by default.
    picture_for : str, optional
        Who is shown a picture of the network before and after; the ledger records that they view it. Of the internal
        edition alone.
    phase : callable, optional
        Called with what is being done.

    Raises
    ------
    NotFound
        If there is no network of that name, or no such export of it.
    Refused
        If the edition is public and there is no export, or its file does not hold its claim (any more).
    BadInput
        If a picture is wanted in the public edition, or cannot be drawn: there is no export, or its key was not kept.

    Notes
    -----
    Reads the whole network from the store: O(n + m), and the cost of :func:`graphkit.networks.utility.utility`.
    """
    export = _find_export(store, name, export_id)
    if picture_for is not None and (export is None or edition == "public"):
        why = "the public edition never has one" if edition == "public" else "the network has no export"
        raise BadInput(f"there is no picture of {name!r} before and after: {why}")
    if export is None and edition == "public":
        raise Refused("there is nothing public to say without an export; make one with 'auditor network anonymize'")
    phase("read")
    original = Networks(store).load(name).graph
    if export is None:
        phase("measure")
        return report_of_graph(name, original, policy or NetworkPolicy())
    phase("verify")
    found = recheck_export(store, export, original)
    if edition == "public" and not found.verification.passed:
        raise Refused("the released file does not hold its claim; the internal report tells why")
    phase("measure")
    at, claim = datetime.now(UTC), claim_of(export.claim)
    judged = policy or NetworkPolicy(k=claim.k)
    audit = _audit(original, judged)
    release = Release(
        export=export.id,
        file=Path(export.path).name,
        files=dict(export.files),
        verified_at=at,
        claim=claim,
        verification=found.verification,
        risk=None,
        kept_attributes=tuple(export.claim["attributes"]),
        not_checked=found.not_checked,
    )
    own = None
    if found.graph is None:
        own = _utility(original)
    else:
        risk = degree_risk(found.graph.block_sequence(), claim.k)
        release = replace(release, risk=risk, given=_audit(found.graph, judged).given)
        if edition == "public":
            # measured in the file's own ids: with the key, the choice of sources would come from the original
            release = replace(release, utility=_utility(found.graph))
        else:
            measured = compare(original, found.graph, published=found.published, aspects=_aspects(original))
            making = _making(original, found.graph, claim, found.terms, str(export.claim.get("method", "")))
            release = replace(release, utility=measured.after, comparison=measured, making=making)
            own = measured.before
    if picture_for is not None:
        check_drawable(found)
        Networks(store).record_picture_view(Networks(store).show(name), export.id, actor=picture_for)
        release = replace(release, picture=draw_picture(original, found))
    return NetworkReport(name, at, audit, own, release, asked=policy is not None)


def _aspects(graph: SimpleGraph) -> Sequence[str]:
    """Return what a page measures: everything where that takes a second or two."""
    return tuple(ASPECTS) if graph.m <= _ALL_ASPECTS else QUICK


def _utility(graph: SimpleGraph) -> Utility:
    return utility(graph, aspects=_aspects(graph))


def _find_export(store: Store, name: str, export_id: str | None) -> Export | None:
    exports = Exports(store).list(f"network:{name}")
    if export_id is None:
        return next((export for export in exports if export.state == "published"), None)
    meant = one_of_ids((export.id for export in exports), export_id, "exports")
    for export in exports:
        if export.id == meant:
            return export
    raise NotFound(f"there is no export {export_id!r} of the network {name!r}; see 'auditor network show'")


def _making(
    original: SimpleGraph, released: SimpleGraph, claim: DegreeClaim, terms: Terms | None, method: str
) -> Making | None:
    """Return how a release was made, as far as it is known; None where an unknown number of edges was deleted."""
    deleted = 0 if claim.supergraph else (None if terms is None else terms.deletions)
    if deleted is None:
        return None
    added = released.m - original.m + deleted
    if claim.scope != "whole" or not claim.supergraph:
        # the bound is about edges that are added so that everybody is protected
        return Making(added, method=method, edges_deleted=deleted)
    bound = lower_bound(original, claim.k, size=added, effort=_EFFORT)
    return Making(added, bound, method, "optimal" if added == bound else "feasible")


def _audit(graph: SimpleGraph, policy: NetworkPolicy) -> NetworkAudit:
    return audit_graph(graph, policy, wanted_knowledge(["all"], policy))
