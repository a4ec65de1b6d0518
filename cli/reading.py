"""What a reader had to say about a file, in sentences."""

from __future__ import annotations

from auditor.formats.network import ReadNotes

__all__ = ["remarks_of"]


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
