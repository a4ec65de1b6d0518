"""What is done with one part of generalized records in one round; the same wherever it is done."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.microdata.generalization._records import Records, records_of
from graphkit.microdata.generalization.constructing import constructed
from graphkit.microdata.generalization.extents import Layout, joined, losses_of
from graphkit.microdata.generalization.parts import PART as AT_ONCE
from graphkit.microdata.generalization.parts import parts_of
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.generalization.search._many import annealed_part
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.table.arrow_lists import lists, matrix
from graphkit.microdata.table.code_tree import CodeTree
from graphkit.microdata.table.engine import LOSS, PART, RECORD

if TYPE_CHECKING:
    import pyarrow as pa

COVERED, CODES, EXTENT = "covered", "codes", "extent"


def code(number: int | str) -> str:
    """Return the name of the column that holds an attribute; names of columns are data and stay outside."""
    return f"c{number}"


@dataclass(frozen=True, slots=True, eq=False)
class CoveringWork:
    """A round of one part: takes its tuples, returns them after they exchanged what they cover.

    In the first round it takes records, and makes a tuple of each. It is called in other threads and, on a cluster, in
    other processes.
    """

    k: int
    layout: Layout
    method: str
    heats: tuple[tuple[float, float], ...]
    """Of annealings one after the other, each of smaller parts of this one with other borders; none: what was
    constructed is taken."""
    proposals: float
    """Exchanges that each annealing proposes for a tuple."""
    seed: tuple[int, ...]
    """Of the call and the round."""
    is_first: bool
    is_last: bool
    next_tree: CodeTree
    """Of the next round; after the last one, that of the draw."""

    def __call__(self, table: "pa.Table") -> "pa.Table":
        """Return tuples in the order of their numbers."""
        import pyarrow as pa

        table = table.sort_by(RECORD)
        tuples = table.column(RECORD).to_numpy()
        rng = np.random.default_rng([*self.seed, int(table.column(PART)[0].as_py())])
        numbers, codes, rows = self._held(table, rng)
        records = records_of(self.layout, codes)
        for turn, heat in enumerate(self.heats):
            rows = self._annealed(records, rows, turn, heat, rng)
        extents = joined(self.layout, codes, rows)
        # what a part lost stands in its first row
        loss = np.full(tuples.size, np.nan)
        loss[0] = losses_of(self.layout, extents).sum()
        # the covered records at one place lie where the tuple does: on the other side of no border but by some
        seen = rows[:, self.seed[-1] % self.k]
        held: dict[str, Any] = {
            RECORD: tuples,
            PART: self.next_tree.part_of(codes[seen], numbers[seen]),
            LOSS: loss,
            COVERED: lists(numbers[rows]),
        }
        if self.is_last:
            held[EXTENT] = lists(extents)
        else:
            held[CODES] = lists(codes[rows].reshape(tuples.size, -1).astype(np.int32))
        return pa.table(held)

    def columns(self) -> dict[str, str]:
        """Return the columns of the answer, with their types as Ibis calls them."""
        found = {RECORD: "int64", PART: "int64", LOSS: "float64", COVERED: "array<int64>"}
        return found | ({EXTENT: "array<int64>"} if self.is_last else {CODES: "array<int32>"})

    def _held(self, table: "pa.Table", rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
        """Return numbers and codes of the records, each once, and which of them every tuple covers."""
        d = self.layout.kinds.size
        if self.is_first:
            numbers = table.column(RECORD).to_numpy()
            codes = np.column_stack([table.column(code(place)).to_numpy() for place in range(d)]).astype(np.int64)
            records = records_of(self.layout, codes)
            rows = constructed(METHODS[self.method].construct, records, self.k, rng, Budget(), cores=1)
            return numbers, codes, rows
        covered = matrix(table.column(COVERED))
        numbers, first, places = np.unique(covered, return_index=True, return_inverse=True)
        codes = matrix(table.column(CODES)).reshape(-1, d)[first].astype(np.int64)
        return numbers, codes, places.reshape(covered.shape).astype(np.int64)

    def _annealed(
        self, records: Records, rows: Ints, turn: int, heat: tuple[float, float], rng: np.random.Generator
    ) -> Ints:
        changed = rows.copy()
        for part in parts_of(self.layout, records.codes[rows[:, turn % self.k]], AT_ONCE, rng):
            state = new_state(rng)
            changed[part] = annealed_part(records, rows, Budget(), heat, self.proposals, part, state)
        return changed
