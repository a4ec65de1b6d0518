"""Independent check of microaggregated records: from the original, what was written and the claim alone.

Nothing here imports an engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    aggregates: Mapping[str, str] = field(default_factory=dict)
    """`mean`, `median`, `lower median` (the smaller of the two in the middle) or `mode` (of equally frequent categories
    the first) of each attribute; the mean of those that are not named."""
    times: Mapping[str, str] = field(default_factory=dict)
    """Attributes that are dates or times, with the type of their column; rounded to its unit."""
    scales: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes that are categories in an order, with the order that was declared."""
    missing: str = "error"
    """What became of missing values: there was none; `group`: records share their group with such as lack the same
    values, and still lack them; `impute`: the aggregate of the attribute, in the stratum, took their place before."""
    stratum: str | None = None
    """Column of strata that no group mixes."""
    household: str | None = None
    """Column of households whose records are in one group each."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Attributes that are neither dates nor categories."""
        found = [name for name in self.attributes if self.aggregate_of(name) in ("mean", "median")]
        return tuple(name for name in found if name not in self.times)

    def aggregate_of(self, attribute: str) -> str:
        """Return what an attribute was replaced by."""
        return self.aggregates.get(attribute, "mean")


@dataclass(frozen=True, slots=True, eq=False)
class OriginalRecords:
    """What was protected, as numbers: categories are codes in their order, times units since 1970. Protected."""

    values: Floats
    """Shape (n, attributes); NaN where a value is missing."""
    strata: Ints | None = None
    """Stratum of every record, shape (n,), where the claim names a column of them."""
    households: Ints | None = None
    """Household of every record, likewise."""


def verify_groups(claim: GroupClaim, published: Floats) -> Verification:
    """Check what anybody can check who has the published file.

    Parameters
    ----------
    claim : GroupClaim
    published : ndarray of float, shape (records, attributes)
        The attributes as they were read back; NaN where a value is missing.

    Notes
    -----
    O(n d log n): values are compared to the last bit, as a reader of the file compares them.
    """
    return Verification((_count_check(claim, published), _groups_check(claim, published)))


def verify_microaggregation(
    claim: GroupClaim, published: Floats, original: OriginalRecords, rows: Ints
) -> Verification:
    """Check as well what only the owner can check: that each group has the aggregates of its own records.

    Parameters
    ----------
    claim : GroupClaim
    published : ndarray of float, shape (records, attributes)
        The attributes as they were read back.
    original : OriginalRecords
        The attributes as they were. Protected.
    rows : ndarray of int, shape (records,)
        Row of the original of every published record. Protected.
    """
    public = verify_groups(claim, published)
    checks = [*public.checks, _rows_check(claim, original.values, rows)]
    if not checks[-1].passed or published.shape != (claim.n, len(claim.attributes)):
        return Verification((*checks, _WRONG_VALUES))
    before = original.values[rows]
    strata = None if original.strata is None else original.strata[rows]
    if claim.missing == "impute":
        before = _imputed(claim, before, strata)
    if claim.missing == "group":
        checks.append(_missing_check(before, published))
    cells = _cells(published, strata)
    if claim.stratum is not None:
        checks.append(_strata_check(claim, cells, strata))
    if claim.household is not None:
        households = None if original.households is None else original.households[rows]
        checks.append(_households_check(cells, households))
    return Verification((*checks, _values_check(claim, cells, published, before)))


_WRONG_VALUES = Check("values", False, "a group does not have the values that its records give")


def _count_check(claim: GroupClaim, published: Floats) -> Check:
    right = published.shape == (claim.n, len(claim.attributes))
    lacks = "every value is there"
    if claim.missing == "group":
        right, lacks = right and not np.isinf(published).any(), "values are there or missing"
    else:
        right = right and bool(np.isfinite(published).all())
    return Check("records", right, f"every record is there, {lacks}" if right else "a record or value is missing")


def _groups_check(claim: GroupClaim, published: Floats) -> Check:
    counts = np.bincount(_cells(published, None)) if published.size else np.zeros(1)
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


def _missing_check(before: Floats, published: Floats) -> Check:
    right = bool((np.isnan(before) == np.isnan(published)).all())
    text = "what was missing is missing, and nothing else" if right else "a value went missing, or appeared"
    return Check("missing", right, text)


