"""Exports in the store: recorded before the file appears, marked when it is in its place; or waiting for a person."""

from __future__ import annotations

import hashlib
import uuid
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.approvals.record import NewApproval
from auditor.core.origin import Origin
from auditor.exports.claim import Manifest, manifest_path
from auditor.exports.claim_record import claim_as_record
from auditor.exports.owner_claim_record import terms_as_record
from auditor.exports.repository import Exports
from auditor.notifications.message import approval_messages
from auditor.policy import Policy
from graphkit.networks.verify import Terms

if TYPE_CHECKING:
    from auditor.exports.record import NewExport, ScheduledExport
    from auditor.store import Store
    from auditor.subjects.networks.repository import NetworkInfo


class StoreRecorder:
    """:class:`~auditor.subjects.networks.exports.publishing.ExportRecorder` of a stored network.

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
        again. A pending approval keeps it until then: it is verified once more.
    policy : Policy
        Where its `exports.approval` says so, the export waits for a second person.
    by : str, optional
        For whom it is made; the actor by default.
    force : bool, optional
        Whether what waits may replace an earlier release.
    scheduled : ScheduledExport, optional
        The tick of a schedule that it is made in.
    origin : Origin, optional
        The token that it is asked for with, and who asked for it before.
    """

    def __init__(
        self,
        store: Store,
        network: NetworkInfo,
        actor: str,
        *,
        method: str,
        keep_key: bool,
        policy: Policy,
        by: str | None = None,
        force: bool = False,
        scheduled: ScheduledExport | None = None,
        origin: Origin | None = None,
    ) -> None:
        self._store, self._network, self._actor = store, network, actor
        self._method, self._keep_key = method, keep_key
        self._policy = policy
        self._by, self._force = by if by is not None else actor, force
        self._scheduled = scheduled
        self._origin = origin if origin is not None else Origin()

    def record(
        self, manifest: Manifest, path: Path, published: NDArray[np.int64], terms: Terms | None = None
    ) -> str | None:
        """Record the export, its claim and its entry in the ledger in one transaction.

        Returns
        -------
        str or None
            Id of the approval that it waits for; None where it may appear.
        """
        wanted = self._wanted(manifest, path) if self._policy.exports.approval == "second-person" else None
        Exports(self._store).record(
            NewExport(
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
                    "files": dict(manifest.files),
                },
                verified_at=manifest.created_at,
                relabelling=published if self._keep_key or wanted is not None else None,
                actor=self._actor,
                terms=None if terms is None else terms_as_record(terms),
                wanted=wanted,
                scheduled=self._scheduled,
            )
        )
        return None if wanted is None else wanted.id

    def mark_published(self, export_id: str) -> None:
        """Note that the file is in its place."""
        Exports(self._store).mark_published(export_id)

    def _wanted(self, manifest: Manifest, path: Path) -> NewApproval:
        """Return what waits for a second person: the files by their checksums, the manifest's among them."""
        text = hashlib.sha256(manifest.text().encode()).hexdigest()
        what = {
            "export": manifest.export,
            "files": {**manifest.files, manifest_path(path).name: text},
            "force": self._force,
            "keep_key": self._keep_key,
        }
        id, subject = str(uuid.uuid4()), f"network:{self._network.name}"
        return NewApproval(
            id,
            "export",
            subject,
            self._actor,
            self._by,
            what,
            f"export:{manifest.export}",
            self._policy.digest(),
            self._policy.text(),
            partial(approval_messages, self._policy, id, "export", subject),
            self._origin,
        )
