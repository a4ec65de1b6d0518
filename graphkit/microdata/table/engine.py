"""What is done with one part of the records in one round; the same wherever it is done."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.microdata.microaggregation.groups import canonical, compact, group_means, within_groups
from graphkit.microdata.microaggregation.parts import mdav_of_parts, split
from graphkit.microdata.microaggregation.search._blocks import (
    BLOCK,
    Round,
    annealed_round,
    proposals_of,
    surroundings_of_many,
)
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.table.scaling import Scaling
from graphkit.microdata.table.tree import Tree

if TYPE_CHECKING:
    import pyarrow as pa

RECORD, GROUP, PART, LOSS = "record", "group", "part", "loss"


def value(number: int) -> str:
    """Return the name of the column that holds an attribute; names of columns are data and stay outside."""
    return f"a{number}"


def mean(number: int) -> str:
    """Return the name of the column that holds the means of an attribute."""
    return f"m{number}"


@dataclass(frozen=True, slots=True, eq=False)
class PartWork:
    """A round of one part: takes its rows, returns them with groups, and with the part of the next round.

    It is called in other threads and, on a cluster, in other processes.
    """

    k: int
    scaling: Scaling
    whole: tuple[bool, ...]
    """Attributes whose means are rounded."""
    units_a_record: float
    """Work of all rounds; 0 for the partition of MDAV alone."""
    seed: tuple[int, ...]
    """Of the call and the round."""
    of: Round
    is_first: bool
    next_tree: Tree | None
    """None in the last round."""

    def __call__(self, table: "pa.Table") -> "pa.Table":
        """Return rows in the order of their records."""
        import pyarrow as pa

        attributes = len(self.whole)
        table = table.sort_by(RECORD)
        record = table.column(RECORD).to_numpy()
        values = np.column_stack([table.column(value(number)).to_numpy() for number in range(attributes)])
        points = self.scaling.scaled(values)
        part = int(table.column(PART)[0].as_py())
        before = None if self.is_first else canonical(table.column(GROUP).to_numpy())
        labels = self._grouped(points, before, part)
        first = record[np.unique(labels, return_index=True)[1]]
        # what a part lost stands in its first row
        loss = np.full(record.size, np.nan)
        loss[0] = within_groups(points, labels)
        held = {RECORD: record, GROUP: first[labels], LOSS: loss}
        if self.next_tree is not None:
            rows = np.column_stack((group_means(points, labels), first.astype(np.float64)))
            held[PART] = self.next_tree.part_of(rows)[labels]
        held |= {value(number): values[:, number] for number in range(attributes)}
        if self.next_tree is None:
            means = group_means(values, labels)
            for number in np.flatnonzero(self.whole):
                means[:, number] = np.rint(means[:, number])
            held |= {mean(number): means[labels, number] for number in range(attributes)}
        return pa.table(held)

    def columns(self) -> dict[str, str]:
        """Return the columns of the answer, with their types as Ibis calls them."""
        attributes = range(len(self.whole))
        found = {RECORD: "int64", GROUP: "int64", LOSS: "float64"}
        if self.next_tree is not None:
            found[PART] = "int64"
        found |= dict.fromkeys(map(value, attributes), "float64")
        return found if self.next_tree is not None else found | dict.fromkeys(map(mean, attributes), "float64")

    def _grouped(self, points: Floats, before: Ints | None, part: int) -> Ints:
        n = points.shape[0]
        if n < 2 * self.k:
            return np.zeros(n, dtype=np.int64)
        labels = mdav_of_parts(points, self.k) if before is None else before
        if not self.units_a_record:
            return canonical(labels)
        place = np.concatenate(split(points, BLOCK))
        around = surroundings_of_many(points[place], self.k)
        proposals = proposals_of(self.units_a_record * self.of.share * n, around)
        state = new_state(np.random.default_rng([*self.seed, part]))
        inside = compact(labels[place])
        found = np.empty_like(labels)
        found[place] = annealed_round(around, inside, self.of, proposals, state, Budget())
        return canonical(found)
