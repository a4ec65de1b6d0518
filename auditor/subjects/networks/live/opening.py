"""Reach a graph database of the owner's: to read it, mostly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from auditor.config import Settings
from auditor.config.addresses import GraphAddress
from auditor.core.errors import BadInput

if TYPE_CHECKING:
    from neo4j import Record

    from auditor.store.connection import Connection


class LiveGraph:
    """A graph database of the owner's, open for reading.

    Parameters
    ----------
    connection : Connection
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> Iterator[Record]:
        """Yield the records of a query, as the server sends them, in one reading transaction.

        Raises
        ------
        BadInput
            If the server does not take the query: names are quoted, so it is a condition or what a condition computes.
        StoreUnavailable, StoreError
            If it cannot be asked.
        """
        from auditor.store.driver_errors import QueryRefused

        try:
            yield from self._connection.stream(query, **(parameters or {}))
        except QueryRefused as refused:
            raise BadInput(
                "the graph database does not take the query; --where must be a Cypher condition on n, "
                "--where-relationship one on r, and --weight a property that holds numbers"
            ) from refused


@contextmanager
def opened_graph(settings: Settings, address: GraphAddress) -> Iterator[LiveGraph]:
    """Open a graph database for reading, with the log-in of the section ``graph`` of the settings.

    Raises
    ------
    StoreUnavailable
        If it does not answer, refuses the log-in, or is too old.
    """
    with connected(settings, address) as connection:
        yield LiveGraph(connection)


def connected(settings: Settings, address: GraphAddress) -> Connection:
    """Return a connection to a graph database, by which it can be written to as well.

    Raises
    ------
    StoreUnavailable
        If it does not answer, refuses the log-in, or is too old.
    """
    from auditor.store.connection import Connection
    from auditor.store.driver_errors import OF_GRAPH

    own = settings.graph
    store = settings.store.model_copy(
        update={
            "url": address.url,
            "user": own.user,
            "password": own.password,
            "password_file": own.password_file,
            "database": address.database or own.database,
        }
    )
    return Connection.open(settings.model_copy(update={"store": store}), words=OF_GRAPH)
