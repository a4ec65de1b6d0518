"""What is declared of a table's other versions, and of other tables that look alike."""

from __future__ import annotations

from auditor.subjects.tables.repository import Tables
from auditor.web.api.common import DataKeeper, Served, Viewer, router_for
from auditor.web.api.models import TableMapIn, TableMapOut, TableOverlapIn, TableOverlapOut
from auditor.web.service import Service

router = router_for("tables")


@router.get("/tables/{name:path}/map")
def show_map(name: str, identity: Viewer, service: Served) -> TableMapOut:
    """Return how the variables of all versions of a table go together, and what is undeclared."""
    from auditor.subjects.tables.releases.mapping import read_map

    known = read_map(service.store, name)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.post("/tables/{name:path}/map")
def declare_map(name: str, asked: TableMapIn, identity: DataKeeper, service: Served) -> TableMapOut:
    """Declare what variables of an earlier version are in the version that a table has now; the ledger keeps it."""
    from auditor.subjects.tables.releases.mapping import declare_variables
    from graphkit.tables.versions.variable_link import VariableLink

    links = [VariableLink(one.old, tuple(one.new), tuple(map(tuple, one.rows))) for one in asked.variables]
    known = declare_variables(service.store, name, links, actor=identity.person, version=asked.version)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.get("/tables/{name:path}/overlap")
def show_overlap(name: str, identity: DataKeeper, service: Served) -> TableOverlapOut:
    """Return which other tables look alike, of which nobody has said whether they are of the same people."""
    return _overlap(service, name)


@router.post("/tables/{name:path}/overlap")
def declare_overlap(name: str, asked: TableOverlapIn, identity: DataKeeper, service: Served) -> TableOverlapOut:
    """Declare whether two tables are of the same people; the ledger keeps it."""
    Tables(service.store).declare_kinship(name, asked.other, linked=asked.linked, actor=identity.person)
    return _overlap(service, name)


def _overlap(service: Service, name: str) -> TableOverlapOut:
    from auditor.core.plain import plain

    info, found = Tables(service.store).show(name), Tables(service.store).kinships(name)
    return TableOverlapOut(table=name, population=info.population, open=plain(found))
