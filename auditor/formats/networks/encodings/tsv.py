"""Edge lists as TSV: as CSV, with tabs."""

from typing import BinaryIO

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import needs_vertex_file, read_edge_table, write_edges
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.sniffing import sniff
from auditor.formats.source import Source


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a text file, tabs preferred where other delimiters fit as well.

    Raises
    ------
    BadFile
        As for CSV.
    """
    dialect = sniff(source, delimiter=options.delimiter, header=options.header, preferred="\t")
    return read_edge_table(source, dialect, options, "tsv")


def companion_for(network: LoadedNetwork) -> Companion:
    """Return what CSV needs."""
    return "labels" if needs_vertex_file(network) else "none"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write source and target in the order of the graph's edges, text in quotation marks."""
    write_edges(network, sink, header="source\ttarget\n", delimiter="\t", quoted=True)
