"""From two columns of ids to vertex positions and labels, without a Python loop over the edges."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def encode_texts(sources: Any, targets: Any) -> tuple[list[str], NDArray[np.int64]]:
    """Return the different ids of two dictionary-encoded columns and the edges as positions among them.

    Parameters
    ----------
    sources, targets : pyarrow.ChunkedArray of dictionary<int32, string>
        Without nulls.

    Returns
    -------
    list of str, shape (n,), and ndarray of int64, shape (m, 2)
    """
    import pyarrow as pa

    m = len(sources)
    if m == 0:
        return [], np.empty((0, 2), dtype=np.int64)
    chunks = pa.chunked_array(sources.chunks + targets.chunks).unify_dictionaries().chunks
    # not to_numpy, which imports pandas where it is installed: half a second for a type that never occurs
    codes = np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks])
    return chunks[-1].dictionary.to_pylist(), codes.reshape(2, m).T.astype(np.int64)


def encode_integers(pairs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different ids of an integer edge array, ascending, and the edges as positions among them."""
    labels, codes = np.unique(pairs, return_inverse=True)
    return labels, codes.reshape(pairs.shape).astype(np.int64, copy=False)


def merge_equal(texts: list[str], edges: NDArray[np.int64]) -> tuple[list[str], NDArray[np.int64]]:
    """Return texts without repetition and the edges renumbered to match."""
    if len(set(texts)) == len(texts):
        return texts, edges
    place: dict[str, int] = {}
    moved = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)
    return list(place), moved[edges]
