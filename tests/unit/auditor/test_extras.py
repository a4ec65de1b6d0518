"""Without an extra the rest works, and what needs it says in one line what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.core.errors import MissingExtra
from auditor.core.extras import EXTRAS, require

EVERYTHING = [module for extra in EXTRAS.values() for module in extra.modules]


def run_without(modules: Iterable[str], code: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in which these modules cannot be imported."""
    absent = f"import sys\nfor name in {list(modules)!r}: sys.modules[name] = None\n"
    environment = {**os.environ, "AUDITOR_HOME": str(home / "home"), "AUDITOR_CACHE": str(home / "cache")}
    return subprocess.run(
        [sys.executable, "-c", absent + code], capture_output=True, text=True, check=False, cwd=home, env=environment
    )


def command_without(modules: Iterable[str], home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_without(modules, f"from cli.app import run; sys.exit(run({list(arguments)!r}))", home)


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "ties.parquet"
    pq.write_table(pa.table({"source": [0, 1, 2, 3], "target": [1, 2, 3, 0]}), path)
    return path


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("large", ["network", "audit", "ties.parquet", "--edge-table", "--k", "2"]),
        ("local", ["store", "start"]),
        ("local", ["store", "install"]),
        ("local", ["network", "list"]),
        ("service", ["serve", "--check"]),
        ("service", ["metrics"]),
    ],
)
def test_a_missing_extra_is_one_line(extra: str, arguments: list[str], tmp_path: Path, network: Path) -> None:
    for module in EXTRAS[extra].modules:
        done = command_without([module], tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (3, ""), module
        (line,) = done.stderr.splitlines()
        assert f"pip install 'disclosure-auditor[{extra}]'" in line


def test_it_is_an_import_error_for_python_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(ImportError, match=r"disclosure-auditor\[service\]") as raised:
        require("service")
    assert isinstance(raised.value, MissingExtra)
    require("local")


def test_files_need_no_extra(tmp_path: Path, network: Path) -> None:
    done = command_without([*EVERYTHING, "pandas"], tmp_path, "--quiet", "network", "audit", str(network), "--k", "2")
    assert (done.returncode, done.stderr) == (0, "")


def test_only_the_parts_of_an_extra_import_it(tmp_path: Path) -> None:
    code = """
import importlib, pkgutil
import auditor, cli, graphkit
for package in (auditor, cli, graphkit):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".", onerror=lambda name: None):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            print(module.name)
"""
    done = run_without([*EVERYTHING, "starlette"], code, tmp_path)
    assert done.stderr == ""
    parts = {".".join(name.split(".")[:3]) for name in done.stdout.split() if ".subjects." not in name}
    assert parts == {
        "auditor.exports.api",
        "auditor.exports.pages",
        "auditor.month_end.api",
        "auditor.month_end.pages",
        "auditor.operating.metrics",
        "auditor.operating.store_figures",
        "auditor.store.local",
        *(part for part in parts if part.startswith("auditor.web.")),
    }
    subjects = {name.split(".")[3] for name in done.stdout.split() if ".subjects." in name}
    assert subjects == {"api", "pages"}
    assert "auditor.store.local.embedded" in done.stdout.split()
    assert "auditor.store.local.launcher" not in done.stdout.split()
