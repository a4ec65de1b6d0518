"""Settings: which Neo4j holds the data."""

from typing import ClassVar

from pydantic import Field, field_validator

from auditor.config.addresses import SCHEMES
from auditor.config.log_in import LogIn
from auditor.config.sections import MEMORY

LOCAL = "local"
"""The store URL that means: the private Neo4j that the auditor runs itself."""


class StoreSettings(LogIn):
    """Which Neo4j holds the data, and how it is reached.

    Parameters
    ----------
    url : str
        ``local``, or the address of a server (``neo4j://…``, ``bolt://…``, also ``+s`` and ``+ssc``).
    user, password, password_file : str, secret, path
        Log-in at a server; ``password_file`` holds the password on its first line. Not used by ``local``.
    database : str or None
        Name of the database; None is the server's default.
    connection_timeout, transaction_timeout : float
        Seconds until an unanswered connection, and a transaction of the server, is given up.
    retry_time : float
        Seconds for which a transaction that the server or the network failed is tried again.
    idle_minutes : float
        The local server stops itself after so long without a client; 0 keeps it running.
    heap, page_cache : str
        Memory of the local server, such as ``1g`` or ``512m``.
    replan_seconds : float
        The local server plans a query anew once the store has changed a lot, at most this often.
    strict_notifications : bool
        Ask the server for notifications about queries and make a warning of each; for tests.
    """

    section: ClassVar[str] = "store"
    url: str = LOCAL
    database: str | None = None
    connection_timeout: float = Field(default=15.0, gt=0)
    transaction_timeout: float = Field(default=600.0, gt=0)
    retry_time: float = Field(default=15.0, ge=0)
    idle_minutes: float = Field(default=30.0, ge=0)
    heap: str = Field(default="1g", pattern=MEMORY)
    page_cache: str = Field(default="256m", pattern=MEMORY)
    replan_seconds: float = Field(default=10.0, ge=0)
    strict_notifications: bool = False

    @field_validator("url")
    @classmethod
    def _is_supported(cls, url: str) -> str:
        if not url.isprintable() or " " in url:
            raise ValueError("must be an address without spaces and control characters")
        if url == LOCAL or url.startswith(SCHEMES):
            if "@" in url:
                raise ValueError("must not hold a user or password; use NEO4J_USERNAME and NEO4J_PASSWORD")
            return url
        raise ValueError(f"must be '{LOCAL}' or begin with one of {', '.join(SCHEMES)}")

    @property
    def is_local(self) -> bool:
        """Whether the auditor runs the server itself."""
        return self.url == LOCAL
