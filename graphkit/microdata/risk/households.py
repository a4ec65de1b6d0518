"""Household risk: whoever finds one member has found them all."""

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.coded import CodedColumn


def household_numbers(column: CodedColumn) -> Ints:
    """Return the number of each record's household; a record whose household is missing has one of its own.

    Examples
    --------
    >>> from graphkit.microdata.risk.coded import code_records
    >>> household_numbers(code_records({"household": ["b", "a", "b", None, None]}).columns["household"]).tolist()
    [1, 0, 1, 2, 3]
    """
    numbers = column.codes.astype(np.int64)
    if column.has_missing:
        missing = np.flatnonzero(numbers == column.size - 1)
        numbers[missing] += np.arange(missing.size)
    return numbers


def household_risk(risk: Floats, household_of: np.ndarray) -> Floats:
    """Return for each record the risk that at least one member of its household is re-identified.

    Parameters
    ----------
    risk : array of float, shape (n,)
        Of each record.
    household_of : array of int, shape (n,)
        Number of each record's household, from 0.

    Returns
    -------
    array of float, shape (n,)
        ``1 − prod(1 − r)`` over the members. Protected.

    Notes
    -----
    Members are taken to be independent, as in sdcMicro. O(n) time.

    Examples
    --------
    >>> household_risk(np.array([0.5, 0.5, 0.1]), np.array([0, 0, 1])).round(6).tolist()
    [0.75, 0.75, 0.1]
    """
    with np.errstate(divide="ignore"):
        spared = np.log1p(-risk)
    whole = np.bincount(household_of, spared) if risk.size else spared
    return -np.expm1(whole)[household_of] if risk.size else risk
