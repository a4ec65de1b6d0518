"""What every repository is made of: the connection of a store, and the ledger that records its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from auditor.store.connection import Connection
    from auditor.store.ledger import Ledger


class OpenStore(Protocol):
    """What a repository needs of a store: :class:`auditor.store.Store`."""

    @property
    def connection(self) -> Connection:
        """To the database."""

    @property
    def ledger(self) -> Ledger:
        """Where changes are recorded; its clock tells all times."""


class Repository:
    """The queries about one concept; cheap to make, so callers make one where they need it.

    Parameters
    ----------
    store : OpenStore
    """

    def __init__(self, store: OpenStore) -> None:
        self._connection = store.connection
        self._ledger = store.ledger
