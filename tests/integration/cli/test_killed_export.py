"""kill -9 at many points of an export: the file is whole and checked, or not there; a second run succeeds."""

import hashlib
import json
import time
from pathlib import Path

import numpy as np
import pytest

from auditor.config import Settings
from auditor.exports.repository import Exports
from auditor.store import open_store
from tests.support.commands import ForkedCommand, run_auditor

MOMENTS = np.linspace(0.05, 1.0, 12)


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A network large enough that writing and verifying it takes a while."""
    rng = np.random.default_rng(1)
    path = tmp_path / "network.csv"
    np.savetxt(path, rng.integers(0, 15_000, (60_000, 2)), fmt="%d", delimiter=",", header="a,b", comments="")
    return path


def check_whole(out: Path) -> bool:
    """Return whether the export is there; if it is, it is whole and is what its manifest says."""
    manifest = Path(f"{out}.manifest.json")
    if not out.exists():
        return False
    described = json.loads(manifest.read_text())
    for name, file in described["files"].items():
        assert hashlib.sha256((out.parent / name).read_bytes()).hexdigest() == file["sha256"]
    assert all(check["passed"] for check in described["verification"])
    return True


def kill_at(arguments: list[object], home: Path, seconds: float) -> None:
    command = ForkedCommand(arguments, home)
    command.wait(timeout=seconds)
    command.kill()
    command.finished()


@pytest.mark.slow
def test_an_export_of_a_file_that_is_killed_leaves_no_half_file(network: Path, tmp_path: Path) -> None:
    command = ["network", "anonymize", network, "--k", 5, "--out"]
    started = time.monotonic()
    assert run_auditor([*command, tmp_path / "warm.csv"], tmp_path).code == 0
    whole = time.monotonic() - started
    for i, moment in enumerate(MOMENTS):
        out = tmp_path / f"out{i}.csv"
        kill_at([*command, out], tmp_path, whole * moment)
        check_whole(out)
        again = run_auditor([*command, out, "--force"], tmp_path)
        assert again.code == 0, again.err
        assert check_whole(out)
        assert not list(tmp_path.glob(".auditor-*")), "what the killed one left was removed"


@pytest.mark.slow
@pytest.mark.neo4j
def test_an_export_from_the_store_that_is_killed_is_never_out_without_a_record(
    network: Path, tmp_path: Path, neo4j_settings: Settings
) -> None:
    home = neo4j_settings.home
    name = f"killed {tmp_path.name}"
    assert run_auditor(["network", "add", name, network], home).code == 0
    command = ["network", "anonymize", f"network:{name}", "--k", 5, "--out"]
    started = time.monotonic()
    assert run_auditor([*command, tmp_path / "warm.csv"], home).code == 0
    whole = time.monotonic() - started
    for i, moment in enumerate(MOMENTS[4:]):
        out = tmp_path / f"out{i}.csv"
        kill_at([*command, out], home, whole * moment)
        with open_store(neo4j_settings) as store:
            recorded = {export.path: export for export in Exports(store).list(f"network:{name}")}
            assert store.ledger.verify().intact
        if check_whole(out):
            digest = hashlib.sha256(out.read_bytes()).hexdigest()
            assert recorded[str(out)].checksum == digest
        assert run_auditor([*command, out, "--force"], home).code == 0
        assert check_whole(out)
