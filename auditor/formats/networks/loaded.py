"""What a network file holds once it is read: the graph, whose vertex is whose, and what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graphs.graph import DroppedEdges, SimpleGraph
from graphkit.numbers import count

_TOLD = 5

NO_VERTEX = "holds no vertex and no edge; give a file with edges or a vertex file beside it"
"""Said of a file, whatever its format."""

LabelArray = NDArray[np.int64] | NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table of edges was understood. Column names only, so it may be shown."""

    columns: tuple[str, str]
    """The two that hold the ends of edges; ``column 1`` where they have no name."""
    delimiter: str | None = None
    """Between the columns; None in a format that needs none."""
    header: bool | None = None
    """Whether the first line holds column names; None in a format that keeps them elsewhere."""


@dataclass(frozen=True, slots=True)
class ReadNotes:
    """What a reader dropped or decided; counts and column names only, so it may be shown."""

    format: str
    dropped: DroppedEdges = field(default_factory=DroppedEdges)
    dropped_columns: tuple[str, ...] = ()
    """Edge weights, timestamps and other edge columns: they would mark added edges."""
    symmetrized: bool = False
    remarks: tuple[str, ...] = ()
    layout: Layout | None = None
    """None where the format itself says what is an edge."""
    doubts: tuple[str, ...] = ()
    """Why the file may hold no network at all."""

    @property
    def columns_of_ties(self) -> tuple[str, ...]:
        """Names of the columns of the file that are about its ties: their ends and all else."""
        return (*self.dropped_columns, *(() if self.layout is None else self.layout.columns))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network as read from a file or the store.

    Parameters
    ----------
    graph : SimpleGraph
        Vertices ``0 .. n-1`` in canonical order: ascending by label, numerically where all labels
        are integers, else as strings; so the order of lines in a file changes nothing.
    labels : ndarray, shape (n,)
        Original vertex ids: int64, or object array of str. Protected.
    attributes : mapping of str to ndarray of str, shape (n,)
        Vertex attributes as strings, the empty string where missing. Protected.
    notes : ReadNotes
    """

    graph: SimpleGraph
    labels: LabelArray
    attributes: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)
    notes: ReadNotes = ReadNotes(format="memory")


def left_out(columns: Sequence[str]) -> list[str]:
    """Return what is said of edge columns that are not read: nothing where there are none.

    Examples
    --------
    >>> for line in left_out(["weight"]) + left_out(["at", "column 4"]):
    ...     print(line)
    column weight is not used and not published: it would mark added edges; nothing is lost, it stays in your file
    columns at, 4 are not used and not published: they would mark added edges; nothing is lost, they stay in your file
    """
    if not columns:
        return []
    names = [bare_name(name) for name in columns]
    more = f" and {count(len(names) - _TOLD)} more" if len(names) > _TOLD else ""
    what, they, stay = ("column", "it", "stays") if len(names) == 1 else ("columns", "they", "stay")
    verb = "is" if len(names) == 1 else "are"
    return [
        f"{what} {', '.join(names[:_TOLD])}{more} {verb} not used and not published: {they} would mark added edges; "
        f"nothing is lost, {they} {stay} in your file"
    ]


def bare_name(column: str) -> str:
    """Return the name of a column after the word column: its number, where it has no name."""
    return column.removeprefix("column ")
