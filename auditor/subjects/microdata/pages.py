"""The files of records with the form for a new one; a file of records with its columns and audits."""

from math import isfinite
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import File, Form, UploadFile
from starlette.responses import Response

from auditor.audits.repository import Audits
from auditor.core.errors import BadInput
from auditor.exports.repository import Exports
from auditor.formats.records.columns import Column
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.api import store_microdata
from auditor.subjects.microdata.jobs import GeneralizeIn, MicroaggregateIn
from auditor.subjects.microdata.repository import Microdata
from auditor.subjects.microdata.representation import microdata_out
from auditor.web.api.common import DataKeeper, Exporter, Viewer
from auditor.web.api.jobs import begin_job
from auditor.web.pages.common import KNOWN, page_router, said, see_other, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router, last = page_router(), page_router()

_MOST_AUDITS = 10
_MOST_EXPORTS = 50
_FIELDS = ("name", "identifiers", "quasi_identifiers", "sensitive", "weight", "stratum", "household", "geography")
_EMPTY = dict.fromkeys(_FIELDS, "")
_Text = Annotated[str, Form(max_length=10_000)]
_K = Annotated[int, Form(ge=2, le=1_000_000)]
_Columns = Annotated[list[str] | None, Form(max_length=1000)]
_Format = Annotated[Literal["csv", "tsv", "parquet"], Form()]
_Minutes = Annotated[float | None, Form(gt=0, le=1440)]


@router.get("/microdata")
def microdata(call: Viewer) -> Response:
    """Show all files of records."""
    return _list_page(call)


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
    """Store a file of records."""
    given = (identifiers, quasi_identifiers, sensitive, weight, stratum, household, geography)
    try:
        store_microdata(call, name, file, _roles(*given))
    except KNOWN as error:
        return _list_page(call, entered=dict(zip(_FIELDS, (name, *given), strict=True)), **told(error))
    return said(f"/microdata/{quote(name, safe='')}", "added")


@router.post("/microdata/{name:path}/microaggregate")
def microaggregate(
    call: Exporter,
    name: str,
    k: _K,
    attributes: _Columns = None,
    nominal: _Columns = None,
    format: _Format = "csv",
    keep_integers: Annotated[bool, Form()] = False,
    aggregate: Annotated[Literal["mean", "median"], Form()] = "mean",
    scaling: Annotated[Literal["standard", "robust", "range", "none"], Form()] = "standard",
    missing: Annotated[Literal["error", "group", "impute"], Form()] = "error",
    minutes: _Minutes = None,
) -> Response:
    """Begin an export of groups and their means."""
    requested = MicroaggregateIn(
        kind="microaggregate",
        microdata=name,
        k=k,
        attributes=attributes or [],
        format=format,
        nominal=_chosen(nominal, attributes),
        keep_integers=keep_integers,
        aggregate=aggregate,
        scaling=scaling,
        missing=missing,
        time_limit=None if minutes is None else minutes * 60,
    )
    return _begun(call, name, requested)


@router.post("/microdata/{name:path}/generalize")
def generalize(
    call: Exporter,
    name: str,
    k: _K,
    attributes: _Columns = None,
    hierarchies: _Text = "",
    nominal: _Columns = None,
    suppress: Annotated[float, Form(ge=0, lt=100)] = 0.0,
    distinct: _Text = "",
    entropy: _Text = "",
    t: _Text = "",
    format: _Format = "csv",
    minutes: _Minutes = None,
) -> Response:
    """Begin an export of generalized records."""
    try:
        made = _by_column(hierarchies, "name hierarchies by their columns, such as zip=prefixes, age=intervals:5:20")
        l_of = {column: _whole(number) for column, number in _numbers(distinct).items()}
        entropy_of, t_of = _numbers(entropy), _numbers(t)
    except BadInput as error:
        return _file_page(call, name, **told(error))
    requested = GeneralizeIn(
        kind="generalize",
        microdata=name,
        k=k,
        attributes=attributes or [],
        hierarchies=made,
        nominal=_chosen(nominal, attributes),
        suppress=suppress / 100,
        distinct=l_of,
        entropy=entropy_of,
        t=t_of,
        format=format,
        time_limit=None if minutes is None else minutes * 60,
    )
    return _begun(call, name, requested)


def _by_column(text: str, advice: str) -> dict[str, str]:
    """Return what a list says of each column that it names."""
    found = {}
    for part in _names(text):
        column, equals, how = map(str.strip, part.partition("="))
        if not (column and equals and how):
            raise BadInput(advice)
        found[column] = how
    return found


def _numbers(text: str) -> dict[str, float]:
    """Return the number that a list has for each column that it names."""
    advice = "say a number for each sensitive column, such as illness=3, income=2"
    try:
        found = {column: float(number) for column, number in _by_column(text, advice).items()}
    except ValueError as error:
        raise BadInput(advice) from error
    if not all(isfinite(number) for number in found.values()):
        raise BadInput(advice)
    return found


def _whole(number: float) -> int:
    if number != int(number):
        raise BadInput("how many values must differ is a whole number, such as illness=3")
    return int(number)


def _chosen(named: list[str] | None, attributes: list[str] | None) -> list[str]:
    """Return those columns that are to be protected at all."""
    return [column for column in named or [] if column in (attributes or [])]


def _begun(call: Call, name: str, requested: MicroaggregateIn | GeneralizeIn) -> Response:
    try:
        job = begin_job(call, requested)
    except KNOWN as error:
        return _file_page(call, name, **told(error))
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


def _file_page(call: Call, name: str, **given: Any) -> Response:
    info = microdata_out(Microdata(call.store).show(name))
    leaving = [column for column in info.columns if column.role in ATTRIBUTES]
    return page(
        call,
        "microdata/file.html",
        info=info,
        numbers=[column for column in leaving if Column(column.name, column.type).sort == "number"],
        # what can be aggregated and generalized
        attributes=[column for column in leaving if Column(column.name, column.type).sort != "other"],
        audits=Audits(call.store).list(f"microdata:{name}", limit=_MOST_AUDITS),
        exports=Exports(call.store).list(f"microdata:{name}")[:_MOST_EXPORTS],
        k=call.policy.microdata.k,
        sensitive=[column for column in info.columns if column.role == "sensitive"],
        demanded=call.policy.microdata,
        **given,
    )


def _list_page(call: Call, *, entered: dict[str, str] | None = None, **given: Any) -> Response:
    return page(call, "microdata/files.html", files=Microdata(call.store).list(), entered=entered or _EMPTY, **given)


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
        _names(identifiers),
        _names(quasi_identifiers),
        _names(sensitive),
        weight.strip() or None,
        stratum.strip() or None,
        household.strip() or None,
        geography=_names(geography),
    )


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas or line ends between them."""
    return tuple(name.strip() for name in text.replace("\n", ",").split(",") if name.strip())
