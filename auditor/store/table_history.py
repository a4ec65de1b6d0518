"""What is out of a population of tables, whatever its tables are called by now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from auditor.store.clock import parse_time
from auditor.store.table_layout import parse_variables
from auditor.store.table_marginals import StoredMarginal, parse_groups, read_marginals
from auditor.store.table_rows import TableRow, read_version
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.recoding import MergedCategories, RecodedMarginal
from graphkit.tables.variable import Variable
from graphkit.tables.versions import retold

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Record

__all__ = ["ReleasedNames", "VersionHistory", "read_history", "released_names"]

# read
_VERSIONS = """
MATCH (d:AuditorTableData {population: $population})
RETURN d.id AS data, d.version AS version, d.variables AS variables ORDER BY version
"""
# read
_NAMES = """
MATCH (d:AuditorTableData {population: $population})<-[:OF]-(m:AuditorMarginal {status: 'released'})
RETURN d.version AS version, d.variables AS variables, m.axes AS axes, m.groups AS groups, m.names AS names,
       m.released_at AS released_at, m.simulated AS simulated
ORDER BY released_at, version, names
"""


@dataclass(frozen=True, slots=True, eq=False)
class VersionHistory:
    """One version of a population's data, and what is out of it."""

    data: str
    version: int
    variables: tuple[Variable, ...]
    """What the positions in its marginals mean; another version may have other ones."""
    released: tuple[StoredMarginal, ...]
    lost: bool = False
    """Whether something of it that is out cannot be told in full as a marginal of the present version."""
    table: ContingencyTable | None = None
    """Its counts, where something is lost; None if they are not stored any more."""


@dataclass(frozen=True, slots=True)
class ReleasedNames:
    """A marginal that is out, without its counts."""

    version: int
    names: tuple[str, ...]
    released_at: datetime
    simulated: bool
    merged: MergedCategories
    """Categories that became one, by variable."""


def read_history(tx: ManagedTransaction, present: TableRow) -> list[VersionHistory]:
    """Return all versions of a table's population, the oldest first, with the marginals that are out.

    Notes
    -----
    Versions whose counts are no longer stored, because every table of them was removed, are among them.
    """
    found = []
    for record in list(tx.run(_VERSIONS, population=present.population)):
        variables = parse_variables(record["variables"])
        released = tuple(read_marginals(tx, record["data"], ["released"]))
        version = VersionHistory(record["data"], record["version"], variables, released)
        if record["data"] != present.data and _is_lost(version, present):
            version = replace(version, lost=True, table=read_version(tx, record["data"]))
        found.append(version)
    return found


def _is_lost(version: VersionHistory, present: TableRow) -> bool:
    shape = tuple(variable.size for variable in version.variables)
    real = (marginal.recoded(shape) for marginal in version.released if not marginal.simulated)
    return not all(retold(marginal, version.variables, present.variables)[1] for marginal in real)


def released_names(tx: ManagedTransaction, population: str) -> list[ReleasedNames]:
    """Return which marginals of a population are out, the first release first."""
    return [
        ReleasedNames(
            record["version"],
            tuple(record["names"]),
            parse_time(record["released_at"]),
            record["simulated"],
            _merged(record),
        )
        for record in tx.run(_NAMES, population=population)
    ]


def _merged(record: Record) -> MergedCategories:
    groupings = parse_groups(record["groups"])
    if groupings is None:
        return {}
    return RecodedMarginal(tuple(record["axes"]), groupings).merged(parse_variables(record["variables"]))
