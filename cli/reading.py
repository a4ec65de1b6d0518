"""How a command reads a network file, and what the reader had to say about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from auditor.errors import BadInput
from auditor.formats.network import LoadedNetwork, ReadNotes
from cli.context import Context
from cli.subject import Subject

__all__ = ["Reading", "remarks_of"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a network file is to be read, as far as the user said."""

    symmetrize: bool = False
    format: str | None = None
    vertices: Path | None = None
    delimiter: str | None = None
    header: bool | None = None

    def read(self, path: Path) -> LoadedNetwork:
        """Return the network in a file.

        Raises
        ------
        BadInput
            As :func:`auditor.formats.read_network`.
        """
        from auditor.formats import read_network

        return read_network(
            path,
            format=self.format,
            symmetrize=self.symmetrize,
            vertices=self.vertices,
            delimiter=self.delimiter,
            header=self.header,
        )

    def load(self, context: Context, subject: Subject) -> tuple[LoadedNetwork, list[str]]:
        """Return a network, from the store or its file, and what the reader of the file had to say.

        Raises
        ------
        BadInput
            As :func:`auditor.formats.read_network`.
        """
        if subject.stored is not None:
            return context.store.networks.load(subject.stored.name), []
        assert subject.path is not None
        loaded = self.read(subject.path)
        return loaded, remarks_of(loaded.notes)

    def load_and_tell(self, context: Context, subject: Subject) -> LoadedNetwork:
        """Return a network as :meth:`load` does; what the reader had to say is told on stderr."""
        loaded, remarks = self.load(context, subject)
        for remark in remarks:
            context.output.note(remark)
        return loaded

    def check_useful(self, subject: Subject) -> None:
        """Refuse options about a file where a stored network is meant.

        Raises
        ------
        BadInput
            If one was given.
        """
        if subject.stored is not None and self != Reading():
            raise BadInput(
                f"{subject.stored.name!r} is a stored network, and how to read a file was said; to read it otherwise, "
                "remove it and add the file again"
            )

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return the files that :meth:`read` may read for a network file."""
        from auditor.formats import companion_path

        return (path, companion_path(path) if self.vertices is None else self.vertices)


def remarks_of(notes: ReadNotes) -> list[str]:
    """Return what was dropped or decided, one sentence each; counts and column names only.

    Examples
    --------
    >>> from graphkit.networks.graph import DroppedEdges
    >>> remarks_of(ReadNotes("csv", DroppedEdges(loops=2), dropped_columns=("weight",)))
    ['dropped 2 loops', 'dropped edge column weight: it would mark added edges']
    """
    dropped = notes.dropped
    counts = [
        (dropped.loops, "loop", "loops"),
        (dropped.duplicates, "repeated edge", "repeated edges"),
        (dropped.reversed, "edge given in both directions", "edges given in both directions"),
    ]
    remarks = [f"dropped {number} {one if number == 1 else many}" for number, one, many in counts if number]
    remarks += [f"dropped edge column {name}: it would mark added edges" for name in notes.dropped_columns]
    if notes.symmetrized:
        remarks.append("directions of edges were forgotten")
    return [*remarks, *notes.remarks]
