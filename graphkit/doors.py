"""The doors of the packages: what they offer is imported when it is first used."""

import ast
import pkgutil
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any


def open_door(
    package: str, *, timed: Collection[str] = ()
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose stub says what it offers.

    The stub, ``__init__.pyi``, imports each name from its module: so a name is written once, for type checkers and for
    the interpreter.

    Parameters
    ----------
    package : str
    timed : collection of str, optional
        Functions that take a clock. An engine has none; here a time limit alone is enough.

    Examples
    --------
    >>> names, look_up, _ = open_door("graphkit.tables")
    >>> "bounds" in names, look_up("Variable").__module__
    (True, 'graphkit.hierarchies.variable')
    """
    stub = ast.parse(pkgutil.get_data(package, "__init__.pyi") or b"")
    homes = {alias.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = sorted(homes)

    def look_up(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home), name)
        if name in timed:
            from graphkit.machine import with_clock

            found = with_clock(found, package)
        # kept, so that it is the same object every time it is asked for
        setattr(sys.modules[package], name, found)
        return found

    return names, look_up, lambda: names
