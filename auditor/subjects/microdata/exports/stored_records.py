"""Records in a store, and what is recorded of an export of them."""

from dataclasses import dataclass
from typing import Protocol

from auditor.core.origin import Origin
from auditor.exports.recording import ExportRecorder
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.microdata.exports.together import check_together
from auditor.subjects.microdata.port import subject_of
from auditor.subjects.microdata.repository import MicrodataInfo
from graphkit.arrays import Ints


class ExportRequest(Protocol):
    """What all requests for an export of records say."""

    @property
    def k(self) -> int:
        """Among how many each record hides."""

    @property
    def policy(self) -> Policy:
        """Where its `exports.approval` says so, the export of stored records awaits a second person."""

    @property
    def actor(self) -> str:
        """Who makes it."""

    @property
    def keep_key(self) -> bool:
        """Whether the store keeps which record is which."""

    @property
    def origin(self) -> Origin:
        """The token of the request, and earlier requesters."""


@dataclass(frozen=True, slots=True)
class StoredRecords:
    """Records in a store, as they were found before they were read: what is recorded must be about these."""

    store: Store
    info: MicrodataInfo

    def recorder(self, request: ExportRequest, method: str, hiding: Ints) -> ExportRecorder:
        """Return what records an export, after it was held against those that are out.

        Parameters
        ----------
        request : ExportRequest
        method : str
            Name of what made it.
        hiding : ndarray of int, shape (n,) or (n, k)
            Among whom every record hides in it.

        Raises
        ------
        Refused
            If records would be singled out by it together with earlier ones.
        """
        beside = check_together(self.store, self.info, hiding, request.k, request.policy.microdata)
        return ExportRecorder(
            self.store,
            subject_of(self.info),
            request.policy,
            request.actor,
            method,
            request.keep_key,
            origin=request.origin,
            beside=beside,
        )
