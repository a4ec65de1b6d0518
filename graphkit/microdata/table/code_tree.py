"""Which part a record of categories and ranges belongs to: a tree cut across attributes that lose much there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Bools, Ints, Rng
from graphkit.kernels import kernel
from graphkit.microdata.generalization.extents import RANGE, Layout
from graphkit.microdata.generalization.parts import spreads_of
from graphkit.microdata.table.cut_tree import LEAF, CutTree

if TYPE_CHECKING:
    import ibis.expr.types as ir

_UNEVEN = 0.1
_FAR = 0.35


@dataclass(frozen=True, slots=True, eq=False)
class CodeTree(CutTree):
    """A tree of attributes; the column after the last attribute is the number of the record.

    A cut of a range, or of the numbers of records, has a border: what is below goes to the first child. Any other cut
    says which values do.
    """

    borders: Ints
    """Where a cut has one."""
    offsets: Ints
    """Where the values of a cut begin in `lower`, −1 where it has a border."""
    lower: Bools
    """Whether a value goes to the first child."""

    def part_of(self, codes: Ints, record: Ints) -> Ints:
        """Return the part of every record, by its node, given codes and numbers."""
        rows = np.column_stack((codes, record)).astype(np.int64)
        found = np.empty(record.size, dtype=np.int64)
        _route(rows, self.columns, self.borders, self.offsets, self.lower, self.children, found)
        return found

    def expression(self, columns: "list[ir.Column]") -> Any:
        """Return the same as an expression over columns of a table: the attributes, and last the number."""
        import ibis

        def part(node: int) -> Any:
            if self.columns[node] == LEAF:
                return ibis.literal(node, "int64")
            lower, upper = self.children[node].tolist()
            column, offset = columns[int(self.columns[node])], int(self.offsets[node])
            if offset < 0:
                return ibis.ifelse(column < int(self.borders[node]), part(lower), part(upper))
            values = np.flatnonzero(self.lower[offset : offset + int(self.borders[node])]).tolist()
            return ibis.ifelse(column.isin(values), part(lower), part(upper))

        return part(0)


def grown_codes(
    layout: Layout, codes: Ints, record: Ints, parts: int, rng: Rng, top: CodeTree | None = None
) -> CodeTree:
    """Return a tree with about so many parts, as large as each other in a sample.

    Parameters
    ----------
    layout : Layout
    codes : ndarray of int, shape (n, d)
        Of the sample.
    record : ndarray of int, shape (n,)
        Numbers of its records, which part those that agree, and those that no attribute parts well.
    parts : int
    rng : Generator
        Draws the attribute of each cut, the more probably the more two records lose in it, and about where it is.
    top : CodeTree, optional
        Whose cuts come first; its parts are cut further.
    """
    grown = _Growing() if top is None else _Growing.of(top)
    everything = np.arange(record.size)
    waiting = [(0, everything, parts)]
    if top is not None:
        of = top.part_of(codes, record)
        members = [(int(node), np.flatnonzero(of == node)) for node in top.parts()]
        waiting = [(node, held, max(1, round(parts * held.size / max(1, record.size)))) for node, held in members]
    while waiting:
        node, held, wanted = waiting.pop()
        if wanted < 2 or held.size < 2:
            continue
        below = _cut(grown, node, layout, codes[held], record[held], wanted // 2 / wanted, rng)
        first = grown.split(node)
        for child, side in ((first, held[below]), (first + 1, held[~below])):
            waiting.append((child, side, max(1, round(wanted * side.size / held.size))))
    return grown.tree()


class _Growing:
    def __init__(self) -> None:
        self.columns, self.borders, self.offsets = [LEAF], [0], [-1]
        self.children: list[tuple[int, int]] = [(0, 0)]
        self.lower: list[Bools] = []
        self.size = 0

    @classmethod
    def of(cls, tree: CodeTree) -> "_Growing":
        found = cls()
        found.columns, found.borders = tree.columns.tolist(), tree.borders.tolist()
        found.offsets, found.children = tree.offsets.tolist(), [(int(a), int(b)) for a, b in tree.children]
        found.lower, found.size = [tree.lower], tree.lower.size
        return found

    def split(self, node: int) -> int:
        first = len(self.columns)
        self.children[node] = (first, first + 1)
        self.columns += [LEAF, LEAF]
        self.borders += [0, 0]
        self.offsets += [-1, -1]
        self.children += [(0, 0), (0, 0)]
        return first

    def put(self, node: int, column: int, border: int, lower: Bools | None = None) -> None:
        self.columns[node], self.borders[node] = column, border
        if lower is not None:
            self.offsets[node] = self.size
            self.lower.append(lower)
            self.size += lower.size

    def tree(self) -> CodeTree:
        lower = np.concatenate([np.empty(0, dtype=np.bool_), *self.lower])
        numbers = (np.array(one, dtype=np.int64) for one in (self.columns, self.borders, self.offsets))
        columns, borders, offsets = numbers
        return CodeTree(columns, np.array(self.children, dtype=np.int64), borders, offsets, lower)


def _cut(grown: _Growing, node: int, layout: Layout, codes: Ints, record: Ints, share: float, rng: Rng) -> Bools:
    """Cut a node, and return which of its records go to the first child: some, and not all."""
    n, d = codes.shape
    share += rng.uniform(-_UNEVEN, _UNEVEN) / 2
    spreads = spreads_of(layout, codes, rng)
    order = rng.permutation(d)
    if spreads.sum() > 0:
        order = order[np.argsort(-spreads[order] * rng.uniform(0.25, 1.0, d), kind="stable")]
    for column in order.tolist():
        own, middle = codes[:, column], share * n
        counts = np.bincount(own)
        there = np.flatnonzero(counts)
        if there.size < 2:
            continue
        if layout.kinds[column] != RANGE:
            # values in a new order every time, frequent ones first
            there = there[np.argsort(-counts[there] * rng.uniform(0.5, 1.0, there.size), kind="stable")]
        ends = np.cumsum(counts[there])[:-1]
        place = int(np.argmin(np.abs(ends - middle)))
        if abs(ends[place] - middle) > _FAR * n / 2:
            continue
        if layout.kinds[column] == RANGE:
            border = int(there[place + 1])
            grown.put(node, column, border)
            return np.asarray(own < border)
        # what is in no sample goes to the second child
        lower = np.zeros(counts.size, dtype=np.bool_)
        lower[there[: place + 1]] = True
        grown.put(node, column, lower.size, lower)
        return lower[own]
    border = int(np.sort(record)[min(max(1, int(share * n)), n - 1)])
    grown.put(node, d, border)
    return np.asarray(record < border)


@kernel
def _route(rows: Ints, columns: Ints, borders: Ints, offsets: Ints, lower: Bools, children: Ints, found: Ints) -> None:
    for row in range(rows.shape[0]):
        node = 0
        while columns[node] >= 0:
            code = rows[row, columns[node]]
            below = code < borders[node]
            if offsets[node] >= 0 and below:
                below = lower[offsets[node] + code]
            node = children[node, 0 if below else 1]
        found[row] = node
