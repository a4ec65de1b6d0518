"""The table of figures of degree anonymization: size, proven bound, gap and time of the default method, in parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path

from benchmarks.cell import Cell, cell_of, gap_rows, share_row, time_rows, valid_row, warm_up
from benchmarks.coauthors import DBLP, REFERENCES
from benchmarks.networks import (
    barabasi_albert,
    dense_random,
    dominant_hub,
    load,
    near_clique,
    of_fitness,
    overlapping_groups,
)
from benchmarks.row import Row
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.interchange import as_simple_graph

_K = (2, 3, 5, 10, 20, 50, 100)
_SPARSE = (
    "netscience",
    "power",
    "ca-GrQc",
    "ca-HepTh",
    "lastfm_asia",
    "ca-AstroPh",
    "ca-CondMat",
    "loc-Brightkite",
)
_HUBS = (
    "karate",
    "dolphins",
    "football",
    "jazz",
    "fb100_Caltech36",
    "email-Eu-core",
    "polblogs",
    "ego-Facebook",
    "email-Enron",
)
_BA_SIZES = (400, 2_000, 8_000, 34_000)
_BA_EDGES = (3, 5)
_BA_K = (2, 3, 10, 30, 150)
_BA_SEED = 1
_CLIQUE_SIZE = 5_000
_CLIQUE_HUBS = (50, 150, 300)
_CLIQUE_DENSITIES = (0.8, 0.9, 0.97)
_CLIQUE_SEEDS = (1, 2, 3)
_CLIQUE_K = (2, 5, 10)
# vertices, and neighbours of the second one
_DOMINANT = ((600, 60), (1_600, 150), (5_000, 500))
_DOMINANT_SEEDS = (1, 2)
_DOMINANT_K = (2, 3, 5, 10, 20)
# vertices, and share of the pairs that are adjacent
_DENSE = ((100, 0.8), (100, 0.95), (200, 0.9), (200, 0.97), (400, 0.95), (400, 0.97))
_DENSE_SEEDS = (1, 2)
_DENSE_K = (5, 10, 20, 40)
# vertices, groups, the largest; vertices, density, spread of the logarithms
_GROUPS = ((300, 700, 30), (500, 1_100, 40))
_FITNESS = ((120, 0.7, 0.8), (180, 0.4, 1.0), (240, 0.3, 1.3))
_SCARCE_SEEDS = (1, 2)
_SCARCE_K = (5, 20, 40)
# of each kind one that a minute leaves open
_OPEN = (
    ("netscience", 10),
    ("jazz", 20),
    ("email-Eu-core", 20),
    ("ego-Facebook", 20),
    ("loc-Brightkite", 50),
    ("email-Enron", 50),
)
_FIRST_K = (2, 10, 100)
_FIRST_SIZE = 100_000
# Hartung, Hoffmann, Nichterlein 2014, section 4, random instances
_PAPER_GAP = "paper: 3.6 % on average, at most 15 %"
_PAPER_SOLVED = "paper: 18 % solved at k = 150"


def _coauthors(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Beside the paper: what it realized, its bounds on the sequence, and bounds known to be provable."""
    graph = load(data_dir, DBLP)
    if graph is None:
        return
    view = _view(graph)
    cells: list[Cell] = []
    yield from _kept((cell_of(DBLP, graph, view, k, reference.peer) for k, reference in REFERENCES.items()), cells)
    both = list(zip(cells, REFERENCES.values(), strict=True))
    worse = sum(not (cell.is_valid and cell.edges <= reference.realized) for cell, reference in both)
    weaker = sum(cell.bound < reference.provable for cell, reference in both if reference.provable is not None)
    part = f"degree: {DBLP}"
    of = f"of {len(cells)} cells"
    yield Row(f"{part}: cells with more edges than the paper realized (OPT, else OH)", worse, of, bar=0)
    yield Row(f"{part}: cells whose proven bound is below one known before", weaker, of, bar=0)
    yield Row(f"{part}: cells proven optimal", sum(c.is_optimal for c in cells), of, 8, "paper: 4", at_least=True)
    yield from gap_rows(part, cells, mean=None, most=0.5)
    yield from time_rows(part, cells, middle=None, most=10)


