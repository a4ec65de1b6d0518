"""What is declared of a table's other versions, and of other tables that look alike."""

from auditor.core.plain import plain
from auditor.subjects.tables.releases.mapping import declare_variables, read_map
from auditor.subjects.tables.repository import Tables
from auditor.web.api.common import DataKeeper, Viewer, router_for
from auditor.web.api.models import TableMapIn, TableMapOut, TableOverlapIn, TableOverlapOut
from auditor.web.security.identity import Call
from graphkit.tables.versions.variable_link import VariableLink

router = router_for("tables")


@router.get("/tables/{name:path}/map")
def show_map(call: Viewer, name: str) -> TableMapOut:
    """Return how the variables of all versions of a table go together, and what is undeclared."""
    known = read_map(call.store, name)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.post("/tables/{name:path}/map")
def declare_map(call: DataKeeper, name: str, asked: TableMapIn) -> TableMapOut:
    """Declare what variables of an earlier version are in the version that a table has now; the ledger keeps it."""
    links = [VariableLink(one.old, tuple(one.new), tuple(map(tuple, one.rows))) for one in asked.variables]
    known = declare_variables(call.store, name, links, actor=call.person, version=asked.version)
    return TableMapOut(table=name, version=known.version, **known.data())


@router.get("/tables/{name:path}/overlap")
def show_overlap(call: DataKeeper, name: str) -> TableOverlapOut:
    """Return the similar tables for which it is undeclared whether they have the same respondents."""
    return _overlap(call, name)


@router.post("/tables/{name:path}/overlap")
def declare_overlap(call: DataKeeper, name: str, asked: TableOverlapIn) -> TableOverlapOut:
    """Declare whether two tables have the same respondents; the ledger keeps it."""
    Tables(call.store).declare_kinship(name, asked.other, linked=asked.linked, actor=call.person)
    return _overlap(call, name)


def _overlap(call: Call, name: str) -> TableOverlapOut:
    info, found = Tables(call.store).show(name), Tables(call.store).kinships(name)
    return TableOverlapOut(table=name, population=info.population, open=plain(found))
