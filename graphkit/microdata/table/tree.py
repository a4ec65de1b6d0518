"""Which part a record belongs to: a k-d tree with borders that are drawn anew for every round."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.kernels import kernel
from graphkit.microdata.table.cut_tree import LEAF, CutTree

if TYPE_CHECKING:
    import ibis.expr.types as ir

_UNEVEN = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Tree(CutTree):
    """A tree with a border at each cut."""

    borders: Floats
    """What is below goes to the first child, the rest to the second."""

    def part_of(self, rows: Floats) -> Ints:
        """Return the part of every row, by its node."""
        found = np.empty(rows.shape[0], dtype=np.int64)
        _route(np.ascontiguousarray(rows), self.columns, self.borders, self.children, found)
        return found

    def expression(self, columns: "list[ir.Column]") -> Any:
        """Return the same as an expression over columns of a table."""
        import ibis

        def part(node: int) -> Any:
            if self.columns[node] == LEAF:
                return ibis.literal(node, "int64")
            lower, upper = self.children[node].tolist()
            column = columns[int(self.columns[node])]
            return ibis.ifelse(column < float(self.borders[node]), part(lower), part(upper))

        return part(0)


def grown(sample: Floats, parts: int, rng: Rng) -> Tree:
    """Return a tree with about so many parts, as large as each other in the sample.

    Parameters
    ----------
    sample : ndarray of float, shape (n, columns)
        Rows; the last column is the number of the record, which parts those that agree in all others.
    parts : int
    rng : Generator
        Draws the column of each border, the more probably the more it varies there, and its place near the middle.
    """
    columns, borders, children = [LEAF], [0.0], [(0, 0)]
    waiting = [(0, np.arange(sample.shape[0]), parts)]
    while waiting:
        node, held, wanted = waiting.pop()
        if wanted < 2:
            continue
        values = sample[held]
        variances = np.where(np.ptp(values, axis=0) > 0, values.var(axis=0), 0.0)
        variances[-1] = 0.0 if variances[:-1].any() else variances[-1]
        if not variances.any():
            continue
        column = int(rng.choice(variances.size, p=variances / variances.sum()))
        share = wanted // 2 / wanted + rng.uniform(-_UNEVEN, _UNEVEN)
        rising = np.sort(values[:, column])
        # many rows may have one value: all of them are above the border
        above = rising[rising > rising[0]]
        border = max(rising[min(max(int(share * rising.size), 1), rising.size - 1)], above[0])
        first = len(columns)
        columns[node], borders[node], children[node] = column, float(border), (first, first + 1)
        columns += [LEAF, LEAF]
        borders += [0.0, 0.0]
        children += [(0, 0), (0, 0)]
        lower = values[:, column] < border
        for child, side in ((first, held[lower]), (first + 1, held[~lower])):
            waiting.append((child, side, max(1, round(wanted * side.size / held.size))))
    return Tree(np.array(columns), np.array(children), np.array(borders))


@kernel
def _route(rows: Floats, columns: Ints, borders: Floats, children: Ints, found: Ints) -> None:
    for row in range(rows.shape[0]):
        node = 0
        while columns[node] >= 0:
            node = children[node, 0 if rows[row, columns[node]] < borders[node] else 1]
        found[row] = node
