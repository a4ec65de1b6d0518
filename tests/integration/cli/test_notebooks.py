"""The notebooks of the tutorials, run from the first cell to the last in an empty folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor.config import Settings
from tests.support.documented import variables_of

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "tutorials"
ENGINES = ["network", "records", "tables"]


def run_notebook(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a notebook and return it with its outputs."""
    import nbformat
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    # no port of the machine is opened for it
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(folder / "kernel"))
    return NotebookClient(notebook, km=kernel, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()


def outputs_of(notebook: Any) -> list[Any]:
    """Return what all cells gave out, in order."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def told(notebook: Any) -> str:
    """Return all that the cells said."""
    said = (output.get("text", "") or output.get("data", {}).get("text/html", "") for output in outputs_of(notebook))
    return "\n".join(said)


def drawings(notebook: Any) -> int:
    """Return the number of pictures."""
    return sum("image/png" in output.get("data", {}) for output in outputs_of(notebook))


def test_all_have_a_test() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted([*ENGINES, "service"])


@pytest.mark.parametrize("name", [*ENGINES, "service"])
def test_are_kept_without_outputs(name: str) -> None:
    import nbformat

    cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words", "pictures"),
    [
        ("network", ["edges were added; no version needs fewer than", "ReleasedNetwork", "<th"], 1),
        ("records", ["RecordRisk", "ReleasedRecords", "Generalization"], 0),
        ("tables", ["release, release, refuse", "Decision", "at least", "Frontier"], 1),
    ],
)
def test_engines(name: str, words: list[str], pictures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the commands of this environment
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = run_notebook(name, tmp_path, monkeypatch)
    assert [word for word in words if word not in told(notebook)] == []
    assert drawings(notebook) == pictures


@pytest.mark.neo4j
@pytest.mark.slow
def test_the_service(
    neo4j_connection: object, neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables_of(neo4j_settings).items():
        monkeypatch.setenv(name, value)
    said = told(run_notebook("service", tmp_path, monkeypatch))
    # the request waits for Bob; what is audited violates the policy; nothing else fails
    assert [said.count(word) for word in ("exit code 3", "exit code 1", "auditor: ", "Traceback")] == [1, 1, 0, 0]
    assert "sex,smoking,count" in said
    assert "the ledger is intact" in said