def _sparse(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Sparse networks of scientists, friends, and a power grid."""
    cells: list[Cell] = []
    yield from _kept(_cells(_cited(data_dir, _SPARSE), _K), cells)
    if not cells:
        return
    part = "degree: sparse networks"
    yield valid_row(part, cells)
    yield share_row(part, "proven optimal", cells, _is_optimal, 70)
    yield share_row(part, "gap of at most 1 %", cells, lambda cell: cell.gap <= 0.01, 95)
    yield from time_rows(part, cells, middle=2, most=60)


def _hubs(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Dense networks, and such with hubs that know most others."""
    cells: list[Cell] = []
    yield from _kept(_cells(_cited(data_dir, _HUBS), _K, half=True), cells)
    if not cells:
        return
    part = "degree: dense networks and hubs"
    yield valid_row(part, cells)
    yield share_row(part, "gap of at most 2 %", cells, lambda cell: cell.gap <= 0.02, 80)
    yield share_row(part, "proven optimal", cells, _is_optimal, 45)
    yield from time_rows(part, cells, middle=None, most=60)


def _random(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Barabási–Albert graphs, as the paper has them."""
    graphs = ((_ba_name(n, m), barabasi_albert(n, m, _BA_SEED)) for n in _BA_SIZES for m in _BA_EDGES)
    cells: list[Cell] = []
    yield from _kept(_cells(graphs, _BA_K), cells)
    part = "degree: Barabási–Albert"
    valid = valid_row(part, cells)
    yield Row(valid.work, valid.value, valid.unit, valid.bar, _PAPER_SOLVED)
    yield from gap_rows(part, cells, mean=0.5, most=2, peer=_PAPER_GAP)
    yield from time_rows(part, cells, middle=None, most=60)


def _near_cliques(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Power laws whose hubs nearly all know each other, as a paper of hundreds of authors makes them."""
    cells: list[Cell] = []
    yield from _kept(_cells(_cliques(), _CLIQUE_K), cells)
    part = "degree: near-cliques of hubs"
    yield valid_row(part, cells)
    yield from gap_rows(part, cells, mean=None, most=10)
    yield from time_rows(part, cells, middle=None, most=60)


def _dominant(data_dir: Path | None) -> Iterator[Row | Cell]:
    """One vertex knows all, as the owner of a network does: whoever is to be like it must be joined to nearly all."""
    graphs = (
        (f"vertex that knows all, n = {n}, next {second}, seed {seed}", dominant_hub(n, second, seed))
        for n, second in _DOMINANT
        for seed in _DOMINANT_SEEDS
    )
    return _generated("degree: one vertex that knows all", graphs, _DOMINANT_K)


def _dense(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Random graphs in which most pairs are adjacent: a cheap sequence can rarely be realized there."""
    graphs = (
        (f"random graph, n = {n}, density {density}, seed {seed}", dense_random(n, density, seed))
        for n, density in _DENSE
        for seed in _DENSE_SEEDS
    )
    return _generated("degree: dense random networks", graphs, _DENSE_K, proven=50)


def _scarce(data_dir: Path | None) -> Iterator[Row | Cell]:
    """Networks in which hubs need nearly all partners that there are: of overlapping groups, and of trade."""
    groups = (
        (f"overlapping groups, n = {n}, {number} of them, seed {seed}", overlapping_groups(n, number, most, seed))
        for n, number, most in _GROUPS
        for seed in _SCARCE_SEEDS
    )
    trade = (
        (f"fitness, n = {n}, density {density}, seed {seed}", of_fitness(n, density, spread, seed))
        for n, density, spread in _FITNESS
        for seed in _SCARCE_SEEDS
    )
    return _generated("degree: scarce partners", chain(groups, trade), _SCARCE_K, proven=50)


def _generated(
    part: str, graphs: Iterable[tuple[str, SimpleGraph]], sizes: Iterable[int], *, proven: float | None = None
) -> Iterator[Row | Cell]:
    """Measure generated graphs, with the bars of networks that nothing was made for."""
    cells: list[Cell] = []
    yield from _kept(_cells(graphs, sizes), cells)
    yield valid_row(part, cells)
    if proven is not None:
        yield share_row(part, "proven optimal", cells, _is_optimal, proven)
    yield share_row(part, "gap of at most 1 %", cells, lambda cell: cell.gap <= 0.01, 95)
    yield from gap_rows(part, cells, mean=None, most=5)
    yield from time_rows(part, cells, middle=None, most=60)


def _small(data_dir: Path | None) -> Iterator[Row | Cell]:
    """A network of 77 vertices: what is small is soon done."""
    import networkx as nx

    graph = as_simple_graph(nx.les_miserables_graph())
    cells: list[Cell] = []
    yield from _kept(_cells([("Les Misérables", graph)], _K, half=True), cells)
    yield from time_rows("degree: Les Misérables, 77 vertices", cells, middle=None, most=15)


def _first(data_dir: Path | None) -> Iterator[Row | Cell]:
    """How long somebody waits for the first valid graph."""
    cases: list[tuple[str, SimpleGraph | None, float]] = [
        *((_ba_name(_FIRST_SIZE, m), barabasi_albert(_FIRST_SIZE, m, _BA_SEED), 1.0) for m in _BA_EDGES),
        (DBLP, load(data_dir, DBLP), 3.0),
    ]
    for name, graph, bar in cases:
        if graph is not None:
            view = _view(graph)
            for k in _FIRST_K:
                yield Row(f"degree: first valid graph, {name} k = {k}", _wait(view, k), "s", bar)


def _sparse_proofs(data_dir: Path | None) -> Iterator[Row | Cell]:
    """The sparse networks with `--prove`."""
    cells = list(_cells(_cited(data_dir, _SPARSE), _K, prove=True))
    if cells:
        yield share_row("degree: sparse networks with --prove", "proven optimal", cells, _is_optimal, 80)


def _hubs_proofs(data_dir: Path | None) -> Iterator[Row | Cell]:
    """The dense networks with `--prove`."""
    cells = list(_cells(_cited(data_dir, _HUBS), _K, half=True, prove=True))
    if cells:
        yield from gap_rows("degree: dense networks and hubs with --prove", cells, mean=None, most=4)


def _near_clique_proofs(data_dir: Path | None) -> Iterator[Row | Cell]:
    """The near-cliques with `--prove`."""
    yield from gap_rows(
        "degree: near-cliques of hubs with --prove", list(_cells(_cliques(), _CLIQUE_K, prove=True)), mean=None, most=5
    )


def _coauthors_proofs(data_dir: Path | None) -> Iterator[Row | Cell]:
    """The cells of the paper with `--prove`."""
    graph = load(data_dir, DBLP)
    if graph is not None:
        cells = list(_cells([(DBLP, graph)], REFERENCES, prove=True))
        proven = sum(cell.is_optimal for cell in cells)
        work = f"degree: {DBLP} with --prove: cells proven optimal"
        yield Row(work, proven, f"of {len(cells)} cells", 10, "paper: 4", at_least=True)


def _effort(data_dir: Path | None) -> Iterator[Row | Cell]:
    """What 300 s of effort leave as 60 s did, where these leave a gap."""
    opened: list[tuple[Cell, Cell]] = []
    for name, k in _OPEN:
        graph = load(data_dir, name)
        if graph is None:
            continue
        view = _view(graph)
        minute = cell_of(name, graph, view, k, prove=True)
        if not minute.is_optimal:
            opened.append((minute, cell_of(name, graph, view, k, prove=True, effort=300)))
    if opened:
        same = sum((few.edges, few.bound) == (many.edges, many.bound) for few, many in opened)
        work = "degree: cells that 300 s of effort leave as 60 s did, of those with a gap"
        yield Row(work, same, f"of {len(opened)} cells", bar=0)


PARTS: Mapping[str, Callable[[Path | None], Iterator[Row | Cell]]] = {
    "coauthors": _coauthors,
    "sparse": _sparse,
    "hubs": _hubs,
    "random": _random,
    "near-cliques": _near_cliques,
    "dominant": _dominant,
    "dense": _dense,
    "scarce": _scarce,
    "small": _small,
    "first": _first,
    "effort": _effort,
    "proofs-coauthors": _coauthors_proofs,
    "proofs-sparse": _sparse_proofs,
    "proofs-hubs": _hubs_proofs,
    "proofs-near-cliques": _near_clique_proofs,
}


def _kept(cells: Iterable[Cell], kept: list[Cell]) -> Iterator[Cell]:
    """Yield cells as they are measured, and keep them for the rows that sum them up."""
    for cell in cells:
        kept.append(cell)
        yield cell


def _cells(
    graphs: Iterable[tuple[str, SimpleGraph]], sizes: Iterable[int], *, half: bool = False, prove: bool = False
) -> Iterator[Cell]:
    """Measure every graph with every k; with `half` only up to half the number of vertices."""
    for name, graph in graphs:
        view = _view(graph)
        for k in sizes:
            if not half or k <= graph.n // 2:
                yield cell_of(name, graph, view, k, prove=prove)


def _cliques() -> Iterator[tuple[str, SimpleGraph]]:
    for hubs in _CLIQUE_HUBS:
        for density in _CLIQUE_DENSITIES:
            for seed in _CLIQUE_SEEDS:
                name = f"near-clique of {hubs} hubs, density {density}, seed {seed}"
                yield name, near_clique(_CLIQUE_SIZE, hubs, density, seed)


def _view(graph: SimpleGraph) -> GraphView:
    from graphkit.networks.graphs.igraph_view import IgraphView

    warm_up()
    return IgraphView.of(graph)


def _cited(data_dir: Path | None, names: Iterable[str]) -> Iterator[tuple[str, SimpleGraph]]:
    for name in names:
        graph = load(data_dir, name)
        if graph is not None:
            yield name, graph


def _ba_name(n: int, m: int) -> str:
    return f"Barabási–Albert n = {n}, m = {m}, seed {_BA_SEED}"


def _is_optimal(cell: Cell) -> bool:
    return cell.is_optimal


class _Found(Exception):
    """A valid graph is there: the rest of the search is not waited for."""


def _wait(view: GraphView, k: int) -> float:
    """Return the seconds until the engine reports a valid graph, or ends."""
    from graphkit.networks import anonymize

    def report(phase: str, incumbent: int | None, bound: int | None) -> None:
        if incumbent is not None:
            raise _Found

    start = time.perf_counter()
    with suppress(_Found):
        anonymize(view, k, seed=_BA_SEED, progress=report)
    return time.perf_counter() - start
