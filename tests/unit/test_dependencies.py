"""What the distribution asks for: all that is imported, nothing else, and versions that were tried."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from auditor.core.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
OURS = {"auditor", "benchmarks", "cli", "graphkit", "tests"}
FOR_WORK_ON_IT = {"docs", "test"}
"""Extras that no user needs."""
NAME = "disclosure-auditor"

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
OF_EXTRAS = {
    extra: [Requirement(line) for line in lines] for extra, lines in PROJECT["project"]["optional-dependencies"].items()
}
LINES = (ROOT / ".ci/constraints.txt").read_text(encoding="utf-8").splitlines()
PINNED = {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in LINES}

NOT_IMPORTED = {
    "neo4j-rust-ext": "the driver imports it",
    "tzdata": "zoneinfo reads it",
    "sqlglot": "Ibis imports it; here only its versions are told",
    "python-multipart": "FastAPI imports it, where a form is read",
}
COMES_WITH = {"starlette": "fastapi", "markupsafe": "jinja2"}
"""What is imported and would be another version than its owner's if it were asked for by itself."""
OF_NAMESPACES = {"opentelemetry": {"opentelemetry-exporter-otlp-proto-http", "opentelemetry-sdk"}}
"""What is imported of a package that many distributions have a part of."""
OF_LATER_PYTHONS = {"compression"}
WHERE_IT_IS = {"pandas", "polars"}
"""What a caller has who asks for a frame of it."""


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(requirement.name) for requirement in requirements} - {NAME}


def imported_modules() -> set[str]:
    """Top modules of others that the packages of the wheel import, wherever they do."""
    found = set()
    for package in ("auditor", "cli", "graphkit"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    return found - OURS - set(sys.stdlib_module_names) - OF_LATER_PYTHONS


def imported_distributions() -> set[str]:
    owners = packages_distributions()
    modules = imported_modules()
    found = {
        canonicalize_name(owner)
        for module in modules - set(OF_NAMESPACES)
        for owner in owners.get(module, [module])[:1]
    }
    return found.union(*(OF_NAMESPACES[module] for module in modules & set(OF_NAMESPACES)))


def test_everything_that_is_imported_is_asked_for_and_nothing_else() -> None:
    asked = names(CORE).union(*(names(found) for extra, found in OF_EXTRAS.items() if extra not in FOR_WORK_ON_IT))
    found = imported_distributions() - WHERE_IT_IS
    assert {COMES_WITH.get(name, name) for name in found} - asked == set()
    assert asked - found == set(NOT_IMPORTED)


def test_an_extra_asks_for_nothing_that_the_core_has() -> None:
    for extra, requirements in OF_EXTRAS.items():
        assert not names(requirements) & names(CORE), extra


def test_all_is_every_extra_of_users() -> None:
    (everything,) = OF_EXTRAS["all"]
    assert everything.extras == set(OF_EXTRAS) - {"all"} - FOR_WORK_ON_IT


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_an_extra_brings_the_modules_that_it_is_missed_by(extra: str) -> None:
    owners = packages_distributions()
    modules = {module.partition(".")[0] for module in EXTRAS[extra].modules}
    brought = {canonicalize_name(owner) for module in modules - set(OF_NAMESPACES) for owner in owners[module]}
    brought = brought.union(*(OF_NAMESPACES[module] for module in modules & set(OF_NAMESPACES)))
    assert brought <= names(OF_EXTRAS[extra])


@pytest.mark.parametrize("extra", ["", *sorted(OF_EXTRAS)])
def test_versions_have_a_lower_bound_and_the_pinned_one_fits(extra: str) -> None:
    for requirement in OF_EXTRAS[extra] if extra else CORE:
        if requirement.name == NAME:
            continue
        bounds = {bound.operator for bound in requirement.specifier}
        assert ">=" in bounds, f"{requirement} has no lower bound"
        assert bounds <= {">=", "<"}, f"{requirement}: exact versions belong into .ci/constraints.txt"
        assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)]), str(requirement)


def test_what_builds_is_pinned() -> None:
    for line in PROJECT["build-system"]["requires"]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)]), line


def test_constraints_are_exact() -> None:
    assert [line for line in LINES if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
