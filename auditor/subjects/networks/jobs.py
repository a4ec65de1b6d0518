"""The job that makes a protected export of a network."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from auditor.core.errors import BadInput, Refused
from auditor.subjects.networks.repository import Networks
from auditor.web.jobs.kinds import JobInput, JobKind, JobPorts

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.store import Store

_SUFFIXES = {"csv": ".csv", "graphml": ".graphml", "gml": ".gml", "parquet": ".parquet"}


class AnonymizeIn(JobInput):
    """Make a protected export of a network."""

    kind: Literal["anonymize"]
    network: str
    k: int = Field(ge=2, le=1_000_000)
    format: Literal["csv", "graphml", "gml", "parquet"] = "csv"
    keep: list[str] = Field(default_factory=list, max_length=100, description="vertex attributes that leave, too")
    seed: int = Field(default=0, ge=0, le=2**53)
    time_limit: float | None = Field(default=None, gt=0, le=86_400)

    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that the job is about."""
        return [f"network:{self.network}"]


def _check(store: Store, policy: Policy, given: AnonymizeIn) -> None:
    least = policy.network.k
    if given.k < least:
        raise Refused(f"the policy of this service requires k = {least} (network.k); k = {given.k} is less")
    if given.k > Networks(store).show(given.network).vertices:
        raise BadInput(f"k = {given.k} is more than the network has vertices; take a smaller one")


def _anonymize(ports: JobPorts, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.exports.destination import Destination
    from auditor.subjects.networks.exports.stored_network import export_stored_network

    k = int(given["k"])
    suffix = _SUFFIXES[given.get("format", "csv")]
    folder = ports.exports / str(uuid.uuid4())
    # its name is the ids' folder: a network's own name may be no name of a file
    folder.mkdir(parents=True, mode=0o700)
    destination = Destination(folder / f"network-k{k}{suffix}", False, None, tuple(given.get("keep", ())), None)
    try:
        published = export_stored_network(
            ports.store,
            given["network"],
            k,
            destination,
            ports.policy,
            actor=ports.person,
            origin=ports.origin,
            seed=int(given.get("seed", 0)),
            time_limit=given.get("time_limit"),
            phase=lambda phase: ports.report(phase, 0, 0),
        )
    except BaseException:
        _remove_if_empty(folder)
        raise
    return {"export": published.manifest.export, "k": k, "approval": published.approval}


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        # what is in it is for the next export to clean up
        return


ANONYMIZE = JobKind("export", AnonymizeIn, _anonymize, check=_check)
