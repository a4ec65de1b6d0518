"""The local Neo4j with real processes: started once, found again, killed, retired.

The tests of this file share one home, in the order in which they stand: each leaves one from which the next can start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreUnavailable
from auditor.store.connection import Connection
from auditor.store.local import ensure_running, status, stop
from auditor.store.local.layout import Layout
from auditor.store.local.state import ServerState, process_identity, write_state
from tests.support.local_server import marks, pid_of, start_command, state_of, until, write_mark

# all or none: `make test` must not leave out the one that starts the server
pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


@pytest.fixture(scope="module")
def settings(neo4j_installed: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    home = tmp_path_factory.mktemp("local server") / "höme"
    settings = neo4j_installed.model_copy(update={"home": home, "store": StoreSettings(retry_time=1)})
    yield settings
    stop(settings)


def test_two_processes_that_start_at_once_get_one_server(settings: Settings) -> None:
    first, second = start_command(settings), start_command(settings)
    urls = {process.communicate(timeout=600)[0].split()[-1] for process in (first, second)}
    assert first.returncode == second.returncode == 0
    found = status(settings)
    assert found.running
    assert urls == {f"bolt://127.0.0.1:{found.port}"}
    assert found.since is not None
    assert found.disk_bytes > 0
    write_mark(settings, "one")


def test_the_running_server_is_found_and_the_state_is_private(settings: Settings) -> None:
    pid = pid_of(settings)
    endpoint = ensure_running(settings, progress=lambda *_: pytest.fail("nothing is to be done"))
    assert pid_of(settings) == pid
    assert endpoint.password not in repr(endpoint)
    assert endpoint.password not in repr(status(settings))
    assert Layout.of(settings).state.stat().st_mode & 0o077 == 0
    assert settings.home.stat().st_mode & 0o077 == 0


def test_the_well_known_password_and_a_wrong_one_are_refused(settings: Settings) -> None:
    for password in ("neo4j", "swordfish"):
        store = StoreSettings.model_validate({"url": ensure_running(settings).url, "password": password})
        with pytest.raises(StoreUnavailable, match=r"refused the log-in; check NEO4J_USERNAME") as caught:
            Connection.open(settings.model_copy(update={"store": store}))
        assert password not in str(caught.value).replace("NEO4J", "").replace("Neo4j", "")


@pytest.mark.parametrize("content", [b"", b"{", b"\x00\xff", b"[1, 2]", b'{"pid": 1}', None])
def test_a_damaged_state_file_is_mended_by_the_server(settings: Settings, content: bytes | None) -> None:
    path = Layout.of(settings).state
    before = state_of(settings)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    until(lambda: state_of(settings) == before)
    assert marks(settings) == {"one"}


def test_a_killed_server_is_started_again_with_its_data(settings: Settings) -> None:
    killed, password = pid_of(settings), ensure_running(settings).password
    write_mark(settings, "two")
    os.kill(killed, signal.SIGKILL)
    until(lambda: process_identity(killed) is None)
    assert not status(settings).running
    assert marks(settings) == {"one", "two"}
    assert pid_of(settings) != killed
    assert ensure_running(settings).password != password, "it is made anew at each start"


def test_stop_ends_it_quietly_and_once(settings: Settings) -> None:
    pid = pid_of(settings)
    assert stop(settings)
    assert not Layout.of(settings).state.exists()
    assert not stop(settings)
    assert not status(settings).running
    # the process may write the archive of classes yet
    until(lambda: process_identity(pid) is None)


def test_a_stale_state_with_the_pid_of_another_process_is_seen_through(settings: Settings) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        stale = ServerState(bystander.pid, "an earlier process", "ready", 1.0, "5.26.18", 9, "x")
        write_state(Layout.of(settings).state, stale)
        assert not status(settings).running
        assert not stop(settings)
        assert bystander.poll() is None, "it is not ours to stop"
        starting = start_command(settings)
        until(lambda: (state := state_of(settings)) is not None and state.phase == "starting")
        starting.kill()
        starting.communicate()
        assert bystander.poll() is None
    finally:
        bystander.communicate()


def test_a_killed_starter_leaves_a_server_that_the_next_one_finds(settings: Settings) -> None:
    started = pid_of(settings)
    ensure_running(settings)
    assert pid_of(settings) == started
    assert marks(settings) == {"one", "two"}


def test_a_frozen_server_is_told(settings: Settings) -> None:
    pid = pid_of(settings)
    store = settings.store.model_copy(update={"connection_timeout": 0.5})
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable, match=r"runs but does not answer; end it with 'auditor store stop'"):
            Connection.open(settings.model_copy(update={"store": store}))
    finally:
        os.kill(pid, signal.SIGCONT)
    assert stop(settings)
