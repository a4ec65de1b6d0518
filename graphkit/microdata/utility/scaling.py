"""Records before and after in one scale, so that no figure has the unit of an attribute."""

import numpy as np

from graphkit.arrays import Bools, Floats
from graphkit.errors import InvalidInput


def checked_records(records: object, whose: str = "records") -> Floats:
    """Return records as a table of finite numbers.

    Raises
    ------
    InvalidInput
        If they are none: one row a record, at least one record and one attribute.
    """
    try:
        table = np.asarray(records, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{whose} must be numbers: leave out columns of text") from error
    if table.ndim != 2 or not table.size:
        raise InvalidInput(f"{whose} must be a table: one row a record, at least one record and one column")
    if not np.isfinite(table).all():
        raise InvalidInput(f"{whose} must be finite numbers: impute or drop what is missing")
    return table


def check_alike(original: Floats, published: Floats, *, paired: bool = True) -> None:
    """Refuse two tables that do not have the same attributes and, where records are paired, as many records.

    Raises
    ------
    InvalidInput
        If they have not.
    """
    if original.shape[1] != published.shape[1]:
        raise InvalidInput(f"the original has {original.shape[1]} attributes and the release {published.shape[1]}")
    if paired and original.shape[0] != published.shape[0]:
        raise InvalidInput(
            f"the original has {original.shape[0]} records and the release {published.shape[0]}: they cannot be paired"
        )


def varying(original: Floats) -> Bools:
    """Return which attributes of the original are not constant; the others have no scale.

    Examples
    --------
    >>> varying(np.array([[1.0, 0.1], [2.0, 0.1]])).tolist()
    [True, False]
    """
    return spreads(original) > 0


def spreads(records: Floats) -> Floats:
    """Return the standard deviation of every attribute, over n; 0 where it is constant, or varies by next to nothing.

    Notes
    -----
    Column by column: no copy of all records is made.

    Examples
    --------
    >>> spreads(np.array([[1.0, 0.1], [3.0, 0.1], [2.0, 0.1]])).round(4).tolist()
    [0.8165, 0.0]
    """
    return np.array([column.std() if np.ptp(column) > 0 else 0.0 for column in records.T])


def scaled(original: Floats, published: Floats) -> tuple[Floats, Floats]:
    """Return both tables with the attributes scaled to mean 0 and standard deviation 1 in the original.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)

    Returns
    -------
    original, published : ndarray of float, shapes (n, v) and (m, v)
        The v attributes that vary in the original; a constant one has no scale and is left out.
    """
    spread = spreads(original)
    used = spread > 0
    mean, scale = original[:, used].mean(axis=0), spread[used]
    return (original[:, used] - mean) / scale, (published[:, used] - mean) / scale
