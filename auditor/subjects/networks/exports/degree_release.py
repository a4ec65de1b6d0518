"""What all protected networks claim when they are published, in memory or in a database."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.exports.publishing import Release
from auditor.subjects.networks.exports.claim_record import claim_as_record
from auditor.subjects.networks.exports.owner_claim_record import terms_as_record
from auditor.subjects.networks.exports.place import check_network_destination, stale_companion
from graphkit.networks.verify import DegreeClaim, Terms


class DegreeRelease(Release):
    """A k-degree-anonymous network that is about to be written; see :class:`~auditor.exports.publishing.Release`."""

    claim: DegreeClaim
    terms: Terms
    attributes: tuple[str, ...] = ()
    """Names of the vertex attributes that leave, too."""

    @property
    def claim_record(self) -> Mapping[str, Any]:
        """What it claims in public, as JSON holds it."""
        return claim_as_record(self.claim, self.attributes)

    @property
    def terms_record(self) -> Mapping[str, Any]:
        """What is claimed to the owner alone, as JSON holds it. Protected."""
        return terms_as_record(self.terms)

    def check_place(self) -> None:
        """Refuse a destination that cannot, or must not, be written to."""
        check_network_destination(self.destination)

    def stale_beside(self, names: Sequence[str]) -> Sequence[Path]:
        """Return the vertex file of a release that is replaced by one without."""
        return stale_companion(self.destination, names)
