"""One cell of a table of figures: a network, a k, and what the engine made of it, verified."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean, median

import numpy as np

from benchmarks.row import Row
from graphkit.effort import SECOND
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.graph_view import GraphView

_SEED = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """What the default method made of one network and one k.

    Examples
    --------
    >>> cell = Cell("karate k = 5", 34, 78, 5, "feasible", 20, 19, 0.5)
    >>> cell.gap, cell.is_valid
    (0.05, True)
    """

    work: str
    """Network and k; the key of the cell in docs/figures/degree.csv."""
    n: int
    m: int
    k: int
    status: str
    """`optimal` or `feasible`; `invalid` where the verifier says no, `failed: …` where there is no result."""
    edges: int
    bound: int
    seconds: float
    peer: str = ""
    """Figures of others for the same cell."""
    phases: Mapping[str, float] = field(default_factory=dict)
    """Seconds of each phase of the engine."""
    effort: float = 0.0
    """Work that was done, as `network anonymize --effort` counts it: the same on every machine."""

    @property
    def is_valid(self) -> bool:
        """Whether the result passed the verifier."""
        return self.status in ("optimal", "feasible")

    @property
    def is_optimal(self) -> bool:
        """Whether the result is valid and its size is the proven bound."""
        return self.is_valid and self.edges == self.bound

    @property
    def gap(self) -> float:
        """(edges − bound) / edges; infinite where there is no valid result."""
        if not self.is_valid:
            return math.inf
        return (self.edges - self.bound) / self.edges if self.edges else 0.0


def cell_of(
    name: str,
    graph: SimpleGraph,
    view: GraphView,
    k: int,
    peer: str = "",
    *,
    prove: bool = False,
    effort: float | None = None,
) -> Cell:
    """Measure one cell: the engine alone, the graph already in memory; the result is verified from the edges alone.

    With `prove`, as `network anonymize --prove` does it: all of the effort, three times as much where none is given.
    """
    from graphkit.networks import anonymize

    work = f"{name} k = {k}"
    start = time.perf_counter()
    try:
        result = anonymize(view, k, seed=_SEED, clock=time.perf_counter, prove=prove, effort=effort)
    except Exception as error:  # a cell without a result is a figure, and no reason to lose the other cells
        seconds = time.perf_counter() - start
        return Cell(work, graph.n, graph.m, k, f"failed: {type(error).__name__}", 0, 0, seconds, peer)
    seconds = time.perf_counter() - start
    status = result.status if _is_verified(graph, result.edges, k) else "invalid"
    size, bound = result.size, result.lower_bound
    done = result.work / SECOND
    return Cell(work, graph.n, graph.m, k, status, size, bound, seconds, peer, dict(result.seconds), done)


def _is_verified(graph: SimpleGraph, added: np.ndarray, k: int) -> bool:
    from graphkit.networks.verify import DegreeClaim, Terms, verify_release

    everyone = np.arange(graph.n, dtype=np.int64)
    released = np.concatenate((graph.edges, added))
    terms = Terms(additions=added.shape[0], deletions=0)
    return verify_release(DegreeClaim(k, graph.n), released, everyone, graph, everyone, terms).passed


@cache
def warm_up() -> None:
    """Load the compiled kernels, on a graph with hubs and on a dense one: once a process, and no part of a figure."""
    import networkx as nx

    from graphkit.networks import anonymize

    for graph in (nx.barabasi_albert_graph(400, 3, seed=1), nx.gnp_random_graph(60, 0.5, seed=1)):
        for k in (2, 5):
            anonymize(graph, k, seed=_SEED)


def valid_row(part: str, cells: Sequence[Cell]) -> Row:
    """Return how many cells have no valid graph: none may."""
    return Row(f"{part}: cells without a valid graph", sum(not c.is_valid for c in cells), _of(cells), bar=0)


def share_row(
    part: str, what: str, cells: Sequence[Cell], holds: Callable[[Cell], bool], bar: float, peer: str = ""
) -> Row:
    """Return the share of cells of which something holds, in percent, and the bar that it should reach."""
    share = 100 * sum(map(holds, cells)) / len(cells)
    return Row(f"{part}: {what}", share, f"% of {len(cells)} cells", bar=bar, peer=peer, at_least=True)


def gap_rows(part: str, cells: Sequence[Cell], *, mean: float | None, most: float, peer: str = "") -> list[Row]:
    """Return the mean and the largest gap, in percent; infinite where a cell has no valid graph."""
    gaps = [100 * cell.gap for cell in cells]
    return [
        Row(f"{part}: mean gap", fmean(gaps), "%", bar=mean, peer=peer),
        Row(f"{part}: largest gap", max(gaps), "%", bar=most, peer=peer),
    ]


def time_rows(part: str, cells: Sequence[Cell], *, middle: float | None, most: float) -> list[Row]:
    """Return the median and the longest time."""
    times = [cell.seconds for cell in cells]
    return [
        Row(f"{part}: median time of a cell", median(times), "s", bar=middle),
        Row(f"{part}: longest time of a cell", max(times), "s", bar=most),
    ]


def _of(cells: Sequence[Cell]) -> str:
    return f"of {len(cells)} cells"
