"""The page on licences names every package that an installation brings."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = "disclosure-auditor"


def brought() -> set[str]:
    """Every package that the core and the extra `all` need here, and what these need."""
    found: set[str] = set()
    done: set[str] = set()
    asked = [*PROJECT["dependencies"], f"{NAME}[all]"]
    while asked:
        line = asked.pop()
        requirement = Requirement(line)
        extras = requirement.extras or {""}
        if line in done or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        done.add(line)
        if requirement.name == NAME:
            asked += [needed for extra in extras for needed in PROJECT["optional-dependencies"][extra]]
            continue
        try:
            needs = map(Requirement, requires(requirement.name) or ())
        except PackageNotFoundError:
            continue
        found.add(canonicalize_name(requirement.name))
        for need in needs:
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
                need.marker = None
                asked.append(str(need))
    return found


def test_every_package_of_an_installation_is_named() -> None:
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8").lower().replace(".", "-")
    assert len(brought()) > 50
    assert {name for name in brought() if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w])", page)} == set()
