"""What was promised to the owner alone, as the store holds it beside the relabelling, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput
from graphkit.networks.verify import Terms

_SHAPES = {
    "subset": (-1,),
    "forbidden_edges": (-1, 2),
    "forbidden_vertices": (-1,),
    "earlier_degrees": None,
}
"""Shape of every array; None where it stands in the record, since it cannot be told from an empty list."""


def terms_as_record(terms: Terms) -> dict[str, Any]:
    """Return terms as JSON holds them; what was not promised is left out. Protected.

    Examples
    --------
    >>> terms_as_record(Terms(additions=7, subset=np.array([3, 1])))
    {'additions': 7, 'subset': [3, 1]}
    """
    found = {field.name: getattr(terms, field.name) for field in fields(Terms)}
    return {
        name: _as_list(value) if _SHAPES.get(name, ()) is not None else [list(value.shape), _as_list(value.ravel())]
        for name, value in found.items()
        if value is not None
    }


def terms_of(record: Mapping[str, Any]) -> Terms:
    """Return the terms in a record.

    Raises
    ------
    BadInput
        If the record holds a promise that this version does not know: it could not be checked.

    Examples
    --------
    >>> terms_of({"additions": 7, "max_increase": 2})
    Terms(additions=7, deletions=None, subset=None, forbidden_edges=None, forbidden_vertices=None, max_increase=2, \
earlier_degrees=None)
    """
    if record.keys() - {field.name for field in fields(Terms)}:
        raise BadInput("the terms promise what this version cannot check; use the version that made the export")
    values: dict[str, Any] = {name: _value(name, value) for name, value in record.items()}
    return Terms(**values)


def _as_list(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _value(name: str, value: Any) -> int | NDArray[np.int64]:
    if name not in _SHAPES:
        return int(value)
    shape = _SHAPES[name]
    if shape is None:
        shape, value = tuple(value[0]), value[1]
    return np.array(value, dtype=np.int64).reshape(shape)
