"""The cited files of records, and subsets of them as in the literature."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Records = NDArray[np.float64]

FILES = {"Tarragona": "Tarragona", "Census": "CASCrefmicrodata", "EIA": "EIA_11"}
"""Names in the literature, and of the files of the CASC project."""
CRITERIA = ("consecutive", "random", "by norm", "by distance from the centroid")
"""How the paper on column generation takes subsets of a file."""
_OF_EACH = 5


def load_records(data_dir: Path | None, name: str) -> Records | None:
    """Return a cited file, a row a record, or None where it is not at hand."""
    if data_dir is None:
        return None
    found = [data_dir / "microdata" / f"{FILES[name]}.csv", data_dir / f"{FILES[name]}.csv"]
    path = next((path for path in found if path.exists()), None)
    if path is None:
        return None
    with path.open(newline="", encoding="utf-8") as stream:
        _, *rows = csv.reader(stream)
    return np.array(rows, dtype=np.float64)


def subsets(records: Records, size: int, criterion: str, count: int = _OF_EACH) -> Iterator[Records]:
    """Yield subsets of a file: five by each criterion, as the paper has them; its own choice is not published."""
    n = records.shape[0]
    spread = records.std(axis=0)
    points = (records - records.mean(axis=0)) / np.where(spread > 0, spread, 1)
    order = np.arange(n)
    if criterion == "by norm":
        order = np.argsort((records**2).sum(axis=1), kind="stable")
    elif criterion == "by distance from the centroid":
        order = np.argsort((points**2).sum(axis=1), kind="stable")
    rng = np.random.default_rng(size)
    for number in range(count):
        first = number * (n - size) // (_OF_EACH - 1)
        yield records[rng.choice(n, size, replace=False) if criterion == "random" else order[first : first + size]]
