"""Edge lists as CSV: one edge a line, the first two columns or those named source and target."""

from typing import BinaryIO

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import needs_vertex_file, read_edge_table, write_edges
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.sniffing import sniff
from auditor.formats.source import Source


def read(source: Source, options: ReadOptions, preferred: str = ",") -> Parts:
    """Return the edges of a delimited text file; delimiter, header and leading comments are found out.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    preferred : str, optional
        The delimiter where others fit as well.

    Raises
    ------
    BadFile
        If it is not a table of two columns or more, or an id is missing; names the line.
    """
    return read_edge_table(
        source, sniff(source, delimiter=options.delimiter, header=options.header, preferred=preferred), options
    )


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``labels`` for isolated vertices, attributes, and ids that a reader might take for damaged numbers."""
    return "labels" if needs_vertex_file(network) else "none"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion, delimiter: str = ",") -> None:
    """Write source and target below a header, in the order of the graph's edges, text in quotation marks."""
    write_edges(network, sink, header=f"source{delimiter}target\n", delimiter=delimiter, quoted=True)
