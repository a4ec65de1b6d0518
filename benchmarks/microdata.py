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
_CHUNK = 1_000_000


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


def mixture(n: int, d: int = 10, chunk: int = 0) -> Records:
    """Return correlated log-normals of six kinds of records, rounded to whole numbers: incomes, turnovers, taxes.

    Another `chunk` has other records of the same distribution.
    """
    kinds, factors = 6, 3
    rng = np.random.default_rng(d)
    centers, loadings = rng.normal(0, 0.3, (kinds, d)), rng.normal(0, 0.25, (kinds, d, factors))
    shares = rng.dirichlet(np.full(kinds, 4.0))
    rng = np.random.default_rng([d, chunk])
    kind, common = rng.choice(kinds, n, p=shares), rng.normal(size=(n, factors))
    logs = centers[kind] + 0.25 * rng.normal(size=(n, d))
    for one in range(kinds):
        logs[kind == one] += common[kind == one] @ loadings[one].T
    rounded: Records = np.round(1000 * np.exp(logs))
    return rounded


def synthetic(n: int = 10_000, d: int = 10, seed: int = 0) -> Records:
    """Return records around ten places at random, all attributes spread alike: the kind of "Synthetic" of Mortazavi.

    Places are uniform in the unit cube, records normal with a standard deviation of 0.19. The paper gives no spread:
    with this one MDAV loses about what it does there (6.74, 10.3 and 14.94 % at k = 3, 5 and 10).
    """
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 1, (10, d))
    around: Records = places[rng.integers(0, 10, n)] + 0.19 * rng.normal(size=(n, d))
    return around


def noisy_copies(records: Records, n: int, seed: int = 0) -> Records:
    """Return records drawn from a file with replacement, each with noise of a quarter of the standard deviations."""
    rng = np.random.default_rng(seed)
    drawn: Records = records[rng.integers(0, records.shape[0], n)]
    noisy: Records = drawn + 0.25 * records.std(axis=0) * rng.normal(size=drawn.shape)
    return noisy


def write_mixture(path: Path, n: int, d: int = 10) -> None:
    """Write a Parquet file of :func:`mixture`, a million records at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(f"x{number}", pa.float64()) for number in range(d)])
    with pq.ParquetWriter(path, schema) as writer:
        for number, first in enumerate(range(0, n, _CHUNK)):
            records = mixture(min(_CHUNK, n - first), d, number)
            writer.write_table(pa.Table.from_arrays(list(records.T), schema=schema))
