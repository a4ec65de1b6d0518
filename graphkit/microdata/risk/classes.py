"""Equivalence classes: records that agree on all quasi-identifiers, and how many are in small ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.risk.coded import CodedColumn, CodedRecords
from graphkit.parameters import check_block_size
from graphkit.presentation import Presentable

_LARGEST_KEY = 1 << 62


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClassRisk(Presentable):
    """Exposure of records to an attacker who knows the quasi-identifiers of one respondent. Figures only."""

    n: int
    """Records."""
    k: int
    quasi_identifiers: tuple[str, ...]
    """Names of the columns that the attacker knows."""
    classes: int
    """Equivalence classes: combinations of categories that occur."""
    records_below_k: int
    """Records in classes of fewer than k."""
    classes_below_k: int
    unique_records: int
    """Sample uniques: records that are alone in their class."""
    smallest_class: int
    """The largest k for which the records are k-anonymous; 0 without records."""
    reidentification_rate: float
    """Share of records that a guess within the right class hits: classes / n; 0 without records."""
    curve_k: Ints
    """Values of k at which the curve below changes, ascending, from 2."""
    curve_below: Ints
    """``curve_below[i]`` records are in classes of fewer than ``curve_k[i]``; constant up to the next value."""

    _figures = ("n", "k", "records_below_k", "share_below_k", "unique_records", "smallest_class", "is_anonymous")
    _derived = ("share_below_k", "is_anonymous")

    @property
    def share_below_k(self) -> float:
        """Share of records in classes of fewer than k; 0 without records."""
        return self.records_below_k / self.n if self.n else 0.0

    @property
    def is_anonymous(self) -> bool:
        """Whether no class has fewer than k records."""
        return self.records_below_k == 0

    def below(self, k: int) -> int:
        """Return the number of records in classes of fewer than `k`."""
        place = int(np.searchsorted(self.curve_k, k, side="right")) - 1
        return int(self.curve_below[place]) if place >= 0 else 0


@dataclass(frozen=True, slots=True, eq=False)
class EquivalenceClasses:
    """Partition of the records by their quasi-identifiers. Protected: it tells which records are alike."""

    quasi_identifiers: tuple[str, ...]
    class_of: Ints
    """Number of each record's class, shape (n,): 0, 1, … without gaps."""
    sizes: Ints
    """Records of each class."""

    def risk(self, k: int) -> ClassRisk:
        """Return the figures.

        Parameters
        ----------
        k : int
            Required size of a class, at least 2.

        Raises
        ------
        InvalidInput
            If `k` is no whole number or below 2.

        Notes
        -----
        O(c log c) time for c classes.
        """
        distinct, times = np.unique(self.sizes, return_counts=True)
        return class_risk(distinct, times, k, self.quasi_identifiers)


def class_risk(distinct: Ints, times: Ints, k: int, quasi_identifiers: tuple[str, ...]) -> ClassRisk:
    """Return the figures of classes of which the sizes are known.

    Parameters
    ----------
    distinct : ndarray of int
        Sizes that occur, ascending.
    times : ndarray of int
        How many classes have each.
    k : int
        Required size of a class, at least 2.
    quasi_identifiers : tuple of str

    Raises
    ------
    InvalidInput
        If `k` is no whole number or below 2.

    Examples
    --------
    >>> class_risk(np.array([1, 4]), np.array([3, 2]), 3, ("age",)).records_below_k
    3
    """
    check_block_size(k)
    n, classes = int((distinct * times).sum()), int(times.sum())
    # a class of size s is below every k > s: the curve steps up at s + 1
    curve_k, below = distinct + 1, np.cumsum(distinct * times)
    if curve_k.size == 0 or curve_k[0] != 2:
        curve_k, below = np.concatenate(([2], curve_k)), np.concatenate(([0], below))
    small = distinct < k
    return ClassRisk(
        n=n,
        k=k,
        quasi_identifiers=quasi_identifiers,
        classes=classes,
        records_below_k=int((distinct * times)[small].sum()),
        classes_below_k=int(times[small].sum()),
        unique_records=int(times[distinct == 1].sum()),
        smallest_class=int(distinct[0]) if distinct.size else 0,
        reidentification_rate=classes / n if n else 0.0,
        curve_k=curve_k,
        curve_below=below,
    )


def equivalence_classes(records: CodedRecords, quasi_identifiers: Sequence[str]) -> EquivalenceClasses:
    """Return the classes of records that agree on all quasi-identifiers.

    Parameters
    ----------
    records : CodedRecords
    quasi_identifiers : sequence of str
        Names of columns; without any, all records are one class.

    Raises
    ------
    InvalidInput
        If a column is not there or is named twice.

    Notes
    -----
    Missing values are a category of their own: two records that miss the same value agree on it. O(n log n) time.

    Examples
    --------
    >>> from graphkit.microdata.risk.coded import code_records
    >>> records = code_records({"age": [41, 41, 35], "sex": ["f", "f", "f"]})
    >>> equivalence_classes(records, ["age", "sex"]).risk(k=2).unique_records
    1
    """
    key, _ = combined_key(records.chosen(quasi_identifiers), records.n)
    classes, sizes = numbered(key)
    return EquivalenceClasses(tuple(quasi_identifiers), classes, sizes)


def combined_key(columns: Sequence[CodedColumn], n: int) -> tuple[Ints, int]:
    """Return one number a record that is the same for records that agree on all columns, and a bound on it.

    Notes
    -----
    The numbers of categories are the digits. Where 62 bits do not hold them, the numbers so far are replaced by ranks.
    """
    key, size = np.zeros(n, dtype=np.int64), 1
    for column in columns:
        if size * column.size > _LARGEST_KEY:
            key, sizes = numbered(key)
            size = int(sizes.size)
        key *= column.size
        key += column.codes.astype(np.int64)
        size *= column.size
    return key, size


def numbered(key: Ints) -> tuple[Ints, Ints]:
    """Return the rank of each number among those that occur, and how often each occurs."""
    order = np.argsort(key, kind="stable" if key.size < 1 << 16 else None)
    ordered = key[order]
    begins = np.empty(key.size, dtype=bool)
    begins[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    ranks = np.empty(key.size, dtype=np.int64)
    ranks[order] = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    return ranks, np.diff(starts, append=key.size)
