"""Stored tables, and what is declared of their other versions and of tables that look alike."""

from typing import Annotated, Any

from fastapi import File, Form, UploadFile

from auditor.core.names import check_name
from auditor.core.plain import plain
from auditor.formats.tables import TableOptions
from auditor.subjects.tables.releases.lattice import read_lattice
from auditor.subjects.tables.releases.mapping import declare_variables, read_map
from auditor.subjects.tables.remarks import remarks_on_added
from auditor.subjects.tables.repository import TableInfo, Tables
from auditor.subjects.tables.representations.lattice import lattice_data
from auditor.subjects.tables.representations.tables import AddedTableOut, TableOut
from auditor.web.api.common import DataKeeper, Part, Viewer, router_for
from auditor.web.api.models import Page, TableMapIn, TableMapOut, TableOverlapIn, TableOverlapOut
from auditor.web.parsing import parsed_table
from auditor.web.security.identity import Call
from auditor.web.uploads import uploaded
from graphkit.tables.versions.variable_link import VariableLink

router = router_for("tables")


@router.get("/tables")
def list_tables(call: Viewer, part: Part) -> Page[TableOut]:
    """List the tables by name."""
    return part.page(call, [TableOut.from_record(info) for info in part.of(Tables(call.store).list())])


@router.post("/tables", status_code=201)
def add_table(
    call: DataKeeper,
    name: Annotated[str, Form()],
    file: Annotated[UploadFile, File()],
    records: Annotated[bool, Form(description="every row is a respondent")] = False,
    new_version: Annotated[bool, Form(description="new data under an existing name")] = False,
) -> AddedTableOut:
    """Add a table from a file of counts, or of records."""
    info, remarks = store_table(call, name, file, records=records, new_version=new_version)
    alike = [kinship.sentence for kinship in Tables(call.store).kinships(info.name)]
    return AddedTableOut.from_record(info, remarks=[*remarks, *alike])


def store_table(
    call: Call, name: str, file: UploadFile, *, records: bool, new_version: bool
) -> tuple[TableInfo, list[str]]:
    """Store a table from a file that came with a request; return it, and what there is to say of the file and its data.

    Raises
    ------
    BadInput, AlreadyExists
        As :meth:`auditor.subjects.tables.repository.Tables.add`, or if the file cannot be read as a table.
    """
    check_name(name)
    options, tables = TableOptions(records=records), Tables(call.store)
    with uploaded(file) as path:
        loaded = parsed_table(path, options, call.service.settings.edge_table, call.service.limits.parsing)
        info, added = tables.add(name, loaded, source=path.name, actor=call.person, new_version=new_version)
    return info, [*loaded.notes.remarks, *remarks_on_added(info, added, tables.overlaps(info.name))]


@router.get("/tables/{name:path}/lattice")
def lattice(call: Viewer, name: str) -> dict[str, Any]:
    """Return the statuses of the marginals of a table, such as released, refused or open; this decides nothing."""
    data: dict[str, Any] = plain(lattice_data(name, read_lattice(call.store, name), call.policy, None))
    return data


@router.get("/tables/{name:path}/released")
def released(call: Viewer, name: str) -> dict[str, Any]:
    """Return the names of the released marginals."""
    return {"table": name, "marginals": plain(Tables(call.store).released(name))}


@router.delete("/tables/{name:path}", status_code=204)
def remove_table(call: DataKeeper, name: str) -> None:
    """Remove a table; its released marginals and its ledger entries stay."""
    Tables(call.store).remove(name, actor=call.person)


@router.get("/tables/{name:path}/map")
def show_map(call: Viewer, name: str) -> TableMapOut:
    """Return how the variables of all versions of a table correspond, and what is not declared."""
    known = read_map(call.store, name)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.post("/tables/{name:path}/map")
def declare_map(call: DataKeeper, name: str, asked: TableMapIn) -> TableMapOut:
    """Declare how variables of an earlier version correspond to those of the current one; the ledger records it."""
    links = [VariableLink(one.old, tuple(one.new), tuple(map(tuple, one.rows))) for one in asked.variables]
    known = declare_variables(call.store, name, links, actor=call.person, version=asked.version)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.get("/tables/{name:path}/overlap")
def show_overlap(call: DataKeeper, name: str) -> TableOverlapOut:
    """Return the similar tables for which nobody has declared whether they have the same respondents."""
    return _overlap(call, name)


@router.post("/tables/{name:path}/overlap")
def declare_overlap(call: DataKeeper, name: str, asked: TableOverlapIn) -> TableOverlapOut:
    """Declare whether two tables have the same respondents; the ledger records it."""
    Tables(call.store).declare_kinship(name, asked.other, linked=asked.linked, actor=call.person)
    return _overlap(call, name)


def _overlap(call: Call, name: str) -> TableOverlapOut:
    info, found = Tables(call.store).show(name), Tables(call.store).kinships(name)
    return TableOverlapOut(table=name, population=info.population, open=plain(found))


# after all that is below a table
last = router_for("tables")


@last.get("/tables/{name:path}")
def show_table(call: Viewer, name: str) -> TableOut:
    """Return a table: names, categories and sizes."""
    return TableOut.from_record(Tables(call.store).show(name))
