"""From what a reader of one format found to a network in canonical form."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.formats.networks.doubts import doubts_of
from auditor.formats.networks.labels import as_texts, canonical_labels, is_storable, text_array
from auditor.formats.networks.loaded import NO_VERTEX, LabelArray, Layout, LoadedNetwork, ReadNotes
from auditor.formats.source import Source
from graphkit.networks.graphs.graph import simplify

_TWICE = "a vertex id twice; give every vertex an id of its own"


class Named(Protocol):
    """What a network is read from, as far as errors need it: mostly a :class:`~auditor.formats.source.Source`."""

    @property
    def name(self) -> str:
        """How messages name it."""

    def bad(self, reason: str, line: int | None = None) -> BadInput:
        """Return the error that says what is wrong in it."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a file of any format holds, before labels are put in order and edges made simple."""

    labels: LabelArray | Sequence[str]
    """One a vertex, all different."""
    edges: NDArray[np.int64]
    """Shape (m, 2): positions in `labels`."""
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values in the order of `labels`."""
    directed: bool = False
    dropped_columns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    in_vertex_file: bool = False
    """The file says that its vertices are the rows of a vertex file, in their order."""
    layout: Layout | None = None
    """Of a table of edges."""
    line_of: Callable[[Callable[[str], bool]], int | None] = lambda is_wanted: None
    """Returns the first line with an edge whose end is wanted by its id, where lines are known."""


def resolve(
    source: Source,
    ids: Sequence[str],
    named: Sequence[str],
    line_of_edge: Callable[[int], int] | None = None,
    line_of_vertex: Callable[[int], int] | None = None,
) -> NDArray[np.int64]:
    """Return the position in `ids` of every id in `named`.

    Parameters
    ----------
    ids : sequence of str
        The vertices that the file declares.
    named : sequence of str
        Two an edge: source, target, source, target, …
    line_of_edge : callable, optional
        Returns the line of an edge, where lines are known.
    line_of_vertex : callable, optional
        Returns the line of an id, where lines are known.

    Raises
    ------
    BadFile
        If an id is declared twice or an edge names one that is not declared.
    """
    place = {label: position for position, label in enumerate(ids)}
    if len(place) < len(ids):
        if line_of_vertex is None:
            raise source.bad(f"declares {_TWICE}")
        raise source.bad(f"declares {_TWICE}", line_of_vertex(first_repeated(ids)))
    try:
        found = np.fromiter(map(place.__getitem__, named), dtype=np.int64, count=len(named))
    except KeyError:
        at = next(position for position, label in enumerate(named) if label not in place)
        if line_of_edge is None:
            raise source.bad("does not declare a vertex that an edge names; add that vertex") from None
        line = line_of_edge(at // 2)
        raise source.bad("an edge names a vertex that the file does not declare; add the vertex", line) from None
    return found.reshape(-1, 2)


def first_repeated(ids: Sequence[str]) -> int:
    """Return the first place whose id is at an earlier place as well; one is.

    Examples
    --------
    >>> first_repeated(["a", "b", "c", "b", "a"])
    3
    """
    seen: set[str] = set()
    place = 0
    while ids[place] not in seen:
        seen.add(ids[place])
        place += 1
    return place


def assemble(source: Named, parts: Parts, *, format: str, symmetrize: bool, directed: bool | None) -> LoadedNetwork:
    """Return the canonical network of a format: labels ascending, edges simple, everything dropped counted.

    Raises
    ------
    BadFile
        If there is no vertex, a label or attribute is no valid text, or an id occurs twice.
    BadInput
        If the edges are directed and `symmetrize` is not set.
    """
    n = len(parts.labels)
    if n == 0:
        raise source.bad(NO_VERTEX)
    is_directed = parts.directed if directed is None else directed
    if is_directed and not symmetrize:
        raise BadInput(
            f"{source.name} holds a directed network, and only undirected ones can be handled; "
            "symmetrize it (--symmetrize, or 'Forget directions' on the page) if losing the directions is right"
        )
    labels = _labels(source, parts.labels)
    for name, values in parts.attributes.items():
        if not is_storable([name, *values]):
            raise source.bad("a vertex attribute holds a NUL or a broken character; clean the file")
    order = _ascending(labels)
    if order is not None:
        labels = labels[order]
        rank = np.empty(n, dtype=np.int64)
        rank[order] = np.arange(n, dtype=np.int64)
        edges = rank[parts.edges]
    else:
        edges = parts.edges
    if bool(np.any(labels[1:] == labels[:-1])):
        raise source.bad(f"declares {_TWICE}")
    graph, dropped = simplify(edges, n)
    doubts = () if parts.layout is None else doubts_of(edges, labels, graph, parts.layout)
    notes = ReadNotes(format, dropped, parts.dropped_columns, is_directed, parts.remarks, parts.layout, doubts)
    rows = slice(None) if order is None else order
    attributes = {name: text_array(values)[rows] for name, values in parts.attributes.items()}
    return LoadedNetwork(graph, labels, attributes, notes)


def _labels(source: Named, labels: LabelArray | Sequence[str]) -> LabelArray:
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return labels
    texts = as_texts(labels)
    if not is_storable(texts):
        raise source.bad("a vertex id holds a NUL or a broken character; clean the file")
    if "" in texts:
        raise source.bad("a vertex has an empty id; give every vertex an id")
    return canonical_labels(texts)


def _ascending(labels: LabelArray) -> NDArray[np.int64] | None:
    """The order that sorts labels; None where they are in it."""
    if labels.dtype == object:
        texts = labels.tolist()
        return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)
    if bool(np.all(labels[1:] >= labels[:-1])):
        return None
    return np.argsort(labels, kind="stable").astype(np.int64, copy=False)
