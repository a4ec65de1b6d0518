"""How a command reads a network file, and what the reader had to say about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.options import DelimiterOption, FormatOption, HeaderOption, SymmetrizeOption, VerticesOption
from cli.terminal.subject import Subject, find_network

if TYPE_CHECKING:
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.formats.networks.remarks import ReadSummary

_ADVICE = "Check how it was read (--delimiter, --header), or give a file with one tie a line"


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


def remarks_of(read: LoadedNetwork | ReadSummary | None) -> list[str]:
    """Return how a network file was understood, what was dropped or decided; nothing for a stored network.

    Counts and column names only, one sentence each.

    Examples
    --------
    >>> import numpy as np
    >>> from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes
    >>> from graphkit.networks.graphs.graph import SimpleGraph
    >>> notes = ReadNotes("csv", doubts=("every vertex has one edge at most",))
    >>> for remark in remarks_of(LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.arange(2), notes=notes)):
    ...     print(remark)
    read as csv; 2 vertices, 1 edge
    warning: this may be no network: every vertex has one edge at most. Check how it was read (--delimiter, --header), \
or give a file with one tie a line
    """
    from auditor.formats.networks.remarks import remarks_on

    summary = _summary(read)
    if summary is None:
        return []
    doubts = summary.notes.doubts
    warnings = [f"warning: this may be no network: {'; '.join(doubts)}. {_ADVICE}"] if doubts else []
    return [*remarks_on(summary), *warnings]


def read_data(read: LoadedNetwork | ReadSummary | None) -> dict[str, Any] | None:
    """Return how a network file was understood, as JSON shows it; None for a stored network, which was read before."""
    summary = _summary(read)
    if summary is None:
        return None
    notes, layout = summary.notes, summary.notes.layout
    shown = ("columns", "delimiter", "header")
    return {
        "format": notes.format,
        **(dict.fromkeys(shown) if layout is None else {name: getattr(layout, name) for name in shown}),
        "vertices": summary.vertices,
        "edges": summary.edges,
        "isolated_vertices": summary.isolated_vertices,
        "dropped": notes.dropped,
        "dropped_columns": notes.dropped_columns,
        "remarks": notes.remarks,
        "warnings": notes.doubts,
    }


def _summary(read: LoadedNetwork | ReadSummary | None) -> ReadSummary | None:
    """Return what is said of a network that was read; None where it was in the store."""
    from auditor.formats.networks.remarks import ReadSummary, summary_of

    summary = read if read is None or isinstance(read, ReadSummary) else summary_of(read)
    return None if summary is None or summary.notes.format == "store" else summary
