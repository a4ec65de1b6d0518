"""Independent check of microaggregated records: from the original, what was written and the claim alone.

Nothing here imports an engine.
"""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.verification import Check, Verification

_ROUNDED = 1e-9


@dataclass(frozen=True, slots=True)
class GroupClaim:
    """What microaggregated records promise in public; nothing in it is protected."""

    k: int
    """Every combination of values of the attributes is that of at least so many records."""
    n: int
    """Number of records."""
    attributes: tuple[str, ...]
    """Columns that were aggregated together, in order."""
    whole_numbers: tuple[str, ...] = ()
    """Attributes that were rounded to whole numbers afterwards."""


def verify_groups(claim: GroupClaim, published: Floats) -> Verification:
    """Check what anybody can check who has the published file.

    Parameters
    ----------
    claim : GroupClaim
    published : ndarray of float, shape (records, attributes)
        The attributes as they were read back.

    Notes
    -----
    O(n d log n): values are compared to the last bit, as a reader of the file compares them.
    """
    return Verification((_count_check(claim, published), _groups_check(claim, published)))


def verify_microaggregation(claim: GroupClaim, published: Floats, original: Floats, rows: Ints) -> Verification:
    """Check as well what only the owner can check: that each group has the mean of its own records.

    Parameters
    ----------
    claim : GroupClaim
    published : ndarray of float, shape (records, attributes)
        The attributes as they were read back.
    original : ndarray of float, shape (records, attributes)
        The attributes as they were. Protected.
    rows : ndarray of int, shape (records,)
        Row of the original of every published record. Protected.
    """
    public = verify_groups(claim, published)
    return Verification(
        (*public.checks, _rows_check(claim, original, rows), _values_check(claim, published, original, rows))
    )


def _count_check(claim: GroupClaim, published: Floats) -> Check:
    right = published.shape == (claim.n, len(claim.attributes)) and bool(np.isfinite(published).all())
    return Check(
        "records", right, "every record is there, every value a number" if right else "a record or value is missing"
    )


def _groups_check(claim: GroupClaim, published: Floats) -> Check:
    counts = np.unique(published, axis=0, return_counts=True)[1] if published.size else np.zeros(1)
    right = int(counts.min()) >= claim.k
    text = f"every combination of values of the attributes is that of at least {claim.k} records"
    return Check(
        "k-anonymous", right, text if right else f"a combination of values is that of fewer than {claim.k} records"
    )


def _rows_check(claim: GroupClaim, original: Floats, rows: Ints) -> Check:
    right = original.shape[0] == claim.n and np.array_equal(np.sort(rows), np.arange(claim.n))
    return Check(
        "rows", right, "each record of the original is there once" if right else "a record is missing or there twice"
    )


def _values_check(claim: GroupClaim, published: Floats, original: Floats, rows: Ints) -> Check:
    """Compare the mean of the original of every combination of values with that combination."""
    wrong = Check("values", False, "a group does not have the mean of its records")
    if published.shape != (claim.n, len(claim.attributes)) or np.sort(rows).tolist() != list(range(original.shape[0])):
        return wrong
    values, group = np.unique(published, axis=0, return_inverse=True)
    group = group.reshape(-1)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) > 0])
    before = original[rows[order]]
    expected = np.add.reduceat(before, starts, axis=0) / np.bincount(group)[:, None]
    # sums of a column round with its largest values
    slack = _ROUNDED * np.maximum(np.abs(original).max(axis=0), 1e-300) + np.zeros_like(expected)
    rounded = [claim.attributes.index(name) for name in claim.whole_numbers]
    slack[:, rounded] += 0.5
    return (
        Check("values", True, "each group has the mean of its records")
        if (np.abs(expected - values) <= slack).all()
        else wrong
    )
