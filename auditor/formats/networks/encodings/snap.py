"""SNAP and other edge lists in blanks: comment lines anywhere, ids apart by blanks, tabs or commas."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import endpoint_arrays, needs_vertex_file, read_edge_table, write_rows
from auditor.formats.networks.labels import as_texts, canonical_labels
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import MARK, by_position, is_numbered, row_labels
from auditor.formats.sniffing import BLANKS, sniff
from auditor.formats.source import Source

_NODES = re.compile(r"\bnodes\s*[:=]?\s*([0-9]{1,18})\b", re.IGNORECASE)
_EDGES = re.compile(r"\bedges\s*[:=]?\s*([0-9]{1,18})\b", re.IGNORECASE)
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
    parts = read_edge_table(source, dialect, options)
    remarks = parts.remarks
    if any("directed" in line.lower().split() for line in dialect.comments):
        remarks += ("a comment calls the network directed; it was read as undirected",)
    if (m := _claim(dialect.comments, _EDGES)) is not None and m != parts.edges.shape[0]:
        remarks += ("the header counts another number of edges than there are lines; check that the file is whole",)
    parts = replace(parts, remarks=remarks, in_vertex_file=MARK in dialect.comments)
    n = _claim(dialect.comments, _NODES)
    if parts.in_vertex_file or (n is not None and not options.has_vertex_file):
        return _with_claimed_vertices(source, parts, n or 0)
    return parts


def _claim(comments: Sequence[str], what: re.Pattern[str]) -> int | None:
    return next((int(match[1]) for line in comments if (match := what.search(line))), None)


def _with_claimed_vertices(source: Source, parts: Parts, n: int) -> Parts:
    """The vertices 0 … n-1, if all ids are among them."""
    source.check_vertex_count(n)
    numbers = canonical_labels(as_texts(parts.labels))
    fits = numbers.dtype != object and (not numbers.size or (numbers.min() >= 0 and numbers.max() < n))
    if not fits and parts.in_vertex_file:
        raise source.bad("an edge names a vertex beyond those that the header counts; check the header")
    if len(numbers) == n and not parts.in_vertex_file:
        return parts
    if not fits:
        remark = "the header counts another number of vertices than the edges name"
        return replace(parts, remarks=(*parts.remarks, remark))
    edges = numbers.astype(np.int64)[parts.edges] if numbers.size else parts.edges
    remark = "vertices without an edge were added as the header says"
    remarks = parts.remarks if parts.in_vertex_file else (*parts.remarks, remark)
    return replace(parts, labels=row_labels(n, first=0), edges=edges, remarks=remarks)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` unless ids are 0 … n-1, or every vertex has an edge and an id without blanks and signs."""
    if is_numbered(network, first=0) and not network.attributes:
        return "none"
    if needs_vertex_file(network):
        return "rows"
    return "none" if network.labels.dtype != object or all(map(_PLAIN.fullmatch, as_texts(network.labels))) else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write the header with the numbers of vertices and edges, then one edge a line, apart by a tab."""
    mark = f"# {MARK}\n" if companion == "rows" else ""
    header = f"# Undirected graph\n# Nodes: {network.graph.n} Edges: {network.graph.m}\n{mark}# FromNodeId\tToNodeId\n"
    sink.write(header.encode())
    shown = by_position(network, first=0) if companion == "rows" else network
    write_rows(endpoint_arrays(shown), sink, delimiter="\t")
