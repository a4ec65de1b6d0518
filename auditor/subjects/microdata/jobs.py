"""The jobs that make protected exports of stored records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadInput
from auditor.formats.records.columns import Column, KnownColumns
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from auditor.web.jobs.exporting import check_least, export_folder, export_result
from auditor.web.jobs.kinds import ExportInput, JobKind, JobPorts

if TYPE_CHECKING:
    from auditor.exports.destination import Destination
    from auditor.formats.records.opening import OpenRecords
    from auditor.subjects.microdata.exports.attributes.treatment import Treatment
    from auditor.subjects.microdata.exports.generalized.domains import Generalizing
    from auditor.subjects.microdata.exports.generalized.sensitive import Demanding
    from auditor.subjects.microdata.exports.stored_records import StoredRecords


class _ProtectIn(ExportInput):
    microdata: str
    k: int = Field(ge=2, le=1_000_000)
    attributes: list[str] = Field(default_factory=list, max_length=1000, description="columns to protect")
    format: Literal["csv", "tsv", "parquet"] = "csv"
    seed: int = Field(default=0, ge=0, le=2**53)
    time_limit: float | None = Field(default=None, gt=0, le=86_400)

    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that the job is about."""
        return [f"microdata:{self.microdata}"]

    @property
    def engine(self) -> dict[str, Any]:
        """Settings of the engine by their names."""
        return {"seed": self.seed, "time_limit": self.time_limit}


class MicroaggregateIn(_ProtectIn):
    """Make an export of stored records in which groups of them share their means."""

    kind: Literal["microaggregate"]
    keep_integers: bool = Field(default=False, description="means of columns of whole numbers are rounded")
    scaling: Literal["standard", "robust", "range", "none"] = Field(
        default="standard", description="of numbers and dates, before distances"
    )
    attribute_weights: dict[str, float] = Field(
        default_factory=dict, max_length=1000, description="by column: what squared distances in it count, 1 by default"
    )
    aggregate: Literal["mean", "median"] = Field(default="mean", description="of numbers and dates")
    aggregates: dict[str, Literal["mean", "median", "mode"]] = Field(
        default_factory=dict, max_length=1000, description="by column, where it is another"
    )
    nominal: list[str] = Field(default_factory=list, max_length=1000, description="numbers that are categories")
    ordinal: dict[str, list[str]] = Field(
        default_factory=dict, max_length=1000, description="by column: all its categories in order"
    )
    missing: Literal["error", "group", "impute"] = Field(
        default="error", description="values that are missing: refused, groups of their own, or filled in"
    )

    @property
    def treatment(self) -> Treatment:
        """How attributes are compared and aggregated."""
        from auditor.subjects.microdata.exports.attributes.treatment import Treatment

        return Treatment(
            self.scaling,
            self.attribute_weights,
            self.aggregate,
            self.aggregates,
            tuple(self.nominal),
            {name: tuple(categories) for name, categories in self.ordinal.items()},
            self.missing,
        )


class GeneralizeIn(_ProtectIn):
    """Make an export of stored records in which each hides among those that its values stand for."""

    kind: Literal["generalize"]
    hierarchies: dict[str, str] = Field(
        default_factory=dict, max_length=1000, description="by column: prefixes, dates, or intervals:5:20"
    )
    nominal: list[str] = Field(default_factory=list, max_length=1000, description="numbers that are categories")
    distinct: dict[str, int] = Field(
        default_factory=dict, max_length=1000, description="by sensitive column: values among which each record hides"
    )
    entropy: dict[str, float] = Field(
        default_factory=dict, max_length=1000, description="by sensitive column: effective number of these values"
    )
    t: dict[str, float] = Field(
        default_factory=dict, max_length=1000, description="by sensitive column: their distance from the whole file"
    )
    suppress: float = Field(
        default=0.0, ge=0, lt=1, description="share of the records that may be left out where the others lose less so"
    )

    @property
    def choices(self) -> Generalizing:
        """How values are generalized."""
        from auditor.subjects.microdata.exports.generalized.domains import Generalizing

        return Generalizing(self.hierarchies, nominal=tuple(self.nominal))

    @property
    def demanding(self) -> Demanding:
        """What is demanded of sensitive columns, beside what the policy demands."""
        from auditor.subjects.microdata.exports.generalized.sensitive import Demanding

        return Demanding(self.distinct, self.entropy, self.t)


