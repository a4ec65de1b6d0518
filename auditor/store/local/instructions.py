"""What the starter tells the server process, as JSON on its standard input."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instructions:
    """Everything the server process needs to know.

    Parameters
    ----------
    neo4j, state, server_lock, start_lock, log, jars, classes : str
        Paths, see `Layout`.
    version : str
        Version of Neo4j, for the state file.
    heap, page_cache : str
        Memory.
    more_heap : bool
        Whether the heap is larger than the settings say, since that was too small to start.
    transaction_timeout, idle_seconds : float
        Seconds; 0 idle seconds are without end.
    """

    neo4j: str
    state: str
    server_lock: str
    start_lock: str
    log: str
    jars: str
    classes: str
    version: str
    heap: str
    page_cache: str
    transaction_timeout: float
    idle_seconds: float
    more_heap: bool = False
