"""MatrixMarket coordinate files: a square matrix whose entries are the edges, numbered from 1."""

import re
from typing import BinaryIO

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import write_rows
from auditor.formats.networks.encodings.number_lines import first_columns
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import MARK, is_numbered, row_labels
from auditor.formats.source import Source

_BANNER = re.compile(rb"%%matrixmarket[ \t]+matrix[ \t]+(\w+)[ \t]+(\w+)[ \t]+([\w-]+)[ \t]*\n", re.IGNORECASE)
_TOP = re.compile(rb"(?:[ \t]*+(?:%[^\n]*+)?\n)*+")
_SIZES = re.compile(rb"[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]*(?:\n|\Z)")
_WIDTHS = {"pattern": 2, "real": 3, "integer": 3, "double": 3, "complex": 4}


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a MatrixMarket file; the labels are the numbers 1 … n.

    Raises
    ------
    BadFile
        If the banner or the sizes are wrong, an entry lies outside the matrix, or entries are missing.

    Notes
    -----
    A ``general`` matrix is a directed network, whatever its entries. Values are dropped; a stored zero is an edge.
    """
    text = source.text_bytes()
    banner = _BANNER.match(text)
    if banner is None:
        raise source.bad("does not begin with '%%MatrixMarket matrix coordinate …'; check the format", 1)
    layout, field, symmetry = (word.decode().lower() for word in banner.groups())
    if layout != "coordinate" or field not in _WIDTHS:
        raise source.bad("is not a coordinate matrix of pattern, integer, real or complex entries; convert it", 1)
    if symmetry not in ("general", "symmetric", "skew-symmetric", "hermitian"):
        raise source.bad("has a symmetry that the format does not know", 1)
    top = _TOP.match(text, banner.end())
    assert top is not None
    line = text.count(b"\n", 0, top.end()) + 1
    sizes = _SIZES.match(text, top.end())
    if sizes is None:
        raise source.bad("the line of sizes must hold rows, columns and entries", line)
    rows, columns, entries = map(int, sizes.groups())
    if rows != columns:
        raise source.bad("the matrix is not square, so it is no network on one set of vertices", line)
    source.check_vertex_count(rows, line)
    width = _WIDTHS[field]
    edges, widest = first_columns(source, text[sizes.end() :], line + 1, width)
    if widest > width:
        raise source.bad(f"a line has more than {width} numbers; correct it or the first line")
    if edges.shape[0] != entries:
        raise source.bad("the line of sizes counts another number of entries than the file holds", line)
    if edges.size and (edges.min() < 1 or edges.max() > rows):
        raise source.bad("an entry lies outside the matrix; rows and columns are numbered from 1")
    marked = any(comment.strip(b" \t%") == MARK.encode() for comment in top[0].split(b"\n"))
    return Parts(
        row_labels(rows, first=1),
        edges - 1,
        directed=symmetry == "general",
        dropped_columns=("values",) if width > 2 else (),
        in_vertex_file=marked,
    )


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` unless ids are 1 … n and there are no attributes."""
    return "none" if is_numbered(network, first=1) and not network.attributes else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write the lower triangle of the symmetric pattern."""
    graph = network.graph
    mark = f"% {MARK}\n" if companion == "rows" else ""
    sink.write(f"%%MatrixMarket matrix coordinate pattern symmetric\n{mark}{graph.n} {graph.n} {graph.m}\n".encode())
    write_rows((graph.edges[:, 1] + 1, graph.edges[:, 0] + 1), sink)
