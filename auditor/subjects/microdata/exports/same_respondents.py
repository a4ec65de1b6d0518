"""Who is who in two versions of a file of records, by their record keys."""

from collections.abc import Sequence

import numpy as np

from auditor.core.errors import BadFile
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import Roles
from graphkit.arrays import Ints
from graphkit.microdata.risk.relation import quoted


def read_record_key(opened: OpenRecords, roles: Roles) -> Sequence[str | None]:
    """Return the record key of every record, in the order of the file; None where it is missing. Protected.

    Raises
    ------
    BadFile
        If the file cannot be read, or there is no record key.
    """
    if roles.record_key is None:
        raise BadFile(f"{opened.source.name} has no record key")
    with record_errors(opened.source):
        selected = f'SELECT CAST({quoted(roles.record_key)} AS VARCHAR) AS key FROM "{VIEW}"'
        found: list[str | None] = opened.connection.execute(selected).to_arrow_table().column(0).to_pylist()
    return found


def common_records(first: Sequence[str | None], second: Sequence[str | None]) -> tuple[Ints, Ints]:
    """Return the places of those who are in both versions, in each of them.

    Parameters
    ----------
    first, second : sequence of str or None
        Record keys; a key that is missing, or is there more than once in a version, is nobody's.

    Returns
    -------
    (ndarray of int64, ndarray of int64)
        Of the same length: record ``here[i]`` of the first version is record ``there[i]`` of the second.

    Examples
    --------
    >>> here, there = common_records(["a", "b", None, "c"], ["c", "b", "b"])
    >>> here.tolist(), there.tolist()
    ([3], [0])
    """
    places = [_places(keys) for keys in (first, second)]
    both = [key for key in places[0] if key in places[1]]
    here, there = (np.array([place[key] for key in both], dtype=np.int64) for place in places)
    return here, there


def _places(keys: Sequence[str | None]) -> dict[str, int]:
    places: dict[str, int] = {}
    twice = set()
    for place, key in enumerate(keys):
        if key is not None:
            if key in places:
                twice.add(key)
            places[key] = place
    return {key: place for key, place in places.items() if key not in twice}
