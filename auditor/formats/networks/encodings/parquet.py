"""Parquet edge tables: columns named source and target, or the first two."""

import io
from typing import Any, BinaryIO

import numpy as np

from auditor.core.loading import load_arrow
from auditor.formats.lending import readable_by_arrow
from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.edge_columns import companion_for as companion_for
from auditor.formats.networks.edge_columns import endpoint_arrays
from auditor.formats.networks.ids import encode_integers, encode_texts
from auditor.formats.networks.loaded import Layout, LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.sniffing import endpoint_columns
from auditor.formats.source import Source


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of a Parquet file.

    Raises
    ------
    BadFile
        If it has fewer than two columns, or an id is missing or neither integer nor text.
    """
    load_arrow()
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    file = pq.ParquetFile(readable_by_arrow(source))
    names = file.schema_arrow.names
    if len(names) < 2 or len(set(names)) < len(names):
        raise source.bad("must have at least two columns of different names, the ends of an edge")
    if file.metadata.num_rows * 16 > source.expansion_limit():
        raise source.bad("claims more rows than a file of this size can hold")
    ends = endpoint_columns(names) or (0, 1)
    table = file.read(columns=[names[end] for end in ends])
    columns = [_plain(source, table.column(names[end]), pa, pc) for end in ends]
    dropped = tuple(name for number, name in enumerate(names) if number not in ends)
    layout = Layout((names[ends[0]], names[ends[1]]))
    if all(pa.types.is_int64(column.type) for column in columns):
        pairs = np.column_stack([column.to_numpy() for column in columns])
        labels, edges = encode_integers(pairs)
        return Parts(labels, edges, dropped_columns=dropped, layout=layout)
    encoded = [column.cast(pa.string()).dictionary_encode() for column in columns]
    texts, edges = encode_texts(*encoded)
    if "" in texts:
        raise source.bad("an id is empty; remove the row or give the vertex an id")
    return Parts(texts, edges, dropped_columns=dropped, layout=layout)


def _plain(source: Source, column: Any, pa: Any, pc: Any) -> Any:
    """A column as int64 or string, without nulls."""
    if column.null_count:
        raise source.bad("an id is missing (null); remove the row or give the vertex an id")
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_floating(kind):
        if not bool(pc.all(pc.equal(pc.trunc(column), column), min_count=0).as_py()):
            raise source.bad("ids are numbers with a fraction or missing (NaN); save them as integers or text")
        return column.cast(pa.int64())
    if pa.types.is_uint64(kind) and column.length() and pc.max(column).as_py() >= 1 << 63:
        return column.cast(pa.string())
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    raise source.bad("ids must be integers or text; convert the columns")


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write columns ``source`` and ``target`` in the order of the graph's edges."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sources, targets = endpoint_arrays(network)
    buffer = io.BytesIO()
    pq.write_table(pa.table({"source": sources, "target": targets}), buffer, compression="zstd", store_schema=False)
    sink.write(buffer.getbuffer())
