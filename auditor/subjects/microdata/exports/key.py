"""What the store keeps of an export of records: the published row of every record, and among whom it hides."""

from dataclasses import dataclass

import numpy as np

from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from graphkit.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class RecordsKey:
    """Which record of the original is which; as protected as the original."""

    published: Ints
    """Published row of every record, shape (n,); −1 where a record was left out."""
    hiding: Ints
    """Group of every record, shape (n,): those that are published with the same values. Of generalized records those
    that each published one covers, shape (n, k), by the record that it is made of; −1 where it was left out."""

    @property
    def rows(self) -> Ints:
        """Row of the original of every published record."""
        return rows_of(self.published)

    @property
    def numbers(self) -> Ints:
        """All of it in one row, as a store keeps it."""
        return np.concatenate([self.published, self.hiding.T.reshape(-1)])


def read_key(store: Store, export: Export) -> RecordsKey | None:
    """Return the key of an export, None if the store does not hold it (any more)."""
    held = Exports(store).relabelling(export.id)
    if held is None:
        return None
    # a claim counts published records; older ones, and most, leave out none
    records = int(export.claim["n"]) + int(export.claim.get("suppressed", 0))
    published, *hiding = held.reshape(-1, records)
    return RecordsKey(published, hiding[0] if len(hiding) == 1 else np.stack(hiding, axis=1))


def rows_of(published: Ints) -> Ints:
    """Return the row of the original of every published record, given the published row of every record, or −1.

    Examples
    --------
    >>> rows_of(np.array([1, -1, 0])).tolist()
    [2, 0]
    """
    return np.argsort(published, kind="stable")[int((published < 0).sum()) :]


def value_groups(values: Floats) -> Ints:
    """Return the group of every record, shape (n,): those with the same values, or none in the same places, are one."""
    lacks = np.isnan(values)
    if lacks.any():
        values = np.concatenate([np.where(lacks, 0.0, values), lacks], axis=1)
    return np.unique(values, axis=0, return_inverse=True)[1].reshape(-1)
