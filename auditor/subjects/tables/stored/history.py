"""What is out of a population of tables, whatever its tables are called by now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.subjects.tables.stored.layout import parse_links, parse_variables
from auditor.subjects.tables.stored.marginals import StoredMarginal, parse_groups, read_released
from auditor.subjects.tables.stored.rows import TableRow, read_version
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import MergedCategories, RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.variable_link import VariableLink

# read
_VERSIONS = """
MATCH (d:AuditorTableData {population: $population})
RETURN d.id AS data, d.version AS version, d.variables AS variables, properties(d)['links'] AS links ORDER BY version
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
    table: ContingencyTable | None = None
    """Its counts, where its cells may not be those of the present version; None if they are not stored any more."""
    declared: Mapping[int, tuple[VariableLink, ...]] = field(default_factory=dict)
    """By earlier version, how its variables go together with those of this one."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of every variable."""
        return tuple(variable.size for variable in self.variables)


@dataclass(frozen=True, slots=True)
class ReleasedNames:
    """A marginal that is out, without its counts."""

    version: int
    names: tuple[str, ...]
    released_at: datetime
    simulated: bool
    merged: MergedCategories
    """Categories that became one, by variable."""


def read_history(tx: Transaction, present: TableRow) -> list[VersionHistory]:
    """Return all versions of a table's population, the oldest first, with the marginals that are out.

    Notes
    -----
    Versions whose counts are no longer stored, because every table of them was removed, are among them.
    """
    records = list(tx.run(_VERSIONS, population=present.population))
    is_declared = any(record["links"] is not None for record in records)
    found = []
    for record in records:
        data, variables = record["data"], parse_variables(record["variables"])
        released = tuple(read_released(tx, data))
        # counts are read where cells may be others
        is_other = data != present.data and (is_declared or not _has_same(variables, present.variables))
        table = read_version(tx, data) if is_other else None
        found.append(VersionHistory(data, record["version"], variables, released, table, parse_links(record["links"])))
    return found


def _has_same(then: tuple[Variable, ...], now: tuple[Variable, ...]) -> bool:
    names = {variable.name: set(variable.categories) for variable in now}
    return names == {variable.name: set(variable.categories) for variable in then}


def released_names(tx: Transaction, population: str) -> list[ReleasedNames]:
    """Return which marginals of a population are out, the first release first."""
    return [
        decode(ReleasedNames, {**record, "merged": _merged(record)}) for record in tx.run(_NAMES, population=population)
    ]


def _merged(record: Mapping[str, Any]) -> MergedCategories:
    groupings = parse_groups(record["groups"])
    if groupings is None:
        return {}
    return RecodedMarginal(tuple(record["axes"]), groupings).merged(parse_variables(record["variables"]))
