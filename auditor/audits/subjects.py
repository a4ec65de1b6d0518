"""The subject of an audit in the store: what there is, and whether it is still the one that was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.core.names import is_name
from auditor.core.subject import AuditSubject, Family
from auditor.store.subjects import check_unchanged, missing_subject, require_subject
from auditor.subjects.tables.stored.rows import lock_table, read_row

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection

__all__ = ["OF_SUBJECT", "all_subjects", "check_same", "find_subject"]

# write
OF_SUBJECT: dict[Family, str] = {
    "network": "MATCH (a:AuditorAudit {id: $id}) MATCH (n:AuditorNetwork {name: $name}) CREATE (a)-[:OF]->(n)",
    "table": "MATCH (a:AuditorAudit {id: $id}) MATCH (t:AuditorTable {name: $name}) CREATE (a)-[:OF]->(t)",
    "export": "MATCH (a:AuditorAudit {id: $id}) MATCH (x:AuditorExport {id: $name}) CREATE (a)-[:OF]->(x)",
}
# read
_NETWORK = "MATCH (n:AuditorNetwork {name: $name}) RETURN n.id AS number, n.checksum AS checksum"
# read
_EXPORT = """
MATCH (x:AuditorExport {id: $name})
OPTIONAL MATCH (x)-[:FROM]->(n:AuditorNetwork)
RETURN x.checksum AS checksum, x.path AS path, n.id AS number, x.key_kept AS key_kept
"""
# read: whatever can be audited
_ALL = """
MATCH (n:AuditorNetwork) RETURN 'network' AS family, n.name AS name
UNION ALL MATCH (t:AuditorTable) RETURN 'table' AS family, t.name AS name
UNION ALL MATCH (x:AuditorExport {state: 'published'}) RETURN 'export' AS family, x.id AS name
"""


def find_subject(connection: Connection, family: Family, name: str) -> AuditSubject:
    """Return a subject as it is now.

    The state of an export does not tell whether its file changed: that is not in the store.

    Raises
    ------
    NotFound
        If there is none.
    """
    if family == "table":
        row = connection.read_transaction(lambda tx: read_row(tx, name))
        return AuditSubject("table", name, f"table:{row.population}", f"{row.data}/{row.revision}", row.revision)
    records = connection.read(_NETWORK if family == "network" else _EXPORT, name=name) if is_name(name) else []
    if not records:
        raise missing_subject(family, name)
    record = records[0]
    if family == "network":
        return AuditSubject("network", name, f"network:{name}", str(record["checksum"]), record["number"])
    state = f"{record['number']}/{record['checksum']}/{record['key_kept']}"
    return AuditSubject("export", name, f"export:{name}", state)


def all_subjects(connection: Connection) -> list[tuple[Family, str]]:
    """Return all networks, tables and published exports, in order."""
    return sorted((record["family"], record["name"]) for record in connection.read(_ALL))


def check_same(tx: ManagedTransaction, subject: AuditSubject) -> None:
    """Make sure, in the transaction of a record, that a subject is there, and is the one that was looked at.

    Raises
    ------
    NotFound
        If it is gone.
    StoreConflict
        If it is another one by now, or something of it went out meanwhile.
    """
    if subject.family == "table":
        lock_table(tx, subject.name, revision=subject.number)
    elif subject.family == "network":
        check_unchanged(tx, subject.name, subject.number)
    else:
        require_subject(tx, subject.family, subject.name)
