"""How a network file was understood, in sentences: for the command line and the pages of the service."""

from dataclasses import dataclass

from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes, bare_name, left_out
from graphkit.numbers import counted

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """What is said of a network that was read, without the network; counts and column names only."""

    notes: ReadNotes
    vertices: int
    edges: int
    isolated_vertices: int
    """Vertices without an edge."""


def summary_of(network: LoadedNetwork) -> ReadSummary:
    """Return what is said of a network that was read."""
    graph = network.graph
    return ReadSummary(network.notes, graph.n, graph.m, int((graph.degrees() == 0).sum()))


def remarks_on(read: ReadSummary) -> list[str]:
    """Return how a network file was understood, what was dropped or decided; doubts are not among it.

    Counts and column names only, one sentence each.

    Examples
    --------
    >>> from graphkit.networks.graphs.graph import DroppedEdges
    >>> notes = ReadNotes("csv", DroppedEdges(loops=2), dropped_columns=("weight",))
    >>> for remark in remarks_on(ReadSummary(notes, 2, 1, 0)):
    ...     print(remark)
    read as csv; 2 vertices, 1 edge
    dropped 2 loops
    column weight is not used and not published: it would mark added edges; nothing is lost, it stays in your file
    """
    notes, dropped = read.notes, read.notes.dropped
    counts = [
        (dropped.loops, "loop", "loops"),
        (dropped.duplicates, "repeated edge", "repeated edges"),
        (dropped.reversed, "edge given in both directions", "edges given in both directions"),
    ]
    remarks = [understood(read), *(f"dropped {counted(number, one, many)}" for number, one, many in counts if number)]
    if dropped.reversed:
        remarks[-1] += ": a tie has no direction here; in a directed network the directions are lost"
    remarks += left_out(notes.dropped_columns)
    if notes.symmetrized:
        remarks.append("directions of edges were forgotten")
    return [*remarks, *notes.remarks]


def understood(read: ReadSummary) -> str:
    """Return in one line how a network file was understood.

    Examples
    --------
    >>> from auditor.formats.networks.loaded import Layout
    >>> understood(ReadSummary(ReadNotes("csv", layout=Layout(("id", "name"), ";", True)), 2, 1, 0))
    'read as csv: edges from columns id and name, separated by semicolons, below a header line; 2 vertices, 1 edge'
    """
    notes, layout = read.notes, read.notes.layout
    parts = [f"read as {notes.format}"]
    if layout is not None:
        how = [f"edges from columns {bare_name(layout.columns[0])} and {bare_name(layout.columns[1])}"]
        if layout.delimiter is not None:
            how.append(f"separated by {_SEPARATORS.get(layout.delimiter, repr(layout.delimiter))}")
        if layout.header is not None:
            how.append("below a header line" if layout.header else "no header line")
        parts.append(f": {', '.join(how)}")
    size = f"{counted(read.vertices, 'vertex', 'vertices')}, {counted(read.edges, 'edge', 'edges')}"
    return f"{''.join(parts)}; {size}"
