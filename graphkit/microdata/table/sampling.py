"""Some records of a table: the same ones on every backend."""

from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.microdata.table.engine import RECORD

if TYPE_CHECKING:
    import ibis.expr.types as ir

# a record is in the sample if its number times this, modulo a prime, is small: below 2⁶³ on every backend
_FACTOR, _PRIME = 1_103_515_245, 2_147_483_647


def sampled(connection: Any, plain: "ir.Table", records: int, size: int) -> Any:
    """Return about so many records in the order of their numbers, each with its number in the last column.

    Parameters
    ----------
    connection : ibis.BaseBackend
    plain : ibis Table
        Column ``record`` with numbers below 2³¹, and columns of numbers of one type.
    records, size : int
        How many there are, and are wanted.

    Returns
    -------
    ndarray, shape (sample, columns)
    """
    if records > size:
        plain = plain.filter(plain[RECORD] * _FACTOR % _PRIME < _PRIME * size // records)
    found = connection.to_pyarrow(plain).sort_by(RECORD)
    names = [name for name in found.column_names if name != RECORD]
    return np.column_stack([found.column(name).to_numpy() for name in (*names, RECORD)])
