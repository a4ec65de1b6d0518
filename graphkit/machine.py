"""What the API of the package takes from the machine: a clock for a time limit, and randomness that no seed repeats.

The one module of the package that touches the machine. No engine imports it: a clock and a generator still come in
as parameters. Only the APIs of the packages (``graphkit.networks``, ``graphkit.tables``, ``graphkit.microdata``) and
their functions ``release`` do, so a caller may write ``time_limit=5`` and nothing else.
"""

import os
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

_LIMITS = ("time_limit", "decision_limit")


def with_clock(function: Callable[P, R], module: str) -> Callable[P, R]:
    """Return the function with ``time.monotonic`` as its clock where a call gives a limit in seconds and no clock.

    Parameters
    ----------
    function : callable
        Takes `clock` and limits in seconds (`time_limit`, `decision_limit`) as keywords.
    module : str
        Package that offers the function: pickle finds it there.

    Notes
    -----
    Without a time limit nothing is bound, so an answer still depends on the input, the seed and the version alone.
    """

    @wraps(function)
    def timed(*args: P.args, **options: P.kwargs) -> R:
        if options.get("clock") is None and any(options.get(limit) is not None for limit in _LIMITS):
            options["clock"] = time.monotonic
        return function(*args, **options)

    timed.__module__ = module
    # what `help` says is about this function: the engine's own text says that it needs one
    timed.__doc__ = (function.__doc__ or "").replace("needs `clock`", "no `clock` is needed")
    return timed


def fresh_permutation(n: int) -> NDArray[np.int64]:
    """Return a random permutation of ``0 .. n-1`` that cannot be drawn again.

    Notes
    -----
    Sorts n keys of 64 bits from the operating system: uniform up to collisions of keys, of which there is one with
    probability below n²/2⁶⁵. No seed is involved.
    """
    keys = np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
    places = np.empty(n, dtype=np.int64)
    places[np.argsort(keys, kind="stable")] = np.arange(n)
    return places


def fresh_generator() -> np.random.Generator:
    """Return a generator that nobody can make again: its state is 256 bits from the operating system.

    For what an export draws; engines take the seed that they are given.
    """
    return np.random.Generator(np.random.PCG64(int.from_bytes(os.urandom(32), "big")))
