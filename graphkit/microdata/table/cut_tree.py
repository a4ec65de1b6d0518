"""What trees that cut records into parts have in common: nodes, parts, and parts that are too small."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from graphkit.arrays import Ints

LEAF = -1
"""In place of a column: the node is a part."""


@dataclass(frozen=True, slots=True, eq=False)
class CutTree:
    """Nodes with a cut each; the root is the first, children come after their parent."""

    columns: Ints
    """Column of the cut, −1 for a part."""
    children: Ints
    """Shape (nodes, 2)."""

    def parts(self) -> Ints:
        """Return the nodes that are parts."""
        nodes, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            if self.columns[node] == LEAF:
                nodes.append(node)
            else:
                waiting += self.children[node].tolist()
        return np.sort(np.array(nodes))

    def without_small(self, sizes: dict[int, int], least: int) -> Self:
        """Return a tree in which no part has fewer records, unless it is the only one."""
        columns = self.columns.copy()
        total = np.zeros(columns.size, dtype=np.int64)
        for node in range(columns.size - 1, -1, -1):
            if columns[node] == LEAF:
                total[node] = sizes.get(node, 0)
                continue
            total[node] = total[self.children[node]].sum()
            if total[self.children[node]].min() < least:
                columns[node] = LEAF
        return replace(self, columns=columns)
