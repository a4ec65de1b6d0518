"""Stored files of records."""

from typing import Annotated

from fastapi import File, Form, UploadFile

from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.keeping import new_file
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from auditor.subjects.microdata.representation import AddedMicrodataOut, MicrodataOut, microdata_out
from auditor.web.api.common import DataKeeper, Part, Viewer, router_for
from auditor.web.api.models import Page
from auditor.web.parsing import packed_records
from auditor.web.security.identity import Call
from auditor.web.uploads import uploaded

router = router_for("microdata")

_MOST = 10_000
Names = Annotated[list[str] | None, Form(max_length=1_000, description="names of columns")]
Single = Annotated[str | None, Form(max_length=_MOST, description="name of a column")]


@router.get("/microdata")
def list_microdata(call: Viewer, part: Part) -> Page[MicrodataOut]:
    """List the files of records by name."""
    return part.page(call, [microdata_out(info) for info in part.of(Microdata(call.store).list())])


@router.post("/microdata", status_code=201)
def add_microdata(
    call: DataKeeper,
    name: Annotated[str, Form()],
    file: Annotated[UploadFile, File()],
    identifier: Names = None,
    quasi_identifier: Names = None,
    sensitive: Names = None,
    weight: Single = None,
    stratum: Single = None,
    household: Single = None,
    record_key: Single = None,
    geography: Names = None,
    follows: Single = None,
    leave_out: Names = None,
) -> AddedMicrodataOut:
    """Add a file of records, with the roles of its columns."""
    roles = Roles(
        tuple(identifier or ()),
        tuple(quasi_identifier or ()),
        tuple(sensitive or ()),
        weight or None,
        stratum or None,
        household or None,
        record_key or None,
        # how many people live in each unit is estimated by the weights: a request names no file of the server
        tuple(geography or ()),
        left_out=tuple(leave_out or ()),
    )
    info, remarks = store_microdata(call, name, file, roles, follows or None)
    return AddedMicrodataOut.from_record(microdata_out(info), remarks=list(remarks))


def store_microdata(
    call: Call, name: str, file: UploadFile, roles: Roles, follows: str | None = None
) -> tuple[MicrodataInfo, tuple[str, ...]]:
    """Store a file of records that came with a request; return them, and what there is to say of the file.

    They may be a later version of those that they follow.

    Raises
    ------
    BadInput, AlreadyExists
        As :meth:`auditor.subjects.microdata.repository.Microdata.add`, or if the file cannot be read as records.
    """
    microdata, service = Microdata(call.store), call.service
    microdata.check_free(name)
    with uploaded(file) as path, new_file(service.settings.home) as kept:
        packed, remarks = packed_records(path, kept, service.settings.edge_table, service.limits.parsing)
        return microdata.add(name, packed, roles, source=path.name, actor=call.person, follows=follows), remarks


@router.get("/microdata/{name:path}")
def show_microdata(call: Viewer, name: str) -> MicrodataOut:
    """Return a file of records: names, types and roles of its columns."""
    return microdata_out(Microdata(call.store).show(name))


@router.delete("/microdata/{name:path}", status_code=204)
def remove_microdata(call: DataKeeper, name: str) -> None:
    """Remove a file of records; its ledger entries stay."""
    Microdata(call.store).remove(name, actor=call.person)
