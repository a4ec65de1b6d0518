"""The job that makes a protected export of a network."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.core.errors import BadInput
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.networks.repository import Networks
from auditor.web.jobs.exporting import check_least, export_folder, export_result
from auditor.web.jobs.kinds import ExportInput, JobKind, JobPorts


class AnonymizeIn(ExportInput):
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
    check_least(given.k, policy.network.k, "network.k")
    if given.k > Networks(store).show(given.network).vertices:
        raise BadInput(f"k = {given.k} is more than the network has vertices; take a smaller one")


def _anonymize(ports: JobPorts, parameters: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.exports.destination import Destination
    from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network

    given = AnonymizeIn.model_validate({"kind": "anonymize", **parameters})
    network = StoredNetwork(ports.store, Networks(ports.store).show(given.network))
    with export_folder(ports) as folder:
        request = ExportRequest(
            given.k,
            Destination(folder / f"network-k{given.k}.{given.format}", keep=given.keep, name=given.name),
            ports.policy,
            ports.person,
            {"seed": given.seed, "time_limit": given.time_limit},
            origin=ports.origin,
        )
        published = export_network(network, request, phase=lambda phase: ports.report(phase, 0, 0)).published
    return export_result(given.k, published)


ANONYMIZE = JobKind("export", AnonymizeIn, _anonymize, check=_check)
