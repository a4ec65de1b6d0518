"""The values of a column as categories: their texts, and which one every record has."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.risk.relation import quoted

_COMMA = re.compile(",")
_WITH_COMMA = re.compile(r"\s*[-+]?[0-9]+(,[0-9]+)?\s*")


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


def decimal_commas(name: str, texts: Iterable[str | None]) -> str | None:
    """Return what to say of a column that was read as text because its numbers have decimal commas; None of others.

    Examples
    --------
    >>> decimal_commas("height", ["170,3", "168", None])
    "column 'height' holds numbers with decimal commas and was read as text; write them with points"
    >>> decimal_commas("codes", ["1,2,3"]), decimal_commas("zip", ["01006"])
    (None, None)
    """
    known = [text for text in texts if text is not None]
    if any(map(_COMMA.search, known)) and all(map(_WITH_COMMA.fullmatch, known)):
        return f"column {name!r} holds numbers with decimal commas and was read as text; write them with points"
    return None
