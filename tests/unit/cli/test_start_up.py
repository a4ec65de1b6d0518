"""What commands that answer for a tiny table load: each module is a tenth of a second or more."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

# an address where nothing answers: a command that needs a store fails
CODE = "import sys; from cli.app import run; code = run(sys.argv[1:]); print(code, *sys.modules)"
WAYS = ["--given", "A,B", "--given", "A,C", "--given", "B,C"]


@pytest.fixture
def cube(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    path = tmp_path / "cube.csv"
    cells = [f"{a},{b},{c},{5 + number}" for number, (a, b, c) in enumerate(product("xy", repeat=3))]
    path.write_text("\n".join(["A,B,C,count", *cells, ""]), encoding="utf-8")
    return path


def loaded(*arguments: object) -> set[str]:
    """Return the modules of a process that answered."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0", done.stderr
    return set(modules)


def test_bounds_of_a_tiny_table_load_neither_compiler_nor_pandas(cube: Path) -> None:
    heavy = {"pandas", "numba", "scipy", "igraph", "neo4j", "matplotlib"}
    assert not heavy & loaded("-q", "table", "bounds", cube, *WAYS)


@pytest.mark.parametrize("command", [("simulate",), ("check",)])
def test_other_commands_about_a_tiny_table_do_not_load_pandas(
    cube: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    if command == ("simulate",):
        arguments = [cube, *WAYS, "--out", tmp_path / "drawn.csv"]
    else:
        marginal = tmp_path / "A.csv"
        marginal.write_text("A,count\nx,26\ny,42\n", encoding="utf-8")
        arguments = [cube, marginal]
    assert "pandas" not in loaded("-q", "table", *command, *arguments)


def test_an_audit_of_few_records_loads_neither_compiler_nor_pandas(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,sex,wage,w\n" + "41,f,3,9\n35,m,2,8\n41,f,4,9\n35,m,5,8\n", encoding="utf-8")
    roles = ("--quasi-identifier", "age,sex", "--sensitive", "wage", "--weight", "w", "--suda", "2", "--k", "2")
    heavy = {"pandas", "numba", "scipy", "igraph", "neo4j", "matplotlib", "ibis"}
    assert not heavy & loaded("-q", "microdata", "audit", path, *roles)


def test_pyarrow_without_pandas_still_gives_tables_of_pandas() -> None:
    code = """
import sys
from auditor.core.loading import load_arrow
load_arrow()
assert "pandas" not in sys.modules
import pyarrow
assert pyarrow.table({"a": [1]}).to_pandas()["a"].tolist() == [1]
import pandas
assert pyarrow.array(pandas.Series([1, 2])).to_pylist() == [1, 2]
"""
    subprocess.run([sys.executable, "-c", code], check=True)
