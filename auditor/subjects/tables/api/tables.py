"""Stored tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import File, Form, Request, UploadFile

from auditor.subjects.tables.repository import Tables
from auditor.web.api.common import DataKeeper, Limit, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import Page, TableOut
from auditor.web.parsing import parsed_table
from auditor.web.service import Service
from auditor.web.uploads import uploaded

if TYPE_CHECKING:
    from auditor.subjects.tables.repository import TableInfo

router = router_for("tables")


@router.get("/tables")
def list_tables(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[TableOut]:
    """List the tables by name."""
    from auditor.core.plain import plain

    tables = Tables(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [TableOut(**plain(info)) for info in tables], limit, skip)


@router.post("/tables", status_code=201)
def add_table(
    identity: DataKeeper,
    service: Served,
    name: Annotated[str, Form()],
    file: Annotated[UploadFile, File()],
    records: Annotated[bool, Form(description="every row is a person")] = False,
    new_version: Annotated[bool, Form(description="other data under a name that is known")] = False,
) -> TableOut:
    """Add a table from a file of counts, or of records."""
    from auditor.core.plain import plain

    info = store_table(service, name, file, records=records, new_version=new_version, actor=identity.person)
    return TableOut(**plain(info))


def store_table(
    service: Service, name: str, file: UploadFile, *, records: bool, new_version: bool, actor: str
) -> TableInfo:
    """Store a table from a file that came with a request.

    Raises
    ------
    BadInput, AlreadyExists
        As :meth:`auditor.subjects.tables.repository.Tables.add`, or if the file cannot be read as a table.
    """
    from auditor.core.names import check_name
    from auditor.formats.tables import TableOptions

    check_name(name)
    options = TableOptions(None, records, None, False, None, None, ())
    with uploaded(file) as path:
        loaded = parsed_table(path, options, service.settings.edge_table, service.limits.parsing)
        info, _ = Tables(service.store).add(name, loaded, source=path.name, actor=actor, new_version=new_version)
    return info


@router.get("/tables/{name:path}/lattice")
def lattice(name: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return what became of the marginals of a table: out, refused, open; not what would become of them."""
    from auditor.core.plain import plain
    from auditor.subjects.tables.releases.lattice import read_lattice
    from auditor.subjects.tables.representations.lattice import lattice_data

    found = read_lattice(service.store, name)
    data: dict[str, Any] = plain(lattice_data(name, found, service.policy, None))
    return data


@router.get("/tables/{name:path}/released")
def released(name: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return the names of the marginals that are out."""
    from auditor.core.plain import plain

    return {"table": name, "marginals": plain(Tables(service.store).released(name))}


@router.delete("/tables/{name:path}", status_code=204)
def remove_table(name: str, identity: DataKeeper, service: Served) -> None:
    """Remove a table; what is out of it and what the ledger says stay."""
    Tables(service.store).remove(name, actor=identity.person)


# after all that is below a table
last = router_for("tables")


@last.get("/tables/{name:path}")
def show_table(name: str, identity: Viewer, service: Served) -> TableOut:
    """Return a table: names, categories and sizes."""
    from auditor.core.plain import plain

    return TableOut(**plain(Tables(service.store).show(name)))
