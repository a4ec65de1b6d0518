"""The checksum of a network's content: graph, labels and attributes, whatever file or store they came from."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from auditor.formats.networks.loaded import LoadedNetwork

_HEADER = b"disclosure-auditor network 1\n"


def network_checksum(network: LoadedNetwork) -> str:
    """Return the SHA-256 of a network in canonical form, hexadecimal.

    Parameters
    ----------
    network : LoadedNetwork
        Its notes (which file it came from, what was dropped) do not count.

    Raises
    ------
    BadInput
        If a label or an attribute is not valid Unicode text.

    Notes
    -----
    Hashed are, one after the other: a header; n and m; the edges row by row; the labels; the number of attributes;
    and, in ascending order of name, each attribute's name and values. Numbers are little-endian 64 bit. Labels begin
    with ``i`` (integers, as numbers) or ``s`` (text). A list of texts is the lengths of its texts in characters,
    followed by the length in bytes and the bytes of their concatenation in UTF-8. O(n + m).

    Examples
    --------
    >>> from graphkit.networks.graphs.graph import SimpleGraph
    >>> network_checksum(LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.array([7, 9])))[:16]
    '599013c0e705ce12'
    """
    digest = hashlib.sha256(_HEADER)
    digest.update(_numbers([network.graph.n, network.graph.m]))
    digest.update(_numbers(network.graph.edges))
    if network.labels.dtype == object:
        digest.update(b"s" + _texts(network.labels))
    else:
        digest.update(b"i" + _numbers(network.labels))
    digest.update(_numbers([len(network.attributes)]))
    for name in sorted(network.attributes):
        digest.update(_texts(np.array([name], dtype=object)))
        digest.update(_texts(network.attributes[name]))
    return digest.hexdigest()


def _numbers(values: Any) -> bytes:
    return np.ascontiguousarray(values, dtype="<i8").tobytes()


def _texts(values: NDArray[np.object_] | NDArray[np.int64]) -> bytes:
    texts = values.tolist()
    try:
        joined = "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput("a label or an attribute is not valid Unicode text; save the file as UTF-8") from None
    return _numbers([len(text) for text in texts]) + _numbers([len(joined)]) + joined
