"""What is out of a population of tables, whatever its tables are called by now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from auditor.store.clock import parse_time
from auditor.store.table_layout import parse_variables
from auditor.store.table_marginals import StoredMarginal, read_marginals
from graphkit.tables.variable import Variable

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

__all__ = ["ReleasedNames", "VersionHistory", "read_history", "released_names"]

# read
_VERSIONS = """
MATCH (d:TableData {population: $population})
RETURN d.id AS data, d.version AS version, d.variables AS variables ORDER BY version
"""
# read
_NAMES = """
MATCH (d:TableData {population: $population})<-[:OF]-(m:Marginal {status: 'released'})
RETURN d.version AS version, m.names AS names, m.released_at AS released_at, m.simulated AS simulated
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


@dataclass(frozen=True, slots=True)
class ReleasedNames:
    """A marginal that is out, without its counts."""

    version: int
    names: tuple[str, ...]
    released_at: datetime
    simulated: bool


def read_history(tx: ManagedTransaction, population: str) -> list[VersionHistory]:
    """Return all versions of a population's data, the oldest first, with the marginals that are out.

    Notes
    -----
    Versions whose counts are no longer stored, because every table of them was removed, are among them.
    """
    return [
        VersionHistory(
            record["data"],
            record["version"],
            parse_variables(record["variables"]),
            tuple(read_marginals(tx, record["data"], ["released"])),
        )
        for record in list(tx.run(_VERSIONS, population=population))
    ]


def released_names(tx: ManagedTransaction, population: str) -> list[ReleasedNames]:
    """Return which marginals of a population are out, the first release first."""
    return [
        ReleasedNames(record["version"], tuple(record["names"]), parse_time(record["released_at"]), record["simulated"])
        for record in tx.run(_NAMES, population=population)
    ]
