"""Kernels that Numba compiles when they are first called, so that what calls none does not wait for the compiler."""

import inspect
import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, update_wrapper
from hashlib import sha256
from typing import Any, Generic, ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")

_FEW = 256
"""Steps that the interpreter takes faster than a compiled kernel is loaded, which is a third of a second."""


# of the thread that is in it: kernels that other threads call meanwhile are compiled ones
_INTERPRETED: ContextVar[bool] = ContextVar("_INTERPRETED", default=False)


# what a kernel that counts no references may return, as annotated
_UNCOUNTED = ("int", "float", "bool", "None")


class Kernel(Generic[P, R]):
    """A function over arrays and whole numbers, compiled on its first call and kept on the disk.

    Parameters
    ----------
    function : callable
        What Numba compiles; it may call other kernels.
    **options
        Of :func:`numba.njit`.
    """

    __wrapped__: Callable[P, R]

    def __init__(self, function: Callable[P, R], **options: Any) -> None:
        update_wrapper(self, function)
        self._options = {"nogil": True} | options
        self._compiled: Any = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function, or, within :meth:`of_work`, the one that is written."""
        if _INTERPRETED.get():
            return self.__wrapped__(*args, **kwargs)
        found: R = (self._compiled or self._loaded())(*args, **kwargs)
        return found

    def of_work(self, steps: int) -> Callable[P, R]:
        """Return what does so many steps soonest: this kernel, or its source if they are few and it is not loaded.

        Notes
        -----
        Either gives the same whole numbers, as long as these fit into the type of their arrays.
        """
        return self if steps > _FEW or self._compiled is not None else self._interpreted

    def _interpreted(self, *args: P.args, **kwargs: P.kwargs) -> R:
        before = _INTERPRETED.set(True)
        try:
            return self.__wrapped__(*args, **kwargs)
        finally:
            _INTERPRETED.reset(before)

    def _loaded(self) -> Any:
        if self._compiled is None:
            # two threads at once may both do so: Numba compiles one after the other, and either is right
            self._compiled = compiled(**self._options)(self.__wrapped__)
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks of a global name that another kernel calls."""
        return self._loaded()._numba_type_


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Return a function as a :class:`Kernel`.

    Examples
    --------
    >>> @kernel
    ... def doubled(number: int) -> int:
    ...     return 2 * number
    >>> doubled.of_work(1)(21)
    42
    """
    return Kernel(function)


def fast_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Return a function as a :class:`Kernel` in which a division by zero is infinite, so none is looked for."""
    return Kernel(function, error_model="numpy")


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def compiled(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def compiled(function: Any = None, /, **options: Any) -> Any:
    """Have Numba compile a function on its first call and keep the code on the disk, but not that of another version.

    Parameters
    ----------
    function : callable
        Left out where options are given: ``@compiled(nogil=True)``.
    **options
        Of :func:`numba.njit`.
    """

    def make(source: Any) -> Any:
        from numba import njit

        made = njit(cache=True, **options)(source)
        index = made._cache._cache_file
        index._source_stamp = index._source_stamp, _stamp_of(source.__module__)
        _ignore_stale_index(made)
        _count_compilations(made)
        return made

    return make if function is None else make(function)


def in_place(function: Callable[P, R], /) -> Callable[P, R]:
    """Have Numba compile a function that makes no array, without counting who refers to its arrays.

    Where kernels hand each other named tuples of arrays, Numba counts every array up and down for every call, with
    locked instructions: ten times what a short kernel does. What makes an array needs the count, so it does not compile
    here; what such a function calls should be of this kind, too.

    Parameters
    ----------
    function : callable
        Is annotated to return a number, a truth value or nothing.

    Raises
    ------
    TypeError
        If it is not: an array that is returned uncounted is freed by who called.

    Notes
    -----
    ``_nrt`` switches off Numba's runtime for memory.
    """
    returned = function.__annotations__.get("return", object)
    if str(getattr(returned, "__name__", returned)) not in _UNCOUNTED:
        raise TypeError(f"{function.__qualname__} must return a number or nothing to be compiled without counting")
    return compiled(_nrt=False)(function)


def tell_when_compiling(tell: Callable[[], None] | None) -> None:
    """Have a function called, once, when it shows that kernels are not on the disk yet: compiling all takes a minute.

    Parameters
    ----------
    tell : callable or None
        Called in the thread that calls a kernel. None: nobody wants to know any more.
    """
    global _tell
    _tell = tell


_tell: Callable[[], None] | None = None
_missed = 0
# a few are compiled in a moment, such as those for another type of arrays
_MANY = 4


def _count_compilations(dispatcher: Any) -> None:
    """Count what is not found on the disk, and so is compiled."""
    load = dispatcher._cache.load_overload

    def loaded(*wanted: Any) -> Any:
        global _missed
        found = load(*wanted)
        if found is None:
            _missed += 1
            if _missed == _MANY and _tell is not None:
                _tell()
        return found

    dispatcher._cache.load_overload = loaded


_IMPORTED = re.compile(rf"^(?:from|import) ({__package__}\b[\w.]*)(?: import ([\w, ]+))?", re.MULTILINE)


@cache
def _source_of(module: str) -> str:
    """Return the text of a module, read once a process."""
    return inspect.getsource(sys.modules[module])


@cache
def _imported_by(module: str) -> frozenset[str]:
    """Return the modules of this package that one imports when it is loaded."""
    found = set()
    for name, parts in _IMPORTED.findall(_source_of(module)):
        found |= {name, *(f"{name}.{part.split()[0]}" for part in parts.split(",") if part.strip())}
    return frozenset(found & sys.modules.keys())


@cache
def _stamp_of(module: str) -> str:
    """Return a digest of the source of all modules of this package that a kernel may have code or constants of.

    Numba looks at the file of a kernel alone; what that calls and its constants are compiled into it.
    """
    reached, left = set[str](), {module} & sys.modules.keys()
    while left:
        reached |= left
        left = {name for one in left for name in _imported_by(one)} - reached
    return sha256("\0".join(_source_of(name) for name in sorted(reached)).encode()).hexdigest()


def _ignore_stale_index(dispatcher: Any) -> None:
    """Take an index that names classes of an earlier version for an empty one: Numba fails before it sees its age."""
    index = dispatcher._cache._cache_file
    load = index._load_index

    def loaded() -> Any:
        try:
            return load()
        except (AttributeError, ImportError):
            return {}

    index._load_index = loaded
