"""Declaring how the variables of an earlier version go together with those of a later one, in one transaction."""

import uuid
from collections.abc import Iterable

from auditor.core.errors import BadInput
from auditor.core.plain import plain
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json
from auditor.store import Store
from auditor.subjects.tables.stored.layout import parse_links, parse_variables
from auditor.subjects.tables.stored.rows import lock_table, raise_revision
from graphkit.tables.versions.variable_link import VariableLink, bound_link

# read, under the table's lock
_VERSION = """
MATCH (d:AuditorTableData {population: $population, version: $version})
RETURN d.id AS data, d.variables AS variables, properties(d)['links'] AS links,
       properties(d)['links_change'] AS change
"""
# write
_WRITE = "MATCH (d:AuditorTableData {id: $data}) SET d.links = $links, d.links_change = $change"


def declare_links(store: Store, name: str, other: int, links: Iterable[VariableLink], *, actor: str) -> None:
    """Record what variables of the earlier of two versions are in the later one; nothing else is guessed.

    Parameters
    ----------
    store : Store
    name : str
        Of the table; its version is one of the two.
    other : int
        The other version.
    links : iterable of VariableLink
        What is declared of a variable replaces what was declared of it before.
    actor : str
        Who declares it.

    Raises
    ------
    NotFound
        If there is no table of that name.
    BadInput
        If there is no such other version, or nothing is declared.
    InvalidInput
        If a link does not fit the two versions.
    """
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
