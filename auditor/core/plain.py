"""Any value of ours as JSON can hold it."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it; a number that is not finite becomes null.

    Examples
    --------
    >>> plain({"share": float("nan"), "sizes": (1, 2), 3: PurePath("a/b")})
    {'share': None, 'sizes': [1, 2], '3': 'a/b'}
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")
