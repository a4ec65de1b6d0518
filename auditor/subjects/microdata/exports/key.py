"""What the store keeps of an export of records: the published row of every record, and its group."""

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
    """Published row of every record, shape (n,)."""
    groups: Ints
    """Group of every record, shape (n,): those that are published with the same values."""


def read_key(store: Store, export: Export) -> RecordsKey | None:
    """Return the key of an export, None if the store does not hold it (any more)."""
    held = Exports(store).relabelling(export.id)
    return None if held is None else RecordsKey(*held.reshape(2, -1))


def value_groups(values: Floats) -> Ints:
    """Return the group of every record, shape (n,): those with the same values, or none in the same places, are one."""
    lacks = np.isnan(values)
    if lacks.any():
        values = np.concatenate([np.where(lacks, 0.0, values), lacks], axis=1)
    return np.unique(values, axis=0, return_inverse=True)[1].reshape(-1)
