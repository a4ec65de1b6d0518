"""Exports in the store: recorded before the file appears, marked when it is in its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.exports.claim import Manifest
from auditor.exports.claim_record import claim_as_record
from auditor.exports.terms_record import terms_as_record
from graphkit.networks.verify import Terms

if TYPE_CHECKING:
    from auditor.store import Store
    from auditor.store.networks import NetworkInfo

__all__ = ["StoreRecorder"]


class StoreRecorder:
    """:class:`~auditor.exports.network.ExportRecorder` of a stored network.

    Parameters
    ----------
    store : Store
        Where the network is.
    network : NetworkInfo
        The network that is protected, as it was found before it was read.
    actor : str
        Who exports.
    method : str
        Name of the engine's method.
    keep_key : bool
        Whether the relabelling, and with it the terms, is kept; without it only the file's own claim can be checked
        again.
    """

    def __init__(self, store: Store, network: NetworkInfo, actor: str, *, method: str, keep_key: bool) -> None:
        self._store, self._network, self._actor = store, network, actor
        self._method, self._keep_key = method, keep_key

    def record(self, manifest: Manifest, path: Path, published: NDArray[np.int64], terms: Terms | None = None) -> None:
        """Record the export, its claim and its entry in the ledger in one transaction."""
        self._store.exports.record(
            id=manifest.export,
            subject=self._network.name,
            network=self._network.id,
            path=str(path.absolute()),
            checksum=manifest.files[path.name],
            claim={
                **claim_as_record(manifest.claim),
                "attributes": list(manifest.kept_attributes),
                "format": manifest.format,
                "method": self._method,
            },
            verified_at=manifest.created_at,
            relabelling=published if self._keep_key else None,
            actor=self._actor,
            terms=None if terms is None else terms_as_record(terms),
        )

    def mark_published(self, export_id: str) -> None:
        """Note that the file is in its place."""
        self._store.exports.mark_published(export_id)
