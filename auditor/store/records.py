"""Records: what a frozen dataclass is in the store.

A record is read with :func:`columns`, which names its fields to Cypher, and :func:`decode`, which makes the dataclass
of what comes back; it is written whole, as the map that :func:`encode` makes. So a property is named once, as a field.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from auditor.core.clock import time_text
from auditor.core.errors import StoreCorrupt
from auditor.ledger.chain import canonical_json

T = TypeVar("T")


def columns(cls: type[Any], node: str, **computed: str) -> str:
    """Return the fields of a dataclass as a Cypher map of a node's properties.

    Parameters
    ----------
    cls : type
        A dataclass.
    node : str
        Name of the node in the query.
    **computed : str
        Expressions for the fields that are no properties of that name.

    Examples
    --------
    >>> from auditor.core.changes import Gone
    >>> columns(Gone, "g", where="g.place")
    'g {.fingerprint, .rule, where: g.place}'
    """
    named = [f"{f.name}: {computed[f.name]}" if f.name in computed else f".{f.name}" for f in fields(cls)]
    return f"{node} {{{', '.join(named)}}}"


def decode(cls: type[T], record: Mapping[str, Any]) -> T:
    """Return the dataclass that a record of the store holds.

    Times are read from the store's text, tuples from lists, and what is marked as `pydantic.Json` from JSON. The store
    has no null: what a node lacks is the field's default, or None.

    Raises
    ------
    StoreCorrupt
        If it is not what this version of the program stores.

    Examples
    --------
    >>> from auditor.core.changes import Gone
    >>> decode(Gone, {"fingerprint": "4733b3748e92ae0d", "rule": "max_unique_vertices", "where": "degrees"}).rule
    'max_unique_vertices'
    """
    kind: Any = cls
    found = {name: value for name, value in record.items() if value is not None}
    try:
        return cast("T", _adapter(kind).validate_python(_absent(kind) | found))
    except ValidationError:
        # its text would quote the values
        raise StoreCorrupt(
            f"a record in the store is not what this version stores ({cls.__name__}); install a newer version"
        ) from None


def encode(record: Any, **others: Any) -> dict[str, Any]:
    """Return the properties that a dataclass has as a node: times as ordered text, mappings as canonical JSON.

    Parameters
    ----------
    record : dataclass
    **others : object
        Properties beside its fields, or instead of them; None for none.

    Examples
    --------
    >>> from auditor.core.changes import Gone
    >>> encode(Gone("4733b3748e92ae0d", "max_unique_vertices", "degrees"), where=None, sizes=(1, 2))
    {'fingerprint': '4733b3748e92ae0d', 'rule': 'max_unique_vertices', 'where': None, 'sizes': [1, 2]}
    """
    values = {field.name: getattr(record, field.name) for field in fields(record)} | others
    return {name: _stored(value) for name, value in values.items()}


def _stored(value: Any) -> Any:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Mapping):
        return canonical_json(value)
    return list(value) if isinstance(value, tuple) else value


@cache
def _adapter(cls: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


@cache
def _absent(cls: type[Any]) -> dict[str, None]:
    """Return the fields of a dataclass that have no default, as None."""
    return {f.name: None for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING}
