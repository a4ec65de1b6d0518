"""Parameters of the package's API, refused where they make no sense."""

from numbers import Real
from typing import Any

import numpy as np

from graphkit.errors import InvalidInput


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number of Python or NumPy; True and False are none.

    Examples
    --------
    >>> is_whole(2), is_whole(np.int64(2)), is_whole(2.0), is_whole(True)
    (True, True, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_number(value: Any, name: str, means: str) -> None:
    """Refuse what is no number of Python or NumPy; True and False are none.

    Parameters
    ----------
    value : Any
    name, means : str
        What the parameter is, and what it must be.

    Raises
    ------
    InvalidInput
        Names the type.

    Examples
    --------
    >>> check_number("5", "the time limit", "a number of seconds")
    Traceback (most recent call last):
    graphkit.errors.InvalidInput: the time limit must be a number of seconds, not of type str
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise InvalidInput(f"{name} must be {means}, not of type {type(value).__name__}")


def check_time_limit(seconds: Any, name: str = "time limit") -> None:
    """Refuse what is no limit in seconds.

    Raises
    ------
    InvalidInput
        If it is no number, or not positive.
    """
    check_number(seconds, f"the {name}", "a positive number of seconds")
    if not seconds > 0:
        raise InvalidInput(f"{name} ({seconds}) must be a positive number of seconds")


def generator_of(seed: Any) -> np.random.Generator:
    """Return the generator of a seed; one that is a generator already is returned as it is.

    Raises
    ------
    InvalidInput
        If it is neither a generator nor a whole number from 0 on.
    """
    if isinstance(seed, np.random.Generator):
        return seed
    if not is_whole(seed) or seed < 0:
        shown = f" ({seed})" if is_whole(seed) else ""
        raise InvalidInput(f"the seed{shown} must be a whole number from 0 on, or a numpy.random.Generator")
    return np.random.default_rng(int(seed))


def check_block_size(k: Any) -> None:
    """Refuse what is no size of a block.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or is below 2.
    """
    if not is_whole(k):
        raise InvalidInput(f"k must be a whole number of at least 2, not of type {type(k).__name__}")
    if k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")


def check_least_size(k: Any, records: int) -> None:
    """Refuse what is no number of records that others can hide among.

    Raises
    ------
    InvalidInput
        If `k` is no whole number, is below 2 or above the number of records.
    """
    check_block_size(k)
    if k > records:
        raise InvalidInput(f"k ({k}) is larger than the number of records ({records}); choose a smaller k")