def _checked(store: Store, policy: Policy, given: _ProtectIn) -> MicrodataInfo:
    check_least(given.k, policy.microdata.k, "microdata.k")
    info = Microdata(store).show(given.microdata)
    if given.k > info.records:
        raise BadInput(f"k = {given.k} is more than there are records; take a smaller one")
    for name in given.attributes:
        if name not in info.columns:
            raise BadInput(f"there is no column {name!r}; choose among those of the records")
    return info


def _columns(info: MicrodataInfo) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name, kind in zip(info.columns, info.types, strict=True))


def _check_microaggregated(store: Store, policy: Policy, given: MicroaggregateIn) -> None:
    from auditor.subjects.microdata.exports.attributes.treatment import chosen_attributes

    info = _checked(store, policy, given)
    # at once, not by the job: it would end without an export
    chosen_attributes(_columns(info), info.name, info.declared, given.attributes, given.treatment)


def _check_generalized(store: Store, policy: Policy, given: GeneralizeIn) -> None:
    from auditor.formats.records.hierarchies import MADE, is_made
    from auditor.subjects.microdata.exports.generalized.domains import generalized_attributes
    from auditor.subjects.microdata.exports.generalized.sensitive import demands_for
    from graphkit.microdata.generalization.suppression.allowance import part_of

    info = _checked(store, policy, given)
    left = info.records - part_of(given.suppress, info.records)
    if left < given.k:
        raise BadInput(f"{left} of {info.records} records would be left, fewer than k = {given.k}; leave out fewer")
    for how in given.hierarchies.values():
        # no file of the service is read because somebody names it
        if not is_made(how):
            raise BadInput(f"a hierarchy is one of {', '.join(MADE)} (intervals:5:20) here; files are for the command")
    # at once, not by the job: it would end without an export
    known = KnownColumns(_columns(info), info.name)
    names = generalized_attributes(known, info.declared, given.attributes, given.choices)
    demands_for(known, info.declared, names, given.demanding, policy.microdata, given.k)


def _microaggregate(ports: JobPorts, parameters: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records

    given = MicroaggregateIn.model_validate({"kind": "microaggregate", **parameters})
    with _protecting(ports, given) as (opened, stored, destination):
        request = MicroaggregationRequest(
            given.k,
            destination,
            stored.info.declared,
            tuple(given.attributes),
            given.keep_integers,
            given.engine,
            ports.policy,
            ports.person,
            origin=ports.origin,
            treatment=given.treatment,
            policy_demands=True,
        )
        done = export_records(opened, request, stored, phase=lambda phase: ports.report(phase, 0, 0))
    return export_result(given.k, done.published)


def _generalize(ports: JobPorts, parameters: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.subjects.microdata.exports.generalized.exporting import GeneralizationRequest, export_generalized

    given = GeneralizeIn.model_validate({"kind": "generalize", **parameters})
    with _protecting(ports, given) as (opened, stored, destination):
        request = GeneralizationRequest(
            given.k,
            destination,
            stored.info.declared,
            tuple(given.attributes),
            given.choices,
            given.engine,
            ports.policy,
            ports.person,
            origin=ports.origin,
            demanding=given.demanding,
            policy_demands=True,
            suppress=given.suppress,
        )
        done = export_generalized(opened, request, stored, phase=lambda phase: ports.report(phase, 0, 0))
    return export_result(given.k, done.published)


@contextmanager
def _protecting(ports: JobPorts, given: _ProtectIn) -> Iterator[tuple[OpenRecords, StoredRecords, Destination]]:
    """Give stored records, open, and where their export goes."""
    from auditor.exports.destination import Destination
    from auditor.subjects.microdata.exports.stored_records import StoredRecords
    from auditor.subjects.microdata.port import open_unchanged

    info = Microdata(ports.store).show(given.microdata)
    with export_folder(ports) as folder, open_unchanged(info, EdgeTableSettings()) as opened:
        destination = Destination(folder / f"records-k{given.k}.{given.format}", name=given.name)
        yield opened, StoredRecords(ports.store, info), destination


MICROAGGREGATE = JobKind("export", MicroaggregateIn, _microaggregate, check=_check_microaggregated)
GENERALIZE = JobKind("export", GeneralizeIn, _generalize, check=_check_generalized)
