"""METIS graphs: a header with n and m, then one line a vertex with its neighbours, numbered from 1."""

import re
from itertools import islice
from typing import BinaryIO

import numpy as np

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.encodings.number_lines import read_numbers
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import MARK, is_numbered, row_labels
from auditor.formats.source import Source

_COMMENT = re.compile(rb"(?m)^[ \t]*%[^\n]*(\n|\Z)")
_HEADER = re.compile(
    rb"[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})(?:[ \t]+([01]{1,3}))?(?:[ \t]+([0-9]{1,4}))?[ \t]*(?:\n|\Z)"
)


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a METIS file; the labels are the numbers 1 … n.

    Raises
    ------
    BadFile
        If the header does not fit the lines, a neighbour is out of range, or an edge stands at one end only.

    Notes
    -----
    Weights and sizes are dropped. A blank line is a vertex without an edge.
    """
    text = source.text_bytes()
    marked = any(match[0].strip(b" \t\r\n%") == MARK.encode() for match in _COMMENT.finditer(text))
    original, text = text, _COMMENT.sub(b"", text)

    def in_file(line: int) -> int:
        """The line of the file, from 1, that is line `line` of the text without comments."""
        lines = enumerate(original.split(b"\n"), 1)
        kept = (number for number, words in lines if not words.lstrip(b" \t").startswith(b"%"))
        return next(islice(kept, line, None), line + 1)

    header = _HEADER.match(text)
    if header is None:
        raise source.bad("the first line must hold the numbers of vertices and edges", in_file(0))
    n, m = int(header[1]), int(header[2])
    source.check_vertex_count(n, in_file(0))
    flags = (header[3] or b"").decode().rjust(3, "0")
    per_vertex = int(flags[0]) + (int(header[4] or 1) if flags[1] == "1" else 0)
    step = 2 if flags[2] == "1" else 1
    numbers = read_numbers(source, text[header.end() :], in_file(1))
    if np.any(numbers.counts[n:]) or numbers.counts.size < n - 1:
        raise source.bad("the header counts another number of vertices than there are lines; correct it", in_file(0))
    counts = np.zeros(n, dtype=np.int64)
    counts[: min(n, numbers.counts.size)] = numbers.counts[:n]
    odd = np.flatnonzero((counts < per_vertex) | ((counts - per_vertex) % step != 0))
    if odd.size:
        raise source.bad("a weight or size that the header announces is missing", in_file(1 + int(odd[0])))
    place = np.arange(numbers.values.size) - np.repeat(np.cumsum(counts) - counts, counts)
    is_neighbour = (place >= per_vertex) & ((place - per_vertex) % step == 0)
    edges = np.column_stack((numbers.lines[is_neighbour], numbers.values[is_neighbour] - 1))
    wrong = np.flatnonzero((edges[:, 1] < 0) | (edges[:, 1] >= n))
    if wrong.size:
        raise source.bad(
            "a neighbour is not a vertex of the graph; they are 1 … n", in_file(1 + int(edges[wrong[0], 0]))
        )
    if edges.shape[0] != 2 * m:
        raise source.bad("the header counts another number of edges than the lines hold; correct it", in_file(0))
    back = edges[:, ::-1]
    order, back_order = np.lexsort(edges.T[::-1]), np.lexsort(back.T[::-1])
    different = np.flatnonzero(np.any(edges[order] != back[back_order], axis=1))
    if different.size:
        line = in_file(1 + int(min(edges[order[different[0]], 0], back[back_order[different[0]], 0])))
        raise source.bad("an edge stands at one of its ends only; list it at both", line)
    dropped = (
        ("vertex sizes",) * int(flags[0]) + ("vertex weights",) * int(flags[1]) + ("edge weights",) * int(flags[2])
    )
    # every edge stands there twice by the format's rule: that is no reversed edge to report
    once = edges[edges[:, 0] <= edges[:, 1]]
    return Parts(row_labels(n, first=1), once, dropped_columns=dropped, in_vertex_file=marked)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` unless ids are 1 … n and there are no attributes."""
    return "none" if is_numbered(network, first=1) and not network.attributes else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write the header, then the neighbours of every vertex in ascending order."""
    if companion == "rows":
        sink.write(f"% {MARK}\n".encode())
    graph = network.graph
    sink.write(f"{graph.n} {graph.m}\n".encode())
    arcs = np.concatenate((graph.edges, graph.edges[:, ::-1]))
    arcs = arcs[np.lexsort(arcs.T[::-1])]
    words = (arcs[:, 1] + 1).astype(str).tolist()
    ends = np.cumsum(graph.degrees()).tolist()
    begin = 0
    for end in ends:
        sink.write(" ".join(words[begin:end]).encode() + b"\n")
        begin = end
