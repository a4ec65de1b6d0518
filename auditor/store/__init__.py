"""The graph database: networks, audits, exports and the ledger, in Neo4j."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.store.opening import Store, StoreInfo, copy_store, open_store, restore_store

__all__ = ["Store", "StoreInfo", "copy_store", "open_store", "restore_store"]


def __getattr__(name: str) -> Any:
    """Import the store when it is first asked for: parts of this package are of use without the driver."""
    if name in __all__:
        from auditor.store import opening

        return getattr(opening, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
