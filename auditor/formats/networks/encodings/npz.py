"""NumPy archives: ``edges`` of shape (m, 2) and the number of vertices ``n``; nothing is ever unpickled."""

import io
import lzma
import zipfile
import zlib
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from auditor.formats.networks.assembly import Parts
from auditor.formats.networks.ids import encode_integers
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.networks.registry import Companion, ReadOptions
from auditor.formats.networks.vertex_rows import is_numbered, row_labels
from auditor.formats.source import Source

_MARK = "vertex_file"


def read(source: Source, options: ReadOptions) -> Parts:
    """Return the edges of an ``.npz`` file.

    Notes
    -----
    With ``n``, vertices are 0 … n-1 and those without an edge count. Without it the numbers in ``edges`` are ids
    as in an edge list, and there are no others.

    Raises
    ------
    BadFile
        If ``edges`` is missing, is not an integer array of shape (m, 2), or holds an index beyond ``n``.
    """
    with source.stream() as stream:
        data = io.BytesIO(stream.read())
    try:
        edges, count, names = _arrays(source, data)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError):
        raise source.bad("is not a whole NumPy archive; copy or download it again") from None
    if edges.size == 0:
        edges = edges.reshape(0, 2)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise source.bad("the array 'edges' must have two columns, one row an edge")
    dropped = tuple(name for name in names if name not in ("edges", "n", _MARK))
    if count is None:
        labels, positions = encode_integers(edges)
        return Parts(labels, positions, dropped_columns=dropped)
    if count.size != 1:
        raise source.bad("the array 'n' must be one number, that of the vertices")
    n = int(count.ravel()[0])
    source.check_vertex_count(n)
    if edges.size and (edges.min() < 0 or edges.max() >= n):
        raise source.bad("an edge names a vertex outside 0 … n-1; vertices are numbered from 0")
    return Parts(row_labels(n, first=0), edges, dropped_columns=dropped, in_vertex_file=_MARK in names)


def companion_for(network: LoadedNetwork) -> Companion:
    """Return ``rows`` unless ids are 0 … n-1 and there are no attributes."""
    return "none" if is_numbered(network, first=0) and not network.attributes else "rows"


def write(network: LoadedNetwork, sink: BinaryIO, companion: Companion) -> None:
    """Write ``edges``, ``n`` and, where a vertex file tells who is who, ``vertex_file``."""
    arrays: dict[str, NDArray[np.generic]] = {
        "edges": network.graph.edges,
        "n": np.array(network.graph.n, dtype=np.int64),
    }
    if companion == "rows":
        arrays[_MARK] = np.array(True)
    # through memory: zipfile seeks, and a compressing sink cannot
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    sink.write(buffer.getbuffer())


def _arrays(source: Source, data: BinaryIO) -> tuple[NDArray[np.int64], NDArray[np.int64] | None, list[str]]:
    """The arrays ``edges`` and ``n``, and the names of all."""
    with zipfile.ZipFile(data) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        if sum(info.file_size for info in members.values()) > source.expansion_limit():
            raise source.bad("grows too large when decompressed; if that is right, save it uncompressed (numpy.savez)")
        if "edges" not in members:
            raise source.bad("holds no array 'edges'; save edges (m by 2) and n with numpy.savez")
        edges = _integers(source, archive, members["edges"])
        count = _integers(source, archive, members["n"]) if "n" in members else None
        return edges, count, list(members)


def _integers(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[np.int64]:
    array = np.lib.format.read_array(io.BytesIO(archive.read(member)), allow_pickle=False)
    if array.size == 0:
        return np.empty(array.shape, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise source.bad("the arrays 'edges' and 'n' must hold integers")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise source.bad("an id is larger than 2^63 - 1; number the vertices from 0")
    return np.ascontiguousarray(array, dtype=np.int64)
