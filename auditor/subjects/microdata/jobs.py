"""The job that makes a protected export of stored records."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.microdata.repository import Microdata
from auditor.web.jobs.exporting import check_least, export_folder, export_result
from auditor.web.jobs.kinds import JobInput, JobKind, JobPorts


class MicroaggregateIn(JobInput):
    """Make a protected export of stored records."""

    kind: Literal["microaggregate"]
    microdata: str
    k: int = Field(ge=2, le=1_000_000)
    attributes: list[str] = Field(default_factory=list, max_length=1000, description="columns to aggregate")
    keep_integers: bool = Field(default=False, description="means of columns of whole numbers are rounded")
    format: Literal["csv", "tsv", "parquet"] = "csv"
    seed: int = Field(default=0, ge=0, le=2**53)
    time_limit: float | None = Field(default=None, gt=0, le=86_400)

    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that the job is about."""
        return [f"microdata:{self.microdata}"]


def _check(store: Store, policy: Policy, given: MicroaggregateIn) -> None:
    check_least(given.k, policy.microdata.k, "microdata.k")
    info = Microdata(store).show(given.microdata)
    if given.k > info.records:
        raise BadInput(f"k = {given.k} is more than there are records; take a smaller one")
    for name in given.attributes:
        if name not in info.columns:
            raise BadInput(f"there is no column {name!r}; choose among those of the records")


def _microaggregate(ports: JobPorts, parameters: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.exports.destination import Destination
    from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, StoredRecords, export_records
    from auditor.subjects.microdata.port import open_unchanged

    given = MicroaggregateIn.model_validate({"kind": "microaggregate", **parameters})
    info = Microdata(ports.store).show(given.microdata)
    with export_folder(ports) as folder, open_unchanged(info, EdgeTableSettings()) as opened:
        request = MicroaggregationRequest(
            given.k,
            Destination(folder / f"records-k{given.k}.{given.format}"),
            info.declared,
            tuple(given.attributes),
            given.keep_integers,
            {"seed": given.seed, "time_limit": given.time_limit},
            ports.policy,
            ports.person,
            origin=ports.origin,
        )
        stored = StoredRecords(ports.store, info)
        published = export_records(opened, request, stored, phase=lambda phase: ports.report(phase, 0, 0)).published
    return export_result(given.k, published)


MICROAGGREGATE = JobKind("export", MicroaggregateIn, _microaggregate, check=_check)
