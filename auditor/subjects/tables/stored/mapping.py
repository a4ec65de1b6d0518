"""Declaring how the variables of an earlier version go together with those of a later one, inside a transaction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.subjects.tables.stored.layout import parse_variables
from auditor.subjects.tables.stored.links import link_record, links_text, parse_links
from auditor.subjects.tables.stored.rows import lock_table, raise_revision
from graphkit.tables.versions.variable_link import VariableLink, bound_link

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.ledger import Ledger

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
    links: tuple[VariableLink, ...]


def declare_links(
    tx: ManagedTransaction,
    ledger: Ledger,
    name: str,
    other: int,
    links: Iterable[VariableLink],
    *,
    actor: str,
    change: str,
) -> DeclaredLinks:
    """Record what variables of an earlier version are in a later one; return all that is declared of the two.

    Parameters
    ----------
    tx : ManagedTransaction
        May be run again.
    ledger : Ledger
    name : str
        Of the table; its version is one of the two.
    other : int
        The other version.
    links : iterable of VariableLink
        What is said of one variable takes the place of what was said of it before.
    actor : str
        Who declares it.
    change : str
        Random; tells a repetition.

    Raises
    ------
    NotFound
        If there is no table of that name.
    BadInput
        If there is no such other version, or nothing is declared.
    InvalidInput
        If a link does not fit the two versions.
    """
    row = lock_table(tx, name)
    if other == row.version:
        raise BadInput(
            f"the table {name!r} has version {other} now; name the version that its variables are held against"
        )
    earlier, later = min(other, row.version), max(other, row.version)
    found = {
        number: tx.run(_VERSION, population=row.population, version=number).single() for number in (earlier, later)
    }
    then, now = found[earlier], found[later]
    if then is None or now is None:
        raise BadInput(f"the table {name!r} has no version {other}; see 'auditor table show'")
    known = parse_links(now["links"])
    if now["change"] == change:
        return DeclaredLinks(earlier, later, known.get(earlier, ()))
    new = {link.old: link for link in links}
    if not new:
        raise BadInput("say of at least one variable what has become of it")
    for link in new.values():
        bound_link(link, parse_variables(then["variables"]), parse_variables(now["variables"]))
    kept = [link for link in known.get(earlier, ()) if link.old not in new]
    known[earlier] = tuple(sorted([*kept, *new.values()], key=lambda link: link.old))
    tx.run(_WRITE, data=now["data"], links=links_text(known), change=change).consume()
    # whoever decides at this moment starts over
    raise_revision(tx, row.population)
    payload = {
        "population": row.population,
        "earlier": earlier,
        "version": later,
        "variables": [link_record(link) for link in new.values()],
    }
    ledger.append(tx, "table_mapped", payload, actor=actor, subject=f"table:{name}")
    return DeclaredLinks(earlier, later, known[earlier])
