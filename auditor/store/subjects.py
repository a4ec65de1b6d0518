"""The network, table or export that a record is about: is it there, and still the one that was looked at?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.core.errors import NotFound, StoreConflict
from auditor.core.kinds import KINDS, kind_named
from auditor.core.names import is_name
from auditor.core.subject import parse_subject
from auditor.core.transactions import Transaction

if TYPE_CHECKING:
    from auditor.store.connection import Connection

# read; for a record under the store's lock; the node is from the registry of kinds
_SUBJECT = "MATCH {node} RETURN {number} AS number"


def check_subject(connection: Connection, subject: str) -> None:
    """Raise NotFound unless there is such a subject, ``kind:name``."""
    family, name = parse_subject(subject)
    if not is_name(name) or not connection.read(_query(family), name=name):
        raise missing_subject(family, name)


def check_unchanged(tx: Transaction, subject: str, number: int | str | None) -> None:
    """Make sure, in the transaction of a record, that its subject is there, and is the one that was looked at.

    Parameters
    ----------
    tx : Transaction
    subject : str
        ``kind:name``.
    number : int, str or None
        What tells a network apart from another one of its name; None accepts any.

    Raises
    ------
    NotFound
        If there is none of that name (any more).
    StoreConflict
        If there is another one by now.
    """
    family, name = parse_subject(subject)
    found = require_subject(tx, family, name)
    if number is not None and found != number:
        raise StoreConflict(f"the {family} {name!r} was replaced meanwhile; run this again")


def require_subject(tx: Transaction, family: str, name: str) -> int | str | None:
    """Return what tells a subject apart from another one of its name; None for an export, whose id is its name.

    Raises
    ------
    NotFound
        If there is none.
    """
    record = tx.run(_query(family), name=name).single() if is_name(name) else None
    if record is None:
        raise missing_subject(family, name)
    number: int | str | None = record["number"]
    return number


def missing_subject(family: str, name: str) -> NotFound:
    """Return the error that says that there is no subject of that name."""
    where = "" if family in KINDS and kind_named(family).is_release else f"; see 'auditor {family} list'"
    return NotFound(f"there is no {family} {name!r} in the store{where}", wanted=(family, name))


def _query(kind: str) -> str:
    found = kind_named(kind)
    return _SUBJECT.format(node=found.node, number=found.number)
