"""Transaction hooks: what one part of the program does inside the recording transaction of another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

TransactionHook = Callable[["ManagedTransaction"], None]
"""Called last in the transaction that records something, under the store's lock. What it raises rolls back everything:
nothing is recorded. The driver may run the transaction again, so a hook must bear to be called twice.
"""
