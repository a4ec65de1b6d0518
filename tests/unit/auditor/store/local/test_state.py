"""The state file: what is taken for a running server, and what is not."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.store.local import state as module
from auditor.store.local.state import ServerState, is_running, process_identity, read_state, write_state

HERE = ServerState(
    pid=os.getpid(),
    identity=process_identity(os.getpid()) or "",
    phase="ready",
    since=1.0,
    version="5.26.18",
    port=7687,
    password="secret-of-the-test",
)


def test_what_was_written_is_read_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    write_state(path, HERE)
    assert read_state(path) == HERE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["server.json"]


def test_the_password_is_not_in_the_repr() -> None:
    assert HERE.password not in repr(HERE)


@given(st.binary())
def test_any_file_is_read_as_none_or_a_state(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(content)
    assert read_state(path) is None


@pytest.mark.parametrize(
    "change",
    [{"pid": "1"}, {"pid": 0}, {"pid": -5}, {"pid": 1}, {"port": 70000}, {"port": None}, {"password": 3}, {"x": 1}],
)
def test_a_state_with_a_wrong_field_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "server.json"
    path.write_text(json.dumps({**asdict(HERE), **change}), encoding="ascii")
    assert read_state(path) is None


def test_a_process_is_told_from_a_later_one_with_its_pid() -> None:
    assert is_running(HERE)
    assert not is_running(replace(HERE, identity="another boot:1"))


def test_an_ended_process_does_not_run_not_even_as_a_zombie() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    identity = process_identity(child.pid)
    assert identity is not None
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process_identity(child.pid) is None, "a zombie"
    child.communicate()
    assert process_identity(child.pid) is None


def test_without_proc_the_start_time_is_told_by_ps() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        first = module._identity_by_ps(child.pid)
        assert first
        assert module._identity_by_ps(child.pid) == first
    finally:
        child.kill()
        child.communicate()
    assert module._identity_by_ps(child.pid) is None


def test_a_full_disk_leaves_the_old_state_and_nothing_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "server.json"
    write_state(path, HERE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("json.dump", full)
    with pytest.raises(OSError, match="No space left"):
        write_state(path, replace(HERE, port=1))
    assert read_state(path) == HERE
    assert [entry.name for entry in tmp_path.iterdir()] == ["server.json"]
