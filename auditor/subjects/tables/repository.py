"""Tables in the store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import prod
from typing import Any

from auditor.formats.tables.loaded import LoadedTable
from auditor.store.records import decode
from auditor.store.repository import OpenStore
from auditor.subjects.named import NamedSubjects
from auditor.subjects.tables.stored.history import ReleasedNames, released_names
from auditor.subjects.tables.stored.kinship import OpenKinship, declare_kinship, open_kinships
from auditor.subjects.tables.stored.layout import parse_variables
from auditor.subjects.tables.stored.overlaps import TableOverlap, read_overlaps
from auditor.subjects.tables.stored.rows import read_row
from auditor.subjects.tables.stored.states import Added, add_table, remove_table
from graphkit.hierarchies.variable import Variable

_COLUMNS = """
MATCH (t)-[:HOLDS]->(d:AuditorTableData)-[:OF]->(p:AuditorTablePopulation)
RETURN t.name AS name, d.version AS version, p.id AS population, p.revision AS revision, d.variables AS variables,
       t.source AS source, t.created_at AS created_at,
       COUNT { (p)<-[:OF]-(:AuditorTableData)<-[:OF]-(:AuditorMarginal {status: 'released'}) } AS released
"""
# read
_LIST = f"MATCH (t:AuditorTable) {_COLUMNS} ORDER BY name"
# read
_SHOW = f"MATCH (t:AuditorTable {{name: $name}}) {_COLUMNS}"
# read
_EXISTS = "MATCH (t:AuditorTable {name: $name}) RETURN count(t) AS found"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What the store knows of a table, without its counts and their checksum."""

    name: str
    version: int
    """Of the data, from 1 within the population."""
    population: str
    """Random id; what is out counts for the population, whatever its tables are called."""
    revision: int
    """Changes whenever something of the population goes out, or it gets a new version."""
    variables: tuple[Variable, ...]
    cells: int
    """Number of cells, whatever their counts."""
    source: str
    """Where it came from, such as the name of the file."""
    created_at: datetime
    """When it got this data under this name."""
    released: int
    """How many marginals of the population are out."""


class Tables(NamedSubjects[TableInfo]):
    """The tables of a store."""

    family = "table"
    list_query, show_query, exists_query = _LIST, _SHOW, _EXISTS

    def __init__(self, store: OpenStore) -> None:
        super().__init__(store)
        self._store = store

    def add(
        self, name: str, loaded: LoadedTable, *, source: str, actor: str, new_version: bool = False
    ) -> tuple[TableInfo, Added]:
        """Store a table under a name, and tell what it was taken for.

        The same data under any name, even after a removal, goes on with what is out of it; its variables and
        categories keep the order of the first time.

        Parameters
        ----------
        name : str
            One line of text, up to 200 characters.
        loaded : LoadedTable
        source : str
            Where it came from, such as the name of the file.
        actor : str
            Who adds it.
        new_version : bool
            The name has or had other data, and this is another state of the same people: what is out still counts.

        Raises
        ------
        BadInput
            If the name cannot be stored, or the data is no version of the name's.
        AlreadyExists
            If the name has this data, or has or had other data and `new_version` was not said.
        """
        added = add_table(self._store, name, loaded, source=source, actor=actor, new_version=new_version)
        return self.show(name), added

    def released(self, name: str) -> Sequence[ReleasedNames]:
        """Return which marginals of the table's population are out, the first release first.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        return self._connection.read_transaction(lambda tx: released_names(tx, read_row(tx, name).population))

    def overlaps(self, name: str) -> Sequence[TableOverlap]:
        """Return other tables that may be of the same people, by name.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        return self._connection.read_transaction(lambda tx: read_overlaps(tx, read_row(tx, name).name))

    def kinships(self, name: str) -> Sequence[OpenKinship]:
        """Return other populations that look alike, of which nobody has said whether they are of the same people.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        return self._connection.read_transaction(lambda tx: open_kinships(tx, read_row(tx, name).population))

    def declare_kinship(self, name: str, other: str, *, linked: bool, actor: str) -> TableInfo:
        """Record whether two tables are of the same people; from then on what is out of either counts for both, or not.

        Raises
        ------
        NotFound
            If there is none of these names.
        BadInput, Refused
            If that was declared already, or cannot be taken back.
        """
        declare_kinship(self._store, name, other, linked=linked, actor=actor)
        return self.show(name)

    def remove(self, name: str, *, actor: str) -> None:
        """Remove a table; its counts go with the last one of its population. What is out, and the ledger, stay.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        remove_table(self._store, self.show(name).name, actor=actor)

    @staticmethod
    def _info(record: dict[str, Any]) -> TableInfo:
        variables = parse_variables(record["variables"])
        cells = prod(variable.size for variable in variables)
        return decode(TableInfo, {**record, "variables": variables, "cells": cells})
