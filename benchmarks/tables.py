"""The cited tables, and a random one."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

_OWN = Path(__file__).resolve().parents[1] / "tests" / "data" / "tables"


def load_table(data_dir: Path | None, name: str) -> ContingencyTable | None:
    """Return a cited table, or None where it is not at hand; two small ones are part of the source tree."""
    folders = [_OWN] if data_dir is None else [data_dir, _OWN]
    path = next((folder / f"{name}.csv" for folder in folders if (folder / f"{name}.csv").exists()), None)
    if path is None:
        return None
    with path.open(newline="", encoding="utf-8") as stream:
        (*names, _), *rows = csv.reader(stream)
    categories = [tuple(sorted({row[axis] for row in rows})) for axis in range(len(names))]
    variables = tuple(Variable(name, found) for name, found in zip(names, categories, strict=True))
    shape = tuple(variable.size for variable in variables)
    codes = [[found.index(row[axis]) for row in rows] for axis, found in enumerate(categories)]
    cells, place = np.unique(np.ravel_multi_index(tuple(map(np.array, codes)), shape), return_inverse=True)
    counts = np.zeros(cells.size, dtype=np.int64)
    np.add.at(counts, place, np.array([int(row[-1]) for row in rows]))
    return ContingencyTable(variables, cells[counts > 0].astype(np.int64), counts[counts > 0])


def random_table(shape: tuple[int, ...], people: int, seed: int, *, uniform: bool = False) -> ContingencyTable:
    """Return a table of people whose categories are independent; each half as frequent as the first, a third, …

    Or all categories alike.
    """
    rng = np.random.default_rng(seed)
    columns = []
    for size in shape:
        weights = np.ones(size) if uniform else 1 / np.arange(1, size + 1)
        columns.append(rng.choice(size, people, p=weights / weights.sum()))
    counts = np.bincount(np.ravel_multi_index(tuple(columns), shape), minlength=int(np.prod(shape)))
    variables = [Variable("ABCDEFGHIJKLMNOP"[axis], tuple(map(str, range(size)))) for axis, size in enumerate(shape)]
    return ContingencyTable.from_dense(counts.reshape(shape), variables)
