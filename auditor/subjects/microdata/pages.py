"""The files of records with the form for a new one; a file of records with its columns and audits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import File, Form, Query, UploadFile
from starlette.responses import Response

from auditor.audits.repository import Audits
from auditor.exports.repository import Exports
from auditor.formats.records.columns import Column
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.api import store_microdata
from auditor.subjects.microdata.forms import GeneralizeForm, MicroaggregateForm, names_in
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from auditor.subjects.microdata.representation import microdata_out
from auditor.web.api.common import DataKeeper, Exporter, Viewer
from auditor.web.api.jobs import begin_job
from auditor.web.pages.common import KNOWN, page_router, said, see_other, told
from auditor.web.pages.notices import NOTICES
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.subject_list import SubjectFilter, subject_list
from auditor.web.security.identity import Call

router, last = page_router(), page_router()

_MOST_AUDITS = 10
_MOST_EXPORTS = 50
_USUAL_MINUTES = 10
_FIELDS = ("name", "identifiers", "quasi_identifiers", "sensitive", "weight", "stratum", "household", "geography")
_EMPTY = dict.fromkeys(_FIELDS, "")
_COLUMNS: Mapping[str, Callable[[MicrodataInfo], Any]] = {
    "records": lambda info: info.records,
    "columns": lambda info: len(info.columns),
    "since": lambda info: info.created_at,
}
_Text = Annotated[str, Form(max_length=10_000)]


@router.get("/microdata")
def microdata(call: Viewer, asked: Annotated[SubjectFilter, Query()]) -> Response:
    """Show all files of records."""
    return _list_page(call, asked)


@router.post("/microdata")
def add(
    call: DataKeeper,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
    identifiers: _Text = "",
    quasi_identifiers: _Text = "",
    sensitive: _Text = "",
    weight: _Text = "",
    stratum: _Text = "",
    household: _Text = "",
    geography: _Text = "",
) -> Response:
    """Store a file of records, and show it with what there is to say of the file: here alone, it is not kept."""
    given = (identifiers, quasi_identifiers, sensitive, weight, stratum, household, geography)
    try:
        info, remarks = store_microdata(call, name, file, _roles(*given))
    except KNOWN as error:
        return _list_page(call, SubjectFilter(), entered=dict(zip(_FIELDS, (name, *given), strict=True)), **told(error))
    if not remarks:
        return said(f"/microdata/{quote(info.name, safe='')}", "added")
    return _file_page(call, info.name, status=201, notice=NOTICES["added"], remarks=remarks)


@router.post("/microdata/{name:path}/microaggregate")
def microaggregate(call: Exporter, name: str, entered: Annotated[MicroaggregateForm, Form()]) -> Response:
    """Begin an export of groups and their means."""
    try:
        job = begin_job(call, entered.requested(name))
    except KNOWN as error:
        return _file_page(call, name, microaggregate=entered, **told(error))
    return see_other(f"/jobs/{job.id}")


@router.post("/microdata/{name:path}/generalize")
def generalize(call: Exporter, name: str, entered: Annotated[GeneralizeForm, Form()]) -> Response:
    """Begin an export of generalized records."""
    try:
        job = begin_job(call, entered.requested(name))
    except KNOWN as error:
        return _file_page(call, name, generalize=entered, **told(error))
    return see_other(f"/jobs/{job.id}")


@router.post("/microdata/{name:path}/remove")
def remove(call: DataKeeper, name: str) -> Response:
    """Remove a file of records."""
    Microdata(call.store).remove(name, actor=call.person)
    return said("/microdata", "removed")


@last.get("/microdata/{name:path}")
def show(call: Viewer, name: str) -> Response:
    """Show a file of records."""
    return _file_page(call, name)


def _file_page(
    call: Call,
    name: str,
    *,
    microaggregate: MicroaggregateForm | None = None,
    generalize: GeneralizeForm | None = None,
    remarks: Sequence[str] = (),
    **problem: Any,
) -> Response:
    """Show a file of records; a form that was refused as it was entered."""
    info = microdata_out(Microdata(call.store).show(name))
    leaving = [column for column in info.columns if column.role in ATTRIBUTES]
    # what can be aggregated and generalized
    attributes = [column for column in leaving if Column(column.name, column.type).sort != "other"]
    known = [column.name for column in attributes if column.role == "quasi-identifier"]
    fresh: dict[str, Any] = {"k": call.policy.microdata.k, "attributes": known, "minutes": _USUAL_MINUTES}
    return page(
        call,
        "microdata/file.html",
        info=info,
        numbers=[column for column in leaving if Column(column.name, column.type).sort == "number"],
        attributes=attributes,
        audits=Audits(call.store).list(f"microdata:{name}", limit=_MOST_AUDITS),
        exports=Exports(call.store).list(f"microdata:{name}")[:_MOST_EXPORTS],
        k=call.policy.microdata.k,
        sensitive=[column for column in info.columns if column.role == "sensitive"],
        demanded=call.policy.microdata,
        microaggregate=microaggregate or MicroaggregateForm.model_construct(**fresh),
        generalize=generalize or GeneralizeForm.model_construct(**fresh),
        # the form that was refused is not folded away
        opened="generalize" if generalize is not None else "microaggregate",
        remarks=remarks,
        **problem,
    )


def _list_page(call: Call, asked: SubjectFilter, *, entered: dict[str, str] | None = None, **given: Any) -> Response:
    shown = subject_list("/microdata", asked, Microdata(call.store).list(), _COLUMNS)
    return page(call, "microdata/files.html", entered=entered or _EMPTY, **shown, **given)


def _roles(
    identifiers: str,
    quasi_identifiers: str,
    sensitive: str,
    weight: str,
    stratum: str,
    household: str,
    geography: str,
) -> Roles:
    # as in the API, no file of populations: a form names no file of the server
    return Roles(
        names_in(identifiers),
        names_in(quasi_identifiers),
        names_in(sensitive),
        weight.strip() or None,
        stratum.strip() or None,
        household.strip() or None,
        geography=names_in(geography),
    )
