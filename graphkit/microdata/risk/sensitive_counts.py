"""How often each category of a sensitive column occurs in each equivalence class."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.risk.classes import EquivalenceClasses
from graphkit.microdata.risk.coded import CodedColumn


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveCounts:
    """The categories that occur in each class, class by class and in their order. Protected."""

    name: str
    """Of the sensitive column."""
    sizes: Ints
    """Records of each class, shape (c,)."""
    totals: Ints
    """Records of each category in all classes, shape (m,)."""
    class_of: Ints
    """Class of each pair of a class and a category that occurs in it, ascending, shape (p,)."""
    category: Ints
    """Category of each pair, ascending within a class."""
    counts: Ints
    """Records of each pair."""
    begins: Ints
    """First pair of each class, shape (c,)."""
    records: int | None = None
    """Records of all classes, where these are some of them; `totals` is about all."""

    @property
    def n(self) -> int:
        """Records."""
        return int(self.sizes.sum()) if self.records is None else self.records


def sensitive_counts(classes: EquivalenceClasses, column: CodedColumn) -> SensitiveCounts:
    """Return how often each category occurs in each class.

    Notes
    -----
    O(n log n) time for n records.
    """
    size = max(column.size, 1)
    key = classes.class_of * size
    key += column.codes.astype(np.int64)
    key.sort()
    starts = np.flatnonzero(np.concatenate((np.ones(min(key.size, 1), dtype=bool), key[1:] != key[:-1])))
    pairs = key[starts]
    class_of = pairs // size
    return SensitiveCounts(
        name=column.name,
        sizes=classes.sizes,
        totals=np.bincount(column.codes, minlength=column.size),
        class_of=class_of,
        category=pairs - class_of * size,
        counts=np.diff(starts, append=key.size),
        begins=np.searchsorted(class_of, np.arange(classes.sizes.size)),
    )
