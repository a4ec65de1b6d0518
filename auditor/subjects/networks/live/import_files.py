"""Files for `neo4j-admin database import`: the vertices and the ties of a network as CSV, and the options they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from auditor.formats.compression import open_sink
from auditor.formats.networks.edge_columns import endpoint_arrays, write_rows
from auditor.formats.networks.labels import as_texts
from auditor.formats.networks.loaded import LoadedNetwork

NODES, RELATIONSHIPS = "nodes.csv", "relationships.csv"
# it prints in no label
_UNIT_SEPARATOR = "U+001F"


def write_import_files(folder: Path, network: LoadedNetwork, *, label: str, relationship: str) -> list[Path]:
    """Write a network as the importer wants it, and return the files.

    Parameters
    ----------
    folder : Path
    network : LoadedNetwork
    label, relationship : str
        Label of the vertices, with what they are called as ``id``, and type of the ties.

    Raises
    ------
    OSError
        If the file system refuses.

    Notes
    -----
    Every field stands in quotation marks: without them an empty one would be no value. The bytes depend on the
    arguments alone.
    """
    import pyarrow as pa

    n, m = network.graph.n, network.graph.m
    ids = pa.array(network.labels, type=pa.string() if network.labels.dtype == object else pa.int64())
    attributes = [pa.array(values, type=pa.string()) for values in network.attributes.values()]
    # the type is what follows the last colon, so that a name may hold one
    header = ("id:ID", *(f"{name}:string" for name in network.attributes), ":LABEL")
    nodes = _write(folder / NODES, header, [ids, *attributes, pa.repeat(label, n)])
    ends = [*endpoint_arrays(network), pa.repeat(relationship, m)]
    return [nodes, _write(folder / RELATIONSHIPS, (":START_ID", ":END_ID", ":TYPE"), ends)]


def import_options(network: LoadedNetwork, *, label: str) -> list[str]:
    """Return the options that the importer needs to read the files as they are meant.

    Examples
    --------
    >>> import numpy as np
    >>> from graphkit.networks.graphs.graph import SimpleGraph
    >>> import_options(LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.arange(2)), label="A;B")
    ['--id-type=integer', '--array-delimiter=U+001F']
    """
    is_text = network.labels.dtype == object
    texts = [values.tolist() for values in network.attributes.values()]
    texts += [as_texts(network.labels)] if is_text else []
    has_lines = any("\n" in text or "\r" in text for column in texts for text in column)
    return [
        *([] if is_text else ["--id-type=integer"]),
        *(["--multiline-fields=true"] if has_lines else []),
        # otherwise these would be two labels
        *([f"--array-delimiter={_UNIT_SEPARATOR}"] if ";" in label else []),
    ]


def _write(path: Path, header: Iterable[str], columns: Sequence[Any]) -> Path:
    with open_sink(path, "") as sink:
        sink.write(",".join('"' + name.replace('"', '""') + '"' for name in header).encode() + b"\n")
        write_rows(columns, sink, delimiter=",", quoting="all_valid")
    return path
