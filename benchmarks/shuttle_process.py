"""``python -m benchmarks.shuttle_process FOLDER NAME SIZE``: one first stage of the shuttle, in a process of its own.

Prints a JSON object: seconds, and how many of the cells of one or two people it determines.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np


def main(folder: str, name: str, size: int) -> dict[str, float]:
    """Return the figures of all marginals of `size` variables of a table."""
    from benchmarks.tables import load_table
    from graphkit.tables.propagation.merged_cells import MergedCells
    from graphkit.tables.propagation.shuttle import shuttle
    from graphkit.tables.structure.released import ReleasedMarginals

    table = load_table(Path(folder), name)
    assert table is not None
    few = MergedCells.of_shape((2, 2))
    assert few is not None
    # the kernels are loaded before the clock starts
    shuttle(few, {(0,): np.array([1, 2])}, 3)
    began = time.perf_counter()
    released = ReleasedMarginals.of(table, combinations(range(len(table.shape)), size))
    cells = MergedCells.of_shape(table.shape)
    assert cells is not None
    bounds = shuttle(cells, released.marginals, released.total)
    lower, upper = (side.reshape(-1)[table.cells] for side in bounds.of_cells())
    seconds = time.perf_counter() - began
    assert not bounds.inconsistent
    assert (lower <= table.counts).all()
    assert (table.counts <= upper).all()
    small = table.counts <= 2
    return {"seconds": seconds, "determined": int((lower == upper)[small].sum()), "small": int(small.sum())}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
