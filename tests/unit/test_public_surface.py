"""What a module offers is explained; what a package offers at its door is listed and sorted."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    path
    for package in ("graphkit", "auditor", "cli")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.read_text(encoding="utf-8").strip() and path.name != "__main__.py"
]
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def listed(tree: ast.Module) -> list[str] | None:
    """The names of `__all__`, or None without one."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets) and node.value is not None:
                return list(ast.literal_eval(node.value))
    return None


def rank(name: str) -> tuple[int, str]:
    """The order that the linter keeps: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def bound(tree: ast.Module) -> set[str]:
    """Names that the module binds at its top level."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return names


def _is_stream(node: ast.ClassDef) -> bool:
    """Whether the class is a stream of the standard library, whose methods are explained there."""
    return any(ast.unparse(base).startswith("io.") for base in node.bases)


def _is_overload(node: ast.AST) -> bool:
    return any("overload" in ast.unparse(decorator) for decorator in getattr(node, "decorator_list", ()))


def undocumented(tree: ast.Module) -> list[str]:
    """Public classes, functions and methods without a docstring."""
    missing = []
    for node in tree.body:
        if not isinstance(node, Definition) or node.name.startswith("_") or _is_overload(node):
            continue
        if not ast.get_docstring(node):
            missing.append(node.name)
        if isinstance(node, ast.ClassDef):
            missing += [
                f"{node.name}.{member.name}"
                for member in node.body
                if isinstance(member, Definition)
                and not member.name.startswith("_")
                and not ast.get_docstring(member)
                and not (_is_stream(node) and hasattr(io.RawIOBase, member.name))
                and not any("overload" in ast.unparse(d) or ".setter" in ast.unparse(d) for d in member.decorator_list)
            ]
    return missing


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_module_explains_what_it_offers(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module says nothing about itself"
    if path.with_suffix(".pyi").exists():
        check_stub(path)
    elif path.name == "__init__.py":
        check_door(tree)
    else:
        assert listed(tree) is None, "what a module offers has no underscore; only the door of a package lists it"
        assert not undocumented(tree)


def check_door(tree: ast.Module) -> None:
    """Check that the `__init__` of a package lists what it offers, sorted."""
    offered = listed(tree)
    if offered is None:
        assert not [n for n in tree.body if not isinstance(n, ast.Expr | ast.ImportFrom)], "a door with code lists it"
        return
    assert offered == sorted(offered, key=rank), "__all__ is not sorted"
    assert not set(offered) - bound(tree), "__all__ names something that is not there"
    assert not undocumented(tree)


def check_stub(path: Path) -> None:
    """Check that a package offers what its stub imports, each name under its own name and explained in its module."""
    package = importlib.import_module(".".join(path.parent.relative_to(ROOT).parts))
    stub = ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8"))
    found = [(alias, node.module) for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert package.__all__ == sorted(alias.name for alias, _ in found)
    for alias, home in found:
        assert alias.asname == alias.name
        assert not (path.parent / f"{alias.name}.py").exists(), "whoever imports that module first makes the name it"
        offered = getattr(package, alias.name)
        # one that takes a clock is wrapped
        assert inspect.unwrap(offered) is getattr(importlib.import_module(str(home)), alias.name)
        assert not inspect.isroutine(offered) or inspect.getdoc(offered)


def test_what_is_not_explained_is_seen() -> None:
    tree = ast.parse("class A:\n    'doc'\n    def f(self): ...\ndef g(): ...\ndef _h(): ...")
    assert undocumented(tree) == ["A.f", "g"]
