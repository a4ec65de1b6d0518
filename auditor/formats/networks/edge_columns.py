"""What edge lists have in common: text columns in, labels and positions out, and back."""

from collections.abc import Sequence
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.ids import encode_texts, merge_equal
from auditor.formats.networks.labels import as_texts, is_missing_word, repaired
from auditor.formats.networks.loaded import Layout, LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.sniffing import Dialect, endpoint_columns, sniff
from auditor.formats.source import Source
from auditor.formats.text_table import line_of, read_columns


def read_delimited(source: Source, options: ReadOptions, *, delimiter: str) -> Parts:
    """Return the edges of a text file; delimiter, header and leading comments are found out.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    delimiter : str
        Preferred where others fit as well.

    Raises
    ------
    BadFile
        As :func:`read_edge_table`, or if the file is no table.
    """
    dialect = sniff(source, delimiter=options.delimiter, header=options.header, preferred=delimiter)
    return read_edge_table(source, dialect, options)


def read_edge_table(source: Source, dialect: Dialect, options: ReadOptions) -> Parts:
    """Return the edges of a text table whose layout is known.

    Raises
    ------
    BadFile
        If it has one column only, a line of another width, or a missing id; names the line.
    """
    if dialect.width == 0:
        return Parts([], np.empty((0, 2), dtype=np.int64), remarks=dialect.remarks)
    if dialect.width == 1:
        raise source.bad(
            "the line has only one column, but an edge needs two ids; put a comma, semicolon, tab, bar or blank "
            "between them, or give another delimiter (--delimiter)",
            dialect.skipped_lines + 1,
        )
    ends = endpoint_columns(dialect.names) or (0, 1)
    texts, edges = encode_texts(*read_columns(source, dialect, ends, encoded=True))
    remarks = dialect.remarks
    if options.has_vertex_file:
        missing = "" in texts
    else:
        texts, remark, missing = repaired(texts, dialect.blank_padded)
        remarks += (remark,) if remark else ()
        if "\n" in "".join(texts):
            remarks += ("some ids hold line ends; check the quotation marks if that is not right",)
    if missing:
        line = line_of(source, dialect, ends, is_missing_word)
        # a title is above all else, its other fields are empty
        advice = "; if the line is a title, remove it" if line == dialect.skipped_lines + 1 else ""
        raise source.bad(f"an id is missing; remove the line or give the vertex an id{advice}", line)
    texts, edges = merge_equal(texts, edges)
    names = column_names(dialect)
    dropped = tuple(name for number, name in enumerate(names) if number not in ends)
    layout = Layout((names[ends[0]], names[ends[1]]), dialect.delimiter, dialect.names is not None)
    return Parts(
        texts,
        edges,
        dropped_columns=dropped,
        remarks=remarks,
        layout=layout,
        line_of=partial(line_of, source, dialect, ends),
    )


def column_names(dialect: Dialect) -> list[str]:
    """Return the name of every column, ``column 3`` where there is none."""
    names = list(dialect.names or ())[: dialect.width]
    names += [""] * (dialect.width - len(names))
    return [name or f"column {number}" for number, name in enumerate(names, 1)]


def needs_vertex_file(network: LoadedNetwork) -> bool:
    """Whether an edge list alone would not give this network back."""
    if network.attributes or np.any(network.graph.degrees() == 0):
        return True
    if network.labels.dtype != object:
        return False
    texts = as_texts(network.labels)
    return repaired(texts, False) != (texts, "", False)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``labels`` for isolated vertices, attributes, and ids that a reader might take for damaged numbers."""
    return "labels" if needs_vertex_file(network) else "none"


def endpoint_arrays(network: LoadedNetwork) -> tuple[Any, Any]:
    """Return the labels of both ends of every edge as pyarrow arrays."""
    import pyarrow as pa

    labels = pa.array(network.labels, type=pa.string() if network.labels.dtype == object else pa.int64())
    edges = network.graph.edges
    return labels.take(pa.array(edges[:, 0])), labels.take(pa.array(edges[:, 1]))


def write_delimited(network: LoadedNetwork, sink: BinaryIO, companion: Companion, *, delimiter: str) -> None:
    """Write source and target in the order of the graph's edges: integers bare, text in quotation marks."""
    sink.write(f"source{delimiter}target\n".encode())
    quoting = "all_valid" if network.labels.dtype == object else "none"
    write_rows(endpoint_arrays(network), sink, delimiter=delimiter, quoting=quoting)


def write_rows(columns: Sequence[Any], sink: BinaryIO, *, delimiter: str = " ", quoting: str = "none") -> None:
    """Write columns (pyarrow or NumPy arrays of one length) as lines of text."""
    import pyarrow as pa
    import pyarrow.csv as pacsv

    table = pa.Table.from_arrays(list(map(pa.array, columns)), names=[str(number) for number in range(len(columns))])
    buffer = pa.BufferOutputStream()
    pacsv.write_csv(table, buffer, pacsv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style=quoting))
    sink.write(memoryview(buffer.getvalue()))
