"""The vertex file beside an edge file: who has no edge, and what is known of each vertex."""

import os
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from auditor.formats.compression import split_compression
from auditor.formats.networks.assembly import Parts, first_repeated, resolve
from auditor.formats.networks.edge_columns import column_names, write_rows
from auditor.formats.networks.labels import as_texts
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.sniffing import sniff
from auditor.formats.source import Source, shown
from auditor.formats.text_table import line_of, line_of_row, read_columns


def companion_path(path: str | os.PathLike[str]) -> Path:
    """Return where the vertex file of an edge file lies: the same name with ``.vertices.csv``.

    Examples
    --------
    >>> companion_path("data/friends.csv.gz").name
    'friends.vertices.csv'
    """
    file = Path(path)
    return file.with_name(Path(split_compression(file.name)[0]).stem + ".vertices.csv")


def with_vertex_file(parts: Parts, source: Source, vertices: Source) -> Parts:
    """Return what an edge file holds together with its vertex file.

    Parameters
    ----------
    parts : Parts
        Of the edge file.
    source, vertices : Source
        The edge file, for messages, and the vertex file: a table with a header whose first column is the id.

    Raises
    ------
    BadFile
        If an id is missing or listed twice, an edge names a vertex that is not listed, the rows are not as many as the
        vertices they stand for, or an attribute is in both files.
    """
    dialect = sniff(vertices, header=True)
    table = read_columns(vertices, dialect, range(dialect.width), encoded=False) if dialect.width else []
    ids, *columns = [column.to_pylist() for column in table] or [[]]
    if "" in ids:
        line = line_of(vertices, dialect, [0], lambda text: not text)
        raise vertices.bad("a vertex has no id; give it one or remove the line", line)
    if len(set(ids)) < len(ids):
        line = line_of_row(vertices, dialect, first_repeated(ids) + 1)
        raise vertices.bad("a vertex id is listed twice; give every vertex an id of its own", line)
    names = column_names(dialect)[1:]
    if len(set(names)) < len(names) or not parts.attributes.keys().isdisjoint(names):
        raise vertices.bad("an attribute occurs twice; rename one of the columns")
    attributes = dict(zip(names, columns, strict=True))
    remarks = (*parts.remarks, f"vertices were read from {shown(vertices.path.name)}")
    if parts.in_vertex_file:
        if len(ids) != len(parts.labels):
            raise vertices.bad(
                f"does not have one row for each vertex of {shown(source.path.name)}; use the file written with it"
            )
        edges = parts.edges
    else:
        known = as_texts(parts.labels)
        if unlisted := set(known).difference(ids):
            line = parts.line_of(unlisted.__contains__)
            reason = f"names a vertex that {shown(vertices.path.name)} does not list; add the vertex there"
            raise source.bad(reason if line is None else f"an edge {reason}", line)
        places = resolve(vertices, ids, known + known[: len(known) % 2]).ravel()[: len(known)]
        edges = places[parts.edges] if parts.edges.size else parts.edges
        for name, values in parts.attributes.items():
            moved = np.full(len(ids), "", dtype=object)
            moved[places] = np.array(values, dtype=object)
            attributes[name] = moved.tolist()
    return replace(parts, labels=ids, edges=edges, attributes=attributes, remarks=remarks)


def write_vertex_file(network: LoadedNetwork, sink: BinaryIO) -> None:
    """Write the vertices in canonical order: the header ``id`` and attribute names, then a line a vertex."""
    import pyarrow as pa

    columns = [pa.array(network.labels, type=pa.string() if network.labels.dtype == object else pa.int64())]
    columns += [pa.array(values, type=pa.string()) for values in network.attributes.values()]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in ("id", *network.attributes))
    sink.write(header.encode() + b"\n")
    write_rows(columns, sink, delimiter=",", quoting="all_valid")
