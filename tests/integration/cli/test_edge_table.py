"""`--edge-table` from the command line: a Parquet file audited, protected, verified, and read back without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.commands import run_auditor

SMALL = "64m"
UNDERSTOOD = (
    "read as parquet: edges from columns source and target; 498 vertices, 1,487 edges\n"
    "dropped 4 loops\n"
    "dropped 4 repeated edges\n"
    "dropped 5 edges given in both directions: a tie has no direction here; "
    "in a directed network the directions are lost\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a network of 64-bit ids."""
    folder = tmp_path_factory.mktemp("edge-table")
    ends = np.random.default_rng(6).integers(0, 2**62, 500)[np.random.default_rng(7).integers(0, 500, (1500, 2))]
    pq.write_table(pa.table({"source": ends[:, 0], "target": ends[:, 1]}), folder / "ties.parquet")
    return folder


def test_it_gives_the_figures_of_the_engine_in_memory(folder: Path) -> None:
    file = folder / "ties.parquet"
    for command in (["audit", file, "--k", "5"], ["anonymize", file, "--k", "5", "--dry-run", "--seed", "3"]):
        plain = run_auditor(["network", *command, "--json"], folder)
        database = run_auditor(["network", *command, "--edge-table", "--memory", SMALL, "--json"], folder)
        assert database.code == plain.code
        assert database.json | {"seconds": None} == plain.json | {"seconds": None}
        assert database.json["read"]["columns"] == ["source", "target"]


def test_the_release_is_verified_and_passes_an_audit(folder: Path) -> None:
    out = folder / "out.parquet"
    arguments = ["network", "anonymize", folder / "ties.parquet", "--edge-table", "--memory", SMALL, "--k", "5"]
    done = run_auditor([*arguments, "--out", out], folder)
    assert (done.code, done.err) == (0, UNDERSTOOD)
    assert "contains the original" in done.out
    again = run_auditor([*arguments, "--out", out, "--json"], folder)
    assert again.code == 2
    assert "exists already" in again.err
    for option in ([], ["--edge-table"]):
        assert run_auditor(["network", "audit", out, "--k", "5", *option], folder).code == 0
    assert list(folder.glob(".auditor-*")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ties.parquet", "--edge-table", "--out", "x.csv"], "must be a Parquet file"),
        (["ties.parquet", "--edge-table", "--out", "x.parquet", "--keep", "age"], "--keep does not go together"),
        (["ties.parquet", "--edge-table", "--out", "x.parquet", "--store-as", "x"], "--store-as does not go together"),
        (["ties.parquet", "--edge-table", "--out", "ties.parquet", "--force"], "is part of the original"),
        (["missing.parquet", "--edge-table", "--out", "x.parquet"], "is no file"),
        (["network:x", "--edge-table", "--out", "x.parquet"], "reads a Parquet file"),
        (["ties.parquet", "--memory", "1g", "--out", "x.parquet"], "--memory is for --edge-table alone"),
        (["ties.parquet", "--edge-table", "--memory", "lots", "--out", "x.parquet"], "--memory must be a number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_usage_is_one_line(folder: Path, arguments: list[str], message: str) -> None:
    located = [str(folder / word) if word.endswith((".parquet", ".csv")) else word for word in arguments]
    done = run_auditor(["network", "anonymize", *located, "--k", "5"], folder)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not (folder / "x.parquet").exists()


def test_an_audit_says_how_to_go_on(folder: Path) -> None:
    done = run_auditor(["network", "audit", folder / "ties.parquet", "--edge-table", "--k", "5"], folder)
    assert done.code == 1
    assert "ties.parquet --edge-table --k 5 --out FILE" in done.out


def test_too_little_memory_is_one_line(folder: Path) -> None:
    done = run_auditor(["network", "audit", folder / "ties.parquet", "--edge-table", "--memory", "1m"], folder)
    assert done.code == 3
    assert "give more with --memory" in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_parquet_is_one_line(folder: Path) -> None:
    (folder / "bad.parquet").write_bytes(b"PAR1 this is none")
    done = run_auditor(["network", "audit", folder / "bad.parquet", "--edge-table"], folder)
    assert done.code == 2
    assert "cannot be read as a Parquet edge table" in done.err
    assert done.err.count("\n") == 1
