"""The address of a graph database: `neo4j://host:7687/database`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from auditor.core.errors import BadInput

SCHEMES = ("bolt://", "bolt+s://", "bolt+ssc://", "neo4j://", "neo4j+s://", "neo4j+ssc://")


@dataclass(frozen=True, slots=True)
class GraphAddress:
    """A server, and which of its databases."""

    url: str
    """Scheme, host and port."""
    database: str | None = None
    """The server's default, where the address names none."""

    def __str__(self) -> str:
        """Return it as it was written."""
        return self.url if self.database is None else f"{self.url}/{self.database}"


def is_graph_address(text: str) -> bool:
    """Return whether a text is meant as the address of a graph database.

    Examples
    --------
    >>> is_graph_address("neo4j://db:7687"), is_graph_address("friends.csv")
    (True, False)
    """
    return text.startswith(SCHEMES)


def is_meant_as_graph(path: PurePath) -> bool:
    """Return whether a path was the address of a graph database before it was taken for a path.

    Examples
    --------
    >>> from pathlib import PurePath
    >>> is_meant_as_graph(PurePath("neo4j://db:7687")), is_meant_as_graph(PurePath("neo4j.csv"))
    (True, False)
    """
    return is_graph_address(path.as_posix().replace(":/", "://", 1))


def graph_address(text: str) -> GraphAddress:
    """Return the address that a text is.

    Raises
    ------
    BadInput
        If it is none, or holds a log-in.

    Examples
    --------
    >>> graph_address("neo4j://db:7687/people")
    GraphAddress(url='neo4j://db:7687', database='people')
    """
    scheme, _, rest = text.partition("://")
    host, _, database = rest.partition("/")
    if not is_graph_address(text) or not host or not text.isprintable() or " " in text:
        raise BadInput("the address of a graph database looks like neo4j://host:7687/database")
    if "@" in text:
        raise BadInput(
            "an address must not hold a user or password; use AUDITOR_GRAPH_USERNAME and AUDITOR_GRAPH_PASSWORD"
        )
    if "/" in database or "?" in text or "#" in text:
        raise BadInput("the address of a graph database ends with the name of the database; leave out what follows")
    return GraphAddress(f"{scheme}://{host}", database or None)
