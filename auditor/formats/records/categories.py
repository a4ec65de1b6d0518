"""The values of a column as categories: their texts, and which one every record has."""

from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.risk.relation import quoted


def categories_of(connection: Any, relation: str, name: str) -> tuple[str | None, ...]:
    """Return the different texts of a column, in their order; None, for what is missing, is the last. Protected."""
    selected = f"SELECT DISTINCT CAST({quoted(name)} AS VARCHAR) FROM {quoted(relation)}"
    found = [text for (text,) in connection.execute(selected).fetchall()]
    return (*sorted(text for text in found if text is not None), *((None,) if None in found else ()))


def texts_of(connection: Any, relation: str, name: str) -> tuple[list[str | None], Ints]:
    """Return texts of a column, None for what is missing the last, and the place of that of every record. Protected.

    Returns
    -------
    texts : list of str or None
    places : ndarray of int, shape (n,)
    """
    selected = f"SELECT CAST({quoted(name)} AS VARCHAR) FROM {quoted(relation)}"
    encoded = connection.execute(selected).to_arrow_table().column(0).combine_chunks().dictionary_encode()
    texts = [*encoded.dictionary.to_pylist(), None]
    return texts, np.asarray(encoded.indices.fill_null(len(texts) - 1).to_numpy(), dtype=np.int64)
