"""The subject of an audit in the store, whatever kind it is of."""

from auditor.core.kinds import kind_named, kinds
from auditor.core.subject import AuditSubject
from auditor.core.transactions import Transaction
from auditor.store import Store
from auditor.store.connection import Connection

# write: the node is from the registry of kinds
_OF_SUBJECT = "MATCH (a:AuditorAudit {{id: $id}}) MATCH {node} CREATE (a)-[:OF]->(s)"
# read: all that can be audited of one kind, from the registry of kinds
_LISTED = "CALL () {{ {listed} }} WITH name, state WHERE {audited} RETURN name"


def find_subject(store: Store, kind: str, name: str) -> AuditSubject:
    """Return a subject as it is now.

    Raises
    ------
    NotFound
        If there is none.
    """
    return kind_named(kind).load().find(store, name)


def present_subject(store: Store, kind: str, name: str) -> AuditSubject:
    """Return a subject as :func:`find_subject`; its state also tells what lies outside of the store is now."""
    port = kind_named(kind).load()
    return port.with_outside(store, port.find(store, name))


def all_subjects(connection: Connection) -> list[tuple[str, str]]:
    """Return the kind and the name of all that can be audited, in order; of exports those that are published."""
    return sorted(
        (kind.name, record["name"])
        for kind in kinds()
        for record in connection.read(_LISTED.format(listed=kind.listed, audited=kind.audited))
    )


def check_same(tx: Transaction, subject: AuditSubject) -> None:
    """Make sure, in the transaction of a record, that a subject is there, and is the one that was looked at.

    Raises
    ------
    NotFound
        If it is gone.
    StoreConflict
        If it is another one by now, or something of it was released meanwhile.
    """
    kind_named(subject.family).load().check_same(tx, subject)


def tie_audit(tx: Transaction, audit: str, subject: AuditSubject) -> None:
    """Tie the node of an audit to that of its subject."""
    node = kind_named(subject.family).node
    tx.run(_OF_SUBJECT.format(node=node), id=audit, name=subject.name).consume()
