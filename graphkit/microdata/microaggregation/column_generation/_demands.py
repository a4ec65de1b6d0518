"""What a branch demands: pairs of records in one group, and pairs in two."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.microdata.microaggregation.column_generation._columns import Columns

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Demands:
    """Of Ryan and Foster: groups that have one of two records have the other, or have not."""

    together: tuple[Pair, ...] = ()
    apart: tuple[Pair, ...] = ()

    def branches(self, pair: Pair) -> tuple["Demands", "Demands"]:
        """Return both branches at a pair."""
        return Demands((*self.together, pair), self.apart), Demands(self.together, (*self.apart, pair))

    def bundles(self, n: int) -> tuple[Ints, Ints]:
        """Return the bundle of every record, whose records are in one group, and the size of that bundle."""
        bundle = np.arange(n)
        for one, two in self.together:
            bundle[bundle == bundle[two]] = bundle[one]
        return bundle, np.bincount(bundle, minlength=n)[bundle]

    def allow(self, columns: Columns, n: int) -> Bools:
        """Return which columns respect the demands."""
        allowed = np.ones(columns.size, np.bool_)
        if not (self.together or self.apart):
            return allowed
        inside = columns.membership(n)
        for one, two in self.together:
            allowed &= inside[one] == inside[two]
        for one, two in self.apart:
            allowed &= ~(inside[one] & inside[two])
        return allowed
