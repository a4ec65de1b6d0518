"""The networks with the form for a new one; a network with its audits, its exports and, on request, its degrees."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from fastapi import File, Form, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from auditor.audits.repository import Audits
from auditor.exports.repository import Exports
from auditor.formats.compression import COMPRESSION_SUFFIXES
from auditor.formats.networks.registry import known_formats
from auditor.formats.networks.remarks import remarks_on
from auditor.subjects.networks.api.networks import look_at_degrees, store_network
from auditor.subjects.networks.charts.block_sizes import block_sizes_chart
from auditor.subjects.networks.charts.degree_blocks import degree_blocks_chart
from auditor.subjects.networks.charts.risk_curve import risk_curve_chart
from auditor.subjects.networks.jobs import AnonymizeIn
from auditor.subjects.networks.repository import NetworkInfo, Networks
from auditor.web.api.common import DataKeeper, Exporter, Looker, Viewer
from auditor.web.api.jobs import begin_job
from auditor.web.pages.common import KNOWN, page_router, said, see_other, told
from auditor.web.pages.entered import checked, seconds_of
from auditor.web.pages.notices import NOTICES
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.subject_list import SubjectFilter, subject_list
from auditor.web.security.identity import Call
from graphkit.networks.risk.degree_risk import degree_risk

router, last = page_router(), page_router()

_MOST_AUDITS, _MOST_EXPORTS = 10, 20
_USUAL_MINUTES = 10
_COLUMNS: Mapping[str, Callable[[NetworkInfo], Any]] = {
    "vertices": lambda info: info.vertices,
    "edges": lambda info: info.edges,
    "since": lambda info: info.created_at,
}


class AnonymizeForm(BaseModel):
    """A protected export as the page asks for it, and as it is shown again after a refusal."""

    k: int = 0
    format: Literal["csv", "graphml", "gml", "parquet"] = "csv"
    keep: list[str] = Field(default_factory=list, max_length=100)
    minutes: float | None = None
    purpose: str = Field(default="", max_length=1000)
    called: str = Field(default="", max_length=200)

    def requested(self, name: str) -> AnonymizeIn:
        """Return the job for a network.

        Raises
        ------
        BadInput
            If a number is outside what it may be.
        """
        return checked(
            AnonymizeIn,
            kind="anonymize",
            network=name,
            k=self.k,
            format=self.format,
            keep=self.keep,
            time_limit=seconds_of(self.minutes),
            purpose=self.purpose,
            name=self.called,
        )


@router.get("/networks")
def networks(call: Viewer, asked: Annotated[SubjectFilter, Query()]) -> Response:
    """Show all networks."""
    return _list_page(call, asked)


@router.post("/networks")
def add(
    call: DataKeeper,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
    symmetrize: Annotated[bool, Form()] = False,
) -> Response:
    """Store a network from a file, and show it with what there is to say of the file: here alone, it is not kept."""
    try:
        info, read = store_network(call, name, file, symmetrize=symmetrize)
    except KNOWN as error:
        return _list_page(call, SubjectFilter(), name=name, symmetrize=symmetrize, **told(error))
    notice = NOTICES["added-in-doubt" if read.notes.doubts else "added"]
    return _page(call, info.name, status=201, notice=notice, remarks=[*remarks_on(read), *read.notes.doubts])


@router.post("/networks/{name:path}/degrees")
def degrees(call: Looker, name: str) -> Response:
    """Show the degrees of a network."""
    blocks, k = look_at_degrees(call, name), call.policy.network.k
    series, risk = ("before", "this network"), degree_risk(blocks, k)
    drawn = (
        degree_blocks_chart([(series, blocks)], k),
        risk_curve_chart([(series, risk)], k),
        block_sizes_chart([(series, blocks)], k),
    )
    return _page(call, name, charts=[chart for chart in drawn if chart is not None], risk=risk)


@router.post("/networks/{name:path}/anonymize")
def anonymize(call: Exporter, name: str, entered: Annotated[AnonymizeForm, Form()]) -> Response:
    """Begin a protected export."""
    try:
        job = begin_job(call, entered.requested(name))
    except KNOWN as error:
        return _page(call, name, entered=entered, **told(error))
    return see_other(f"/jobs/{job.id}")


@router.post("/networks/{name:path}/remove")
def remove(call: DataKeeper, name: str) -> Response:
    """Remove a network."""
    Networks(call.store).remove(name, actor=call.person)
    return said("/networks", "removed")


@last.get("/networks/{name:path}")
def show(call: Viewer, name: str) -> Response:
    """Show a network."""
    return _page(call, name)


def _list_page(call: Call, asked: SubjectFilter, **given: Any) -> Response:
    shown = subject_list("/networks", asked, Networks(call.store).list(), _COLUMNS)
    formats = [(info.title, info.suffixes) for info in known_formats()]
    entered = {"name": "", "symmetrize": False, **given}
    return page(call, "networks/networks.html", formats=formats, packed=list(COMPRESSION_SUFFIXES), **shown, **entered)


def _page(call: Call, name: str, **given: Any) -> Response:
    shown = {
        "info": Networks(call.store).show(name),
        "k": call.policy.network.k,
        "entered": AnonymizeForm.model_construct(k=call.policy.network.k, minutes=_USUAL_MINUTES),
        "audits": Audits(call.store).list(f"network:{name}", limit=_MOST_AUDITS),
        "exports": Exports(call.store).list(f"network:{name}")[:_MOST_EXPORTS],
        "charts": None,
        "risk": None,
        "remarks": [],
    }
    return page(call, "networks/network.html", **{**shown, **given})
