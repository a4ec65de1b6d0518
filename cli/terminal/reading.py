"""How a command reads a network file, and what the reader had to say about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.options import DelimiterOption, FormatOption, HeaderOption, SymmetrizeOption, VerticesOption
from cli.terminal.subject import Subject, find_network
from graphkit.numbers import counted

if TYPE_CHECKING:
    from auditor.formats.networks.loaded import LoadedNetwork

_ADVICE = "Check how it was read (--delimiter, --header), or give a file with one tie a line"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}


@dataclass(frozen=True, slots=True)
class Reading:
    """How a network file is to be read, as far as the user said."""

    symmetrize: SymmetrizeOption = False
    format: FormatOption = None
    vertices: VerticesOption = None
    delimiter: DelimiterOption = None
    header: HeaderOption = None

    def read(self, path: Path) -> LoadedNetwork:
        """Return the network in a file.

        Raises
        ------
        BadInput
            As :func:`auditor.formats.networks.read_network`.
        """
        from auditor.formats.networks import read_network

        return read_network(path, **asdict(self))

    def find(self, context: Context, argument: str) -> Subject:
        """Return the network that an argument means.

        Raises
        ------
        NotFound, BadInput, StoreUnavailable
            As :func:`~cli.terminal.subject.find_network`; and if how to read a file was said of a stored network.
        """
        subject = find_network(context, argument)
        if subject.stored is not None and self != Reading():
            raise BadInput(
                f"{subject.stored.name!r} is a stored network, and how to read a file was said; to read it otherwise, "
                "remove it and add the file again"
            )
        return subject

    def load(self, context: Context, subject: Subject) -> LoadedNetwork:
        """Return a network, from the store or its file.

        Raises
        ------
        BadInput
            As :func:`auditor.formats.networks.read_network`.
        """
        from auditor.subjects.networks.repository import Networks

        if subject.stored is not None:
            return Networks(context.store).load(subject.stored.name)
        assert subject.path is not None
        return self.read(subject.path)

    def load_and_tell(self, context: Context, subject: Subject) -> LoadedNetwork:
        """Return a network as :meth:`load` does; what there is to say of its reading is told with the answer."""
        loaded = self.load(context, subject)
        context.output.note_with_answer(*remarks_of(loaded))
        return loaded

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return the files that :meth:`read` may read for a network file."""
        from auditor.formats.networks import companion_path

        return (path, companion_path(path) if self.vertices is None else self.vertices)


def remarks_of(loaded: LoadedNetwork | None) -> list[str]:
    """Return how a network file was understood, what was dropped or decided; nothing for a stored network.

    Counts and column names only, one sentence each.

    Examples
    --------
    >>> import numpy as np
    >>> from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes
    >>> from graphkit.networks.graphs.graph import DroppedEdges, SimpleGraph
    >>> notes = ReadNotes("csv", DroppedEdges(loops=2), dropped_columns=("weight",))
    >>> for remark in remarks_of(LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.arange(2), notes=notes)):
    ...     print(remark)
    read as csv; 2 vertices, 1 edge
    dropped 2 loops
    column weight is not used and not published: it would mark added edges; nothing is lost, it stays in your file
    """
    from auditor.formats.networks.loaded import left_out

    if loaded is None or loaded.notes.format == "store":
        return []
    notes, dropped = loaded.notes, loaded.notes.dropped
    counts = [
        (dropped.loops, "loop", "loops"),
        (dropped.duplicates, "repeated edge", "repeated edges"),
        (dropped.reversed, "edge given in both directions", "edges given in both directions"),
    ]
    remarks = [understood(loaded), *(f"dropped {counted(number, one, many)}" for number, one, many in counts if number)]
    if dropped.reversed:
        remarks[-1] += ": a tie has no direction here; in a directed network the directions are lost"
    remarks += left_out(notes.dropped_columns)
    if notes.symmetrized:
        remarks.append("directions of edges were forgotten")
    remarks += notes.remarks
    if notes.doubts:
        remarks.append(f"warning: this may be no network: {'; '.join(notes.doubts)}. {_ADVICE}")
    return remarks


def read_data(loaded: LoadedNetwork | None) -> dict[str, Any] | None:
    """Return how a network file was understood, as JSON shows it; None for a stored network, which was read before."""
    if loaded is None or loaded.notes.format == "store":
        return None
    notes, layout = loaded.notes, loaded.notes.layout
    shown = ("columns", "delimiter", "header")
    return {
        "format": notes.format,
        **(dict.fromkeys(shown) if layout is None else {name: getattr(layout, name) for name in shown}),
        "vertices": loaded.graph.n,
        "edges": loaded.graph.m,
        "isolated_vertices": int((loaded.graph.degrees() == 0).sum()),
        "dropped": notes.dropped,
        "dropped_columns": notes.dropped_columns,
        "remarks": notes.remarks,
        "warnings": notes.doubts,
    }


def understood(loaded: LoadedNetwork) -> str:
    """Return in one line how a network file was understood.

    Examples
    --------
    >>> from graphkit.networks.graphs.graph import SimpleGraph
    >>> from auditor.formats.networks.loaded import Layout, LoadedNetwork, ReadNotes
    >>> import numpy as np
    >>> notes = ReadNotes("csv", layout=Layout(("id", "name"), ";", True))
    >>> understood(LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.arange(2), notes=notes))
    'read as csv: edges from columns id and name, separated by semicolons, below a header line; 2 vertices, 1 edge'
    """
    from auditor.formats.networks.loaded import bare_name

    notes, layout = loaded.notes, loaded.notes.layout
    parts = [f"read as {notes.format}"]
    if layout is not None:
        how = [f"edges from columns {bare_name(layout.columns[0])} and {bare_name(layout.columns[1])}"]
        if layout.delimiter is not None:
            how.append(f"separated by {_SEPARATORS.get(layout.delimiter, repr(layout.delimiter))}")
        if layout.header is not None:
            how.append("below a header line" if layout.header else "no header line")
        parts.append(f": {', '.join(how)}")
    size = f"{counted(loaded.graph.n, 'vertex', 'vertices')}, {counted(loaded.graph.m, 'edge', 'edges')}"
    return f"{''.join(parts)}; {size}"
