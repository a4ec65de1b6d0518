"""What can be asked for as a job, by whom, and what is done then."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.access.rights import Right
from auditor.core.errors import BadInput
from auditor.core.origin import Origin

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.store import Store

__all__ = ["JOB_KINDS", "JobKind", "JobRoom", "kind_of"]

Report = Callable[[str, int, int], None]

_SUFFIXES = {"csv": ".csv", "graphml": ".graphml", "gml": ".gml", "parquet": ".parquet"}


@dataclass(frozen=True, slots=True)
class JobRoom:
    """What a job is given."""

    store: Store
    policy: Policy
    exports: Path
    """Folder for files that it makes."""
    person: str
    origin: Origin
    report: Report
    """Told what is being done, how much is done, and how much there is (0: unknown)."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job."""

    right: Right
    """What whoever asks for it needs."""
    work: Callable[[JobRoom, Mapping[str, Any]], dict[str, Any]]
    """Does it, and returns what came out: no protected value."""


def kind_of(name: str) -> JobKind:
    """Return a kind of job.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    if name not in JOB_KINDS:
        raise BadInput(f"there is no job {name!r}; there are {', '.join(JOB_KINDS)}")
    return JOB_KINDS[name]


def _anonymize(room: JobRoom, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.exports.destination import Destination
    from auditor.subjects.networks.exports.stored_network import export_stored_network

    k = int(given["k"])
    suffix = _SUFFIXES[given.get("format", "csv")]
    folder = room.exports / str(uuid.uuid4())
    # its name is the ids' folder: a network's own name may be no name of a file
    folder.mkdir(parents=True, mode=0o700)
    destination = Destination(folder / f"network-k{k}{suffix}", False, None, tuple(given.get("keep", ())), None)
    try:
        published = export_stored_network(
            room.store,
            given["network"],
            k,
            destination,
            room.policy,
            actor=room.person,
            origin=room.origin,
            seed=int(given.get("seed", 0)),
            time_limit=given.get("time_limit"),
            phase=lambda phase: room.report(phase, 0, 0),
        )
    except BaseException:
        _remove_if_empty(folder)
        raise
    return {"export": published.manifest.export, "k": k, "approval": published.approval}


def _audit(room: JobRoom, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.audits.running import run_audit

    subjects, verdicts = list(given["subjects"]), {}
    for place, subject in enumerate(subjects):
        room.report("audit", place, len(subjects))
        audit = run_audit(room.store, subject, room.policy, trigger="service", actor=room.person)
        verdicts[subject] = {"audit": audit.id, "verdict": audit.verdict}
    return {"audits": verdicts}


def _frontier(room: JobRoom, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.core.plain import plain
    from auditor.subjects.tables.releases.lattice import decided_lattice, read_lattice
    from auditor.subjects.tables.representations.lattice import frontier_data

    room.report("read", 0, 0)
    known, state = read_lattice(room.store, given["table"])
    found = decided_lattice(
        room.store,
        known,
        state,
        room.policy,
        actor=room.person,
        time_limit=given.get("time_limit", 60.0),
        clock=time.monotonic,
        report=lambda done, total: room.report("decide", done, total),
    )
    data: dict[str, Any] = plain(frontier_data(given["table"], found, room.policy))
    return data


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        # what is in it is for the next export to clean up
        return


JOB_KINDS: Mapping[str, JobKind] = {
    "anonymize": JobKind("export", _anonymize),
    "audit": JobKind("schedule", _audit),
    "frontier": JobKind("look", _frontier),
}
"""All kinds."""
