"""The pages on the Python API: which names a package offers, for mkdocstrings to explain from the source."""

from __future__ import annotations

import ast
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("networks", "tables", "microdata")
"""The packages of `graphkit` that have a page each."""


def python_page(package: str) -> str:
    """Return the page of a package: its functions, then its classes, each as a reference that mkdocstrings fills in.

    Parameters
    ----------
    package : str
        One of `PACKAGES`.
    """
    homes = offered(package)
    functions = sorted(name for name in homes if name[0].islower())
    classes = sorted(name for name in homes if name[0].isupper() and not name.isupper())
    constants = sorted(name for name in homes if name.isupper())
    parts = [f"# graphkit.{package}", f"Import these names from `graphkit.{package}`."]
    for title, names in (("Functions", functions), ("Classes", classes), ("Constants", constants)):
        if names:
            parts.append(f"## {title}")
            parts += [f"::: {homes[name]}.{name}" for name in names]
    return "\n\n".join(parts) + "\n"


def offered(package: str) -> dict[str, str]:
    """Return the names that a package offers, each with the module that it comes from.

    Examples
    --------
    >>> offered("tables")["decide"]
    'graphkit.tables.decisions.decision'
    """
    stub = ast.parse((_ROOT / "graphkit" / package / "__init__.pyi").read_text(encoding="utf-8"))
    return {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }
