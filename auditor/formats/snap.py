"""SNAP and other edge lists in blanks: comment lines anywhere, ids apart by blanks, tabs or commas."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from auditor.formats.assembly import Parts
from auditor.formats.edge_table import has_isolated, read_edge_table, write_edges
from auditor.formats.labels import as_texts, canonical_labels
from auditor.formats.network import LoadedNetwork
from auditor.formats.registry import Companion, ReadOptions
from auditor.formats.sniffing import BLANKS, sniff
from auditor.formats.source import Source
from auditor.formats.vertex_rows import MARK, by_position, is_numbered, row_labels

__all__ = ["companion_for", "read", "write"]

_NODES = re.compile(r"\bnodes\s*[:=]?\s*([0-9]{1,18})\b", re.IGNORECASE)
_PLAIN = re.compile(r"[^\s\"'#%,;|\x00-\x20\x7f-\x9f][^\s\",;|\x00-\x20\x7f-\x9f]*")


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a SNAP file.

    Notes
    -----
    A comment ``# Nodes: N`` is respected where all ids lie in 0 … N-1: the ids that no edge names are
    vertices without an edge. With other ids N only counts, and a difference becomes a remark.
    The words "Directed graph" in a comment are not: SNAP writes them over undirected networks, too.
    """
    dialect = sniff(
        source, delimiter=options.delimiter, header=options.header, comments_anywhere=True, preferred=BLANKS
    )
    marked = MARK in dialect.comments
    parts = read_edge_table(source, dialect, options, "snap")
    if not marked and not parts.labels and not dialect.comments:
        return parts
    claim = next((int(match[1]) for line in dialect.comments if (match := _NODES.search(line))), None)
    labels, edges = parts.labels, parts.edges
    remarks = parts.remarks
    if any("directed" in line.lower().split() for line in dialect.comments):
        remarks += ("a comment calls the network directed; it was read as undirected",)
    if (claim is not None and not options.has_vertex_file) or marked:
        source.check_vertex_count(claim or 0)
        numbers = canonical_labels(as_texts(labels)) if len(labels) else np.empty(0, dtype=np.int64)
        in_range = numbers.dtype != object and (
            not numbers.size or (numbers.min() >= 0 and numbers.max() < (claim or 0))
        )
        if in_range:
            if claim != len(labels):
                remarks += ("vertices without an edge were added as the header says",) if not marked else ()
            edges = numbers.astype(np.int64)[edges] if len(labels) else edges
            labels = row_labels(claim or 0, first=0)
        elif marked:
            raise source.bad("an edge names a vertex beyond those that the header counts; check the header")
        elif claim != len(labels):
            remarks += ("the header counts another number of vertices than the edges name",)
    return replace(parts, labels=labels, edges=edges, remarks=remarks, in_vertex_file=marked)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` unless ids are 0 … n-1, or every vertex has an edge and an id without blanks and signs."""
    if network.attributes:
        return "rows"
    if is_numbered(network, first=0):
        return "none"
    if has_isolated(network):
        return "rows"
    return "none" if network.labels.dtype != object or all(map(_PLAIN.fullmatch, as_texts(network.labels))) else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write the header with the numbers of vertices and edges, then one edge a line, apart by a tab."""
    mark = f"# {MARK}\n" if companion == "rows" else ""
    header = f"# Undirected graph\n# Nodes: {network.graph.n} Edges: {network.graph.m}\n{mark}# FromNodeId\tToNodeId\n"
    shown = by_position(network, first=0) if companion == "rows" else network
    write_edges(shown, sink, header=header, delimiter="\t", quoted=False)
