"""Constraints and indexes: made where they are missing, and awaited."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from auditor.core.errors import StoreError
from auditor.core.transactions import Transaction

if TYPE_CHECKING:
    from auditor.store.connection import Connection

# read
_INDEX_STATES = "SHOW INDEXES YIELD state RETURN DISTINCT state"

# read: a constraint has an index of its name
_NAMES = "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name"

_MAKES = re.compile(r"CREATE (?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS ")
_INDEX_SECONDS = 300.0
_LOOK_AGAIN = 0.05


def make_missing(connection: Connection, statements: Sequence[str]) -> None:
    """Make those constraints and indexes that are not there, and wait until they answer.

    Parameters
    ----------
    connection : Connection
    statements : sequence of str
        Schema commands; each may be run again without harm, by two processes at once as well.

    Raises
    ------
    StoreError
        If one of them could not be built.

    Notes
    -----
    All that are missing are one transaction: a new store is ready in half the time.
    """
    there = {record["name"] for record in connection.read(_NAMES)}
    missing = [statement for statement in statements if _name_of(statement) not in there]
    if not missing:
        return
    if not _make(connection, missing):
        # another process made one of them: each by itself, those that are there do nothing
        for statement in missing:
            _make(connection, [statement])
    _await_indexes(connection)


def _make(connection: Connection, statements: Sequence[str]) -> bool:
    """Make all of them; False, and none is made, where another process made one at this moment."""
    # as a managed transaction: two processes that do this at once may have to try again
    try:
        connection.write(partial(_run, statements))
    except StoreError as error:
        if not _is_there_by_now(error):
            raise
        return False
    return True


def _name_of(statement: str) -> str | None:
    """Return what a schema command makes, if it says so."""
    found = _MAKES.match(statement)
    return None if found is None else found.group(1)


def _await_indexes(connection: Connection) -> None:
    """Wait until all indexes answer, those behind the constraints, too.

    It looks again and again: `db.awaitIndexes` would hold a lock on their labels meanwhile, for which another process
    that is making the same constraint would wait, and neither would end.
    """
    end = time.monotonic() + _INDEX_SECONDS
    while (states := {record["state"] for record in connection.read(_INDEX_STATES)}) - {"ONLINE"}:
        if "FAILED" in states or time.monotonic() > end:
            raise StoreError("an index of the store could not be built; look at the log of the database")
        time.sleep(_LOOK_AGAIN)


def _is_there_by_now(error: StoreError) -> bool:
    """Whether another process made the same constraint or index after the database had looked for it."""
    return str(getattr(error.__cause__, "code", "")).endswith(".EquivalentSchemaRuleAlreadyExists")


def _run(statements: Sequence[str], tx: Transaction) -> None:
    for statement in statements:
        tx.run(statement).consume()