def _strata_check(claim: GroupClaim, cells: Ints, strata: Ints | None) -> Check:
    """Groups of two strata may have the same values by chance: in each stratum there must be enough of them."""
    right = strata is not None and int(np.bincount(cells).min()) >= claim.k
    return Check("strata", right, "no group mixes strata" if right else "a group mixes strata")


def _households_check(cells: Ints, households: Ints | None) -> Check:
    right = households is not None and (
        np.unique(np.stack((households, cells)), axis=1).shape[1] == np.unique(households).size
    )
    return Check("households", right, "no household is parted" if right else "records of a household are parted")


def _cells(published: Floats, strata: Ints | None) -> Ints:
    """Return a number for each combination of values, and of the stratum where it is known, of every record."""
    lacks = np.isnan(published)
    parts = [np.where(lacks, 0.0, published), lacks.astype(np.float64)] if lacks.any() else [published]
    if strata is not None:
        parts.append(strata[:, None].astype(np.float64))
    return np.unique(np.concatenate(parts, axis=1), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _values_check(claim: GroupClaim, cells: Ints, published: Floats, before: Floats) -> Check:
    """Compare the aggregates of the original of every group with what was published of it."""
    for place, name in enumerate(claim.attributes):
        column, after = before[:, place], published[:, place]
        lacks = np.isnan(column)
        if not np.array_equal(lacks, np.isnan(after)):
            return _WRONG_VALUES
        column, after, at = column[~lacks], after[~lacks], cells[~lacks]
        if not column.size:
            continue
        slack = 0.0
        aggregate = claim.aggregate_of(name)
        if aggregate in ("mean", "median"):
            if name in claim.times:
                # years since 1970 in small units are large numbers: what is near to them matters
                column, after = column - column.min(), after - column.min()
            # sums of a column round with its largest values
            slack = _ROUNDED * max(float(np.abs(column).max()), 1e-300)
            slack += 0.5 if name in claim.whole_numbers or name in claim.times else 0.0
        if not (np.abs(_aggregated(aggregate, column, at) - after) <= slack).all():
            return _WRONG_VALUES
    return Check("values", True, "each group has the values that its records give")


def _aggregated(aggregate: str, values: Floats, cells: Ints) -> Floats:
    """Return the aggregate of its cell for every record; NaN, which equals nothing, if there is no such aggregate."""
    of = np.unique(cells, return_inverse=True)[1].reshape(-1)
    sizes = np.bincount(of)
    order = np.lexsort((values, of))
    held, starts = values[order], np.cumsum(sizes) - sizes
    if aggregate == "mean":
        found = np.add.reduceat(held, starts) / sizes
    elif aggregate == "lower median":
        found = held[starts + (sizes - 1) // 2]
    elif aggregate == "median":
        found = (held[starts + (sizes - 1) // 2] + held[starts + sizes // 2]) / 2
    elif aggregate == "mode":
        found = _modes(held, of[order])
    else:
        found = np.full(sizes.size, np.nan)
    return np.asarray(found[of], dtype=np.float64)


def _modes(held: Floats, of: Ints) -> Floats:
    """Return the mode of every cell; values are in order within cells, which are in order."""
    begins = np.flatnonzero(np.r_[True, (np.diff(held) != 0) | (np.diff(of) != 0)])
    counts = np.diff(np.r_[begins, held.size])
    order = np.lexsort((held[begins], -counts, of[begins]))
    cells = of[begins][order]
    return held[begins][order][np.r_[True, np.diff(cells) > 0]]


def _imputed(claim: GroupClaim, before: Floats, strata: Ints | None) -> Floats:
    """Return records with the aggregate of their stratum in place of what is missing."""
    filled = before.copy()
    cells = np.zeros(before.shape[0], dtype=np.int64) if strata is None else strata
    for place, name in enumerate(claim.attributes):
        lacks = np.isnan(before[:, place])
        for stratum in np.unique(cells[lacks]):
            there = before[~lacks & (cells == stratum), place]
            if there.size:
                one = _aggregated(claim.aggregate_of(name), there, np.zeros(there.size, dtype=np.int64))[0]
                filled[lacks & (cells == stratum), place] = one
    return filled
