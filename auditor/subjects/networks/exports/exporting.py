"""A protected export of a network, from the request to the file: read, solve, publish."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.core.origin import Origin
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published, publish_release
from auditor.exports.record import ScheduledExport
from auditor.exports.recording import ExportRecorder
from auditor.formats.networks.loaded import LabelArray, LoadedNetwork
from auditor.formats.networks.remarks import ReadSummary
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.networks.exports.attributes import check_attributes, choose_attributes
from auditor.subjects.networks.exports.network_release import Answer, NetworkRelease
from auditor.subjects.networks.exports.place import check_network_destination
from auditor.subjects.networks.port import subject_of
from auditor.subjects.networks.repository import NetworkInfo, Networks
from graphkit.networks.constraints import Constraints
from graphkit.networks.effort.progress import Progress


@dataclass(frozen=True, slots=True)
class StoredNetwork:
    """A network in a store, as it was found before it was read: what is recorded later must be about this one."""

    store: Store
    info: NetworkInfo


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is to be exported, how, for whom, and where it goes."""

    k: int
    """Required block size."""
    destination: Destination
    policy: Policy
    """Where its `exports.approval` says so, the export of a stored network awaits a second person."""
    actor: str
    """Who makes it."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the engine by their names; with constraints those of :func:`graphkit.networks.anonymize_under`."""
    constraints: Callable[[LabelArray], Constraints] | None = None
    """What limits the engine, from the labels of the network; None: nothing."""
    dry_run: bool = False
    """Whether nothing is written: the figures are wanted alone."""
    keep_key: bool = True
    """Whether the store keeps the relabelling, and with it the owner claim; without it only the public claim can be
    checked again. A pending export keeps it until it is decided: it is verified once more."""
    scheduled: ScheduledExport | None = None
    """The run of a schedule that it is made in."""
    origin: Origin = field(default_factory=Origin)
    """The token of the request, and earlier requesters."""


@dataclass(frozen=True, slots=True, eq=False)
class ExportResult:
    """What the engine answered, and what was published."""

    answer: Answer
    published: Published | None = None
    """None where nothing was written: in a dry run, or where there is no answer within the constraints."""
    network: LoadedNetwork | None = None
    """The original; None where it was not read as a whole. Protected."""
    read: ReadSummary | None = None
    """How an edge table was understood, which is not read as a whole."""


def export_network(
    network: StoredNetwork | Callable[[], LoadedNetwork],
    request: ExportRequest,
    *,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress | None = None,
) -> ExportResult:
    """Protect a network and publish it; verified, and recorded where the network is stored.

    Parameters
    ----------
    network : StoredNetwork or callable
        A stored network; or what reads one from its file.
    request : ExportRequest
    phase, progress : callable, optional
        Called with what is being done, and with what the engine has reached; without the latter, its phases are given
        to the former.

    Raises
    ------
    NotFound
        If there is no such network any more.
    BadInput, AlreadyExists
        If the destination cannot be used, or there is no such attribute.
    Refused
        If kept attributes single a vertex out.
    NotDelivered, VerificationFailed
        As :func:`~auditor.exports.publishing.publish_release`; nothing appears then.
    """
    stored = network if isinstance(network, StoredNetwork) else None
    keep, progress = request.destination.keep, progress or (lambda name, best, bound: phase(name))
    if not request.dry_run:
        check_network_destination(request.destination)
    elif stored is not None and not keep and request.constraints is None:
        # the figures need no more than the engine sees of a stored network
        return ExportResult(_solve(request, Networks(stored.store).view(stored.info.name), progress))
    phase("read")
    loaded = network() if callable(network) else Networks(network.store).load(network.info.name)
    kept = choose_attributes(loaded.attributes, keep, of_ties=loaded.notes.columns_of_ties)
    constraints = None if request.constraints is None else request.constraints(loaded.labels)
    answer = _solve(request, loaded.graph, progress, constraints)
    if answer.status == "infeasible":
        return ExportResult(answer, network=loaded)
    if request.dry_run:
        protected = None if constraints is None else constraints.subset
        check_attributes(answer.degrees_after(loaded.graph.degrees()), kept, request.k, protected)
        return ExportResult(answer, network=loaded)
    published = publish_release(
        NetworkRelease(loaded, answer, request.destination), _recorder(stored, request, answer.method), phase
    )
    return ExportResult(answer, published, loaded)


def _recorder(stored: StoredNetwork | None, request: ExportRequest, method: str) -> ExportRecorder | None:
    if stored is None:
        return None
    return ExportRecorder(
        stored.store,
        subject_of(stored.info),
        request.policy,
        request.actor,
        method,
        request.keep_key,
        request.scheduled,
        request.origin,
    )


def _solve(request: ExportRequest, graph: Any, progress: Progress, constraints: Constraints | None = None) -> Answer:
    timed: dict[str, Any] = {"progress": progress, "clock": time.monotonic}
    if constraints is None:
        from graphkit.networks import anonymize

        return anonymize(graph, request.k, **request.engine, **timed)
    from graphkit.networks import anonymize_under

    return anonymize_under(graph, request.k, constraints, **request.engine, **timed)
