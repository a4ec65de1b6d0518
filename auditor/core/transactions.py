"""Transactions of the store, and hooks: what one part of the program does inside the transaction of another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    Transaction: TypeAlias = ManagedTransaction
else:
    Transaction = Any  # the driver is loaded when a store is opened, and by nothing else

TransactionHook = Callable[[Transaction], None]
"""Called last in the transaction that records something, under the store's lock. What it raises rolls back everything:
nothing is recorded. The driver may run the transaction again, so a hook must bear to be called twice.
"""
