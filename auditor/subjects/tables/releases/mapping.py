"""What is declared of the variables of other versions of a table, and what has to be."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from auditor.core.errors import BadInput
from auditor.core.plain import plain
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json
from auditor.store import Store
from auditor.subjects.tables.releases.history import ReleasedHistory
from auditor.subjects.tables.stored.layout import parse_links, parse_variables
from auditor.subjects.tables.stored.releases import Releases
from auditor.subjects.tables.stored.rows import lock_table, raise_revision
from graphkit.hierarchies.variable import Variable
from graphkit.tables.versions.variable_link import VariableLink, bound_link

# read, under the table's lock
_VERSION = """
MATCH (d:AuditorTableData {population: $population, version: $version})
RETURN d.id AS data, d.variables AS variables, properties(d)['links'] AS links,
       properties(d)['links_change'] AS change
"""
# write
_WRITE = "MATCH (d:AuditorTableData {id: $data}) SET d.links = $links, d.links_change = $change"


@dataclass(frozen=True, slots=True)
class DeclaredLinks:
    """How variables of an earlier version go together with those of a later one."""

    earlier: int
    version: int
    variables: tuple[VariableLink, ...]


@dataclass(frozen=True, slots=True)
class UndeclaredVariables:
    """Variables of another version that are out, and of which nobody has said what they are in this one."""

    version: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class VersionMap:
    """How the variables of all versions of a table go together, as far as that was declared."""

    version: int
    """Which one the table has."""
    declared: tuple[DeclaredLinks, ...]
    undeclared: tuple[UndeclaredVariables, ...]
    """While there are any, requests stay undecided."""
    others: dict[int, tuple[Variable, ...]]
    """Variables of the other versions."""

    def data(self) -> dict[str, Any]:
        """Return what is declared and what is not; docs/table-requests.md explains the keys."""
        return {"declared": plain(self.declared), "undeclared": plain(self.undeclared)}


def read_map(store: Store, name: str) -> VersionMap:
    """Return what is declared of a table's versions.

    Raises
    ------
    NotFound
        If there is no table of that name.
    """
    row, versions = Releases(store).history(name)
    history = ReleasedHistory(versions, row.data)
    variables = {version.version: version.variables for version in versions}
    declared = tuple(
        DeclaredLinks(earlier, version.version, links)
        for version in versions
        for earlier, links in sorted(version.declared.items())
    )
    undeclared = tuple(
        UndeclaredVariables(number, tuple(one for one in variables[number] if one.name in names))
        for number, names in history.unaccounted.items()
    )
    others = {number: found for number, found in variables.items() if number != row.version}
    return VersionMap(row.version, declared, undeclared, others)


def declare_variables(
    store: Store, name: str, links: Iterable[VariableLink], *, actor: str, version: int | None = None
) -> VersionMap:
    """Declare what variables of another version are in the one that a table has; return what is declared then.

    Parameters
    ----------
    store : Store
    name : str
        Of the table.
    links : iterable of VariableLink
        Of variables of the earlier of the two versions. What is declared of a variable replaces what was declared of
        it before; nothing else is guessed.
    actor : str
        Who declares it.
    version : int, optional
        The other version; by default the only one with something to declare, or else the one before.

    Raises
    ------
    NotFound
        If there is no table of that name.
    BadInput, InvalidInput
        If there is no such version, variable or category, or neither side follows from the other one.
    """
    other = other_version(read_map(store, name), version)
    new, change = {link.old: link for link in links}, str(uuid.uuid4())

    def work(tx: Transaction) -> None:
        row = lock_table(tx, name)
        if other == row.version:
            raise BadInput(
                f"the table {name!r} has version {other} now; name the version that its variables are held against"
            )
        earlier, later = sorted((other, row.version))
        then, now = (
            tx.run(_VERSION, population=row.population, version=number).single() for number in (earlier, later)
        )
        if then is None or now is None:
            raise BadInput(f"the table {name!r} has no version {other}; see 'auditor table show'")
        if now["change"] == change:
            return
        if not new:
            raise BadInput("say of at least one variable what has become of it")
        for link in new.values():
            bound_link(link, parse_variables(then["variables"]), parse_variables(now["variables"]))
        known = parse_links(now["links"])
        kept = [link for link in known.get(earlier, ()) if link.old not in new]
        known[earlier] = tuple(sorted([*kept, *new.values()], key=lambda link: link.old))
        tx.run(_WRITE, data=now["data"], links=canonical_json(plain(known)), change=change).consume()
        # a decision that is computed at this moment starts over
        raise_revision(tx, row.population)
        payload = {
            "population": row.population,
            "earlier": earlier,
            "version": later,
            "variables": plain(new.values()),
        }
        store.ledger.append(tx, "table_mapped", payload, actor=actor, subject=f"table:{name}")

    store.connection.write(work)
    return read_map(store, name)


def other_version(known: VersionMap, version: int | None) -> int:
    """Return the version that a table's variables are held against, unless one is named.

    Raises
    ------
    BadInput
        If there is none, or it must be named.
    """
    if version is not None:
        return version
    open_ones = [one.version for one in known.undeclared]
    if len(open_ones) > 1:
        numbers = ", ".join(map(str, open_ones))
        raise BadInput(f"variables of versions {numbers} are undeclared; say which one is meant with --version")
    before = [number for number in known.others if number < known.version]
    if not open_ones and not before:
        raise BadInput("there is no earlier version of this table; nothing has to be declared")
    return open_ones[0] if open_ones else max(before)
