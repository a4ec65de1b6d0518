"""An exported ledger by itself: whatever is done to its lines is found, or the file is refused."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.core.errors import BadFile
from auditor.ledger.file import verify_file
from auditor.ledger.verification import Anchor
from cli.app import run
from tests.support.ledgers import chain_of, relinked, write_lines

CHAIN = chain_of([{"i": i, "name": "é"} for i in range(7)])
HEAD = Anchor(7, CHAIN[-1].hash, "my notes")


def told(path: Path) -> list[tuple[int, str]]:
    return [(fault.seq, fault.kind) for fault in verify_file(path).faults]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "ledger.jsonl", CHAIN)


def test_a_ledger_as_it_was_exported_is_intact(ledger: Path) -> None:
    report = verify_file(ledger, [HEAD])
    assert (report.intact, report.entries, report.head, report.first) == (True, 7, HEAD.hash, CHAIN[0].hash)


def test_other_ends_of_lines_are_none_of_its_content(ledger: Path) -> None:
    ledger.write_bytes(ledger.read_bytes().replace(b"\n", b"\r\n"))
    assert verify_file(ledger, [HEAD]).intact


@given(st.permutations(range(7)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_in_another_order_are_named(tmp_path: Path, order: list[int]) -> None:
    path = write_lines(tmp_path / "ledger.jsonl", [CHAIN[index] for index in order])
    report = verify_file(path)
    assert report.intact == (order == sorted(order))
    assert {fault.kind for fault in report.faults} <= {"moved"}
    # the lines that are left are in order
    moved = {fault.seq for fault in report.faults}
    kept = [index for index in order if index + 1 not in moved]
    assert kept == sorted(kept)


def test_only_the_line_that_was_moved_is_named(tmp_path: Path) -> None:
    order = [0, 5, 1, 2, 3, 4, 6]
    report = verify_file(write_lines(tmp_path / "ledger.jsonl", [CHAIN[index] for index in order]))
    assert [(fault.seq, fault.what) for fault in report.faults] == [(6, "out of order: it stands after entry 1")]


def test_missing_and_repeated_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    assert told(write_lines(path, [*CHAIN[:3], *CHAIN[4:]])) == [(4, "missing")]
    assert told(write_lines(path, [*CHAIN[:3], CHAIN[2], *CHAIN[3:]])) == [(3, "repeated")]
    assert told(write_lines(path, CHAIN[3:])) == [(1, "missing")]


def test_a_cut_end_is_found_with_what_was_kept(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "ledger.jsonl", CHAIN[:5])
    assert verify_file(path).intact
    rewriting = verify_file(path, [HEAD]).rewriting
    assert rewriting is not None
    assert (rewriting.last, rewriting.cut) == (6, True)


def test_an_edited_entry_is_named(tmp_path: Path) -> None:
    edited = [*CHAIN[:3], replace(CHAIN[3], payload='{"i":4}'), *CHAIN[4:]]
    assert told(write_lines(tmp_path / "ledger.jsonl", edited)) == [(4, "edited")]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_other_byte_is_found(ledger: Path, data: st.DataObject) -> None:
    content = b"".join(entry.json_line().encode() + b"\n" for entry in CHAIN)
    # the end of the last line belongs to nothing
    place = data.draw(st.integers(0, len(content) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    ledger.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
    with contextlib.suppress(BadFile):
        assert not verify_file(ledger).intact


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no entry"),
        (b"\n", "line 1"),
        (b"{}\n", "line 1"),
        (CHAIN[0].json_line().encode() + b"\n\xff\n", "line 2"),
        (CHAIN[0].json_line().encode() + b"\n" + CHAIN[1].json_line().encode()[:40], "line 2"),
    ],
)
def test_what_is_no_ledger_is_one_line(content: bytes, said: str, ledger: Path) -> None:
    ledger.write_bytes(content)
    with pytest.raises(BadFile, match=said):
        verify_file(ledger)


def test_what_is_no_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not exist"):
        verify_file(tmp_path / "missing")
    with pytest.raises(BadFile, match="not a file"):
        verify_file(tmp_path)


def test_the_command_needs_no_store_no_driver_and_no_engine(ledger: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from cli.app import run; code = run(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    environment = {**os.environ, "AUDITOR_HOME": str(tmp_path / "home"), "NEO4J_URI": "bolt://127.0.0.1:1"}
    command = [sys.executable, "-c", code, "ledger", "verify", "--file", str(ledger)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.startswith("the ledger is intact: 7 entries")
    assert not {"neo4j", "numpy", "scipy", "igraph", "numba", "cryptography"} & set(done.stderr.split())
    assert not (tmp_path / "home").exists()


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working folder without a store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.setenv("AUDITOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    return tmp_path


@pytest.mark.usefixtures("nowhere")
def test_exit_codes(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def auditor(line: str) -> tuple[int, str, str]:
        code = run(line.split())
        printed = capsys.readouterr()
        assert len(printed.err.splitlines()) <= 1
        return code, printed.out, printed.err

    notes = f"--head {HEAD.hash} --entries 7"
    assert auditor(f"ledger verify --file ledger.jsonl {notes}")[0] == 0
    forged = relinked([*CHAIN[:4], replace(CHAIN[4], actor="eve"), *CHAIN[5:]], 5)
    write_lines(ledger, forged)
    assert auditor("ledger verify --file ledger.jsonl")[0] == 0
    code, out, _ = auditor(f"ledger verify --file ledger.jsonl {notes}")
    assert code == 1
    assert "is not what it was" in out
    assert "begins at one of the entries 1 to 7" in out
    code, out, _ = auditor(f"ledger verify --file ledger.jsonl {notes} --json")
    assert code == 1
    assert '"rewriting": {' in out
    write_lines(ledger, [*CHAIN[:3], *CHAIN[4:]])
    code, out, _ = auditor("ledger verify --file ledger.jsonl")
    assert code == 1
    assert "has 1 fault" in out
    for line, said in (
        ("ledger verify --file missing.jsonl", "does not exist"),
        (f"ledger verify --file ledger.jsonl --head {HEAD.hash}", "belong together"),
        ("ledger verify --file ledger.jsonl --checkpoint missing", "--public-key too"),
        ("ledger verify --file ledger.jsonl --public-key missing", "--checkpoint too"),
        ("ledger verify --file ledger.jsonl --checkpoint ledger.jsonl --public-key missing", "cannot be read"),
        ("ledger create-key home/deep.key", "belongs elsewhere"),
        ("ledger checkpoint --key missing", "cannot be read"),
        ("ledger checkpoint", "--key"),
    ):
        code, out, err = auditor(line)
        assert (code, out) == (2, ""), line
        assert said in err
    assert auditor("ledger create-key audit.key")[0] == 0
    code, _, err = auditor("ledger create-key audit.key")
    assert code == 2
    assert "never overwritten" in err
    code, _, err = auditor("ledger verify --file ledger.jsonl --checkpoint ledger.jsonl --public-key audit.key.pub")
    assert code == 2
    assert "not a checkpoint" in err
    assert auditor("ledger checkpoint --key audit.key")[0] == 3
