"""Large networks as Parquet edge tables, written in pieces: nothing of them has to fit into memory at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_PIECE = 5_000_000
# an odd number: multiplying with it scatters 63-bit ids and maps no two of them to one
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_MASK = np.uint64((1 << 63) - 1)


def write_power_law(path: Path, vertices: int, edges: int, *, exponent: float = 2.5, seed: int = 1) -> int:
    """Write a simple random graph with a power law of degrees, as Chung and Lu draw it, and return its edges.

    Parameters
    ----------
    path : Path
        Parquet file, columns ``source`` and ``target``: scattered 63-bit ids, both directions of an edge as likely.
    vertices, edges : int
        Vertices that edges are drawn between (those that get none do not appear), and about how many edges.
    exponent : float
        Of the power law, above 2.
    seed : int
        Same arguments: same file.

    Notes
    -----
    Vertex i has weight (i + c)^(-1/(exponent-1)). From low to high index, each draws its partners among those that
    follow, in proportion to their weights, and keeps each of them once: rows come without repetition. The cut-off c
    keeps the largest expected degree at about √(2·edges), above which such a graph would have to be no simple one.

    References
    ----------
    Chung, Lu 2002, Connected components in random graphs with given expected degree sequences.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    power = 1 - 1 / (exponent - 1)
    offset = _offset(vertices, edges, power)
    rng = np.random.default_rng(seed)
    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    total = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for low, high in _pieces(vertices, edges, power, offset, rng):
            swap = rng.random(low.size) < 0.5
            ends = _scattered(np.where(swap, high, low)), _scattered(np.where(swap, low, high))
            writer.write_table(pa.table(list(map(pa.array, ends)), schema=schema))
            total += low.size
    return total


def degree_blocks(path: Path) -> dict[int, int]:
    """Return how many vertices have each degree that occurs, counted from the file; isolated ones are not seen."""
    import pyarrow.parquet as pq

    # published ids are 0 to n-1, so that an array counts them
    degrees = np.zeros(0, dtype=np.int64)
    for batch in pq.ParquetFile(path).iter_batches(columns=["source", "target"]):
        for column in batch.columns:
            counts = np.bincount(column.to_numpy())
            grown = np.zeros(max(degrees.size, counts.size), dtype=np.int64)
            grown[: degrees.size] = degrees
            grown[: counts.size] += counts
            degrees = grown
    values, sizes = np.unique(degrees, return_counts=True)
    return dict(zip(values.tolist(), sizes.tolist(), strict=True))


def _offset(vertices: int, edges: int, power: float) -> float:
    """Return c for which the largest expected degree is √(2·edges), found by halving."""
    low, high = 1e-3, float(vertices)
    for _ in range(100):
        middle = (low + high) / 2
        total = ((vertices + middle) ** power - middle**power) / power
        largest = 2 * edges * middle ** (power - 1) / total
        low, high = (middle, high) if largest > (2 * edges) ** 0.5 else (low, middle)
    return high


def _pieces(
    vertices: int, edges: int, power: float, offset: float, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the edges in ascending order, low and high index, piece by piece."""
    start = offset**power
    whole = (vertices + offset) ** power - start
    first = 0
    while first < vertices:
        # as many rows as draw about one piece of partners
        reached = ((first + offset) ** power - start) / whole
        share = reached + _PIECE / (2 * edges) / max(1 - reached, 1e-9)
        last = vertices if share >= 1 else int((share * whole + start) ** (1 / power) - offset)
        last = min(max(last, first + 1), vertices)
        rows = np.arange(first, last)
        before = ((rows + offset) ** power - start) / whole
        after = ((rows + 1 + offset) ** power - start) / whole
        numbers = rng.poisson(2 * edges * (after - before) * (1 - after))
        low = np.repeat(rows, numbers)
        drawn = np.repeat(after, numbers) + rng.random(low.size) * np.repeat(1 - after, numbers)
        high = np.minimum(((drawn * whole + start) ** (1 / power) - offset).astype(np.int64), vertices - 1)
        keys = np.unique(np.where(high > low, low * vertices + high, -1))
        keys = keys[keys >= 0]
        yield keys // vertices, keys % vertices
        first = last


def _scattered(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    return (indices.astype(np.uint64) * _SCATTER & _MASK).astype(np.int64)
