"""Records that no group mixes: strata, and records that lack the same values."""

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.microaggregation.groups import compact, members_of
from graphkit.numbers import counted


def members_of_strata(strata: ArrayLike | None, n: int, k: int, lacking: Ints | None = None) -> list[Ints]:
    """Return the records of every stratum, or of those of a stratum that lack the same values.

    Parameters
    ----------
    strata : array_like of int, shape (n,), optional
    n : int
    k : int
    lacking : ndarray of int, shape (n,), optional
        Which values each record lacks: :func:`patterns`.

    Raises
    ------
    InvalidInput
        If there is not a stratum for each record, or one has fewer than k.
    """
    numbers = None if strata is None else numbered(strata, n, "stratum")
    if numbers is not None:
        small = int((np.bincount(numbers) < k).sum())
        if small:
            raise InvalidInput(
                f"{counted(small, 'stratum has', 'strata have')} fewer than k ({k}) records; merge strata, "
                "or choose a smaller k"
            )
    if lacking is not None and lacking.any():
        within = "" if numbers is None else " within a stratum"
        numbers = lacking if numbers is None else numbers * (int(lacking.max()) + 1) + lacking
        sizes = np.unique(numbers, return_counts=True)[1]
        small = int((sizes < k).sum())
        if small:
            raise InvalidInput(
                f"{counted(small, 'combination', 'combinations')} of missing attributes{within} "
                f"{'is' if small == 1 else 'are'} that of fewer than k ({k}) records, "
                f"{counted(int(sizes[sizes < k].sum()), 'record', 'records')} in all; impute what is missing, leave "
                "out these records or an attribute, or choose a smaller k"
            )
    return [np.arange(n)] if numbers is None else members_of(numbers)


def patterns(records: Floats) -> Ints:
    """Return which values each record lacks, as a number for every combination; 0 for none where any record has all.

    Examples
    --------
    >>> patterns(np.array([[1.0, np.nan], [2.0, 3.0], [4.0, np.nan]])).tolist()
    [1, 0, 1]
    """
    return np.unique(np.isnan(records), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def numbered(of: ArrayLike, n: int, what: str) -> Ints:
    """Return the stratum or household of every record as a number from 0 on, by the order of their values.

    Raises
    ------
    InvalidInput
        If there is not one for each record.
    """
    held = np.asarray(of)
    if held.shape != (n,):
        raise InvalidInput(f"there must be one {what} for each of the {n} records, in a list")
    return compact(held)
