"""Processes that go on running while the local Neo4j is killed (-9) under them, again and again."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from auditor.access.tokens import Tokens
from auditor.audits.repository import Audits
from auditor.config import Settings, StoreSettings
from auditor.schedules.repository import Schedules
from auditor.schedules.runs import Runs
from auditor.store.local import stop
from auditor.store.local.state import process_identity
from auditor.store.opening import Store, open_store
from benchmarks.schedule_workers import add_backlog
from tests.support.commands import environment
from tests.support.local_server import pid_of, until

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

KILLS = 2
"""The second one finds whoever goes on with a server that was started in place of another; a third adds nothing."""


@pytest.fixture
def settings(neo4j_installed: Settings, tmp_path: Path) -> Iterator[Settings]:
    settings = neo4j_installed.model_copy(update={"home": tmp_path / "home", "store": StoreSettings()})
    yield settings
    stop(settings)


def kill(settings: Settings) -> None:
    pid = pid_of(settings)
    os.kill(pid, signal.SIGKILL)
    until(lambda: process_identity(pid) is None)


@contextmanager
def running(folder: Path, home: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command that goes on; what it says is in a file of its name."""
    import sys

    with (folder / f"{words[0]}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli.app", *words],
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            yield process
            assert process.poll() is None, "it ended by itself"
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def ask(port: int, path: str, secret: str | None = None, timeout: float = 60) -> tuple[int, str]:
    """Return status and text of an answer; 0 where nobody listens."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        line.request("GET", path, headers={} if secret is None else {"Authorization": f"Bearer {secret}"})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        line.close()


def officer(store: Store) -> str:
    until_ = store.ledger.clock() + timedelta(days=1)
    return Tokens(store).create(person="ann", role="officer", expires_at=until_, actor="test")[1]


def test_all_that_goes_on_running_finds_a_killed_store_again(settings: Settings, tmp_path: Path) -> None:
    """Service, scheduler and sender share a store whose server is killed under all of them at once."""
    ticks = 40
    with open_store(settings) as store:
        add_backlog(store, 1, ticks)
        secret = officer(store)
    port = free_port()
    with (
        running(tmp_path, settings.home, "serve", "--port", str(port)) as service,
        running(tmp_path, settings.home, "schedule", "run"),
        running(tmp_path, settings.home, "notify", "run"),
    ):
        until(lambda: ask(port, "/readyz")[0] == 200)
        for _ in range(KILLS):
            kill(settings)
            # whoever asks is answered, and what is asked for is there again
            until(lambda: ask(port, "/readyz")[0] in (200, 503))
            until(lambda: ask(port, "/readyz")[0] == 200)
            status, text = ask(port, "/api/v1/networks/network", secret)
            assert (status, json.loads(text)["name"]) == (200, "network")
        assert service.poll() is None
        with open_store(settings) as store:
            (schedule,) = Schedules(store).list()
            until(
                lambda: _ticks(store, schedule.id)["done"] == ticks, found=lambda: _told(store, schedule.id, tmp_path)
            )
            # every tick has its one audit
            assert len(Audits(store).list("network:network", limit=1000)) == ticks
            assert store.ledger.verify().intact


def _ticks(store: Store, schedule: str) -> Counter[str]:
    """Return how many ticks of a schedule have each status."""
    return Counter(tick.status for tick in Runs(store).of_schedule(schedule, 1000))


def _told(store: Store, schedule: str, folder: Path) -> str:
    """Return the statuses of the ticks and what the commands said."""
    logs = [f"{log.name}:\n{log.read_text('utf-8')}" for log in sorted(folder.glob("*.log"))]
    return "\n".join([str(_ticks(store, schedule)), *logs])


def test_a_probe_is_answered_while_the_server_and_all_requests_hang(settings: Settings, tmp_path: Path) -> None:
    with open_store(settings) as store:
        secret = officer(store)
    port = free_port()
    with running(tmp_path, settings.home, "serve", "--port", str(port)), ThreadPoolExecutor(60) as pool:
        until(lambda: ask(port, "/readyz")[0] == 200)
        pid = pid_of(settings)
        os.kill(pid, signal.SIGSTOP)
        try:
            # more than the service has threads
            asked = [pool.submit(ask, port, "/api/v1/networks", secret, 600) for _ in range(60)]
            for _ in range(5):
                status, text = ask(port, "/readyz", timeout=20)
                assert status == 503, text
                assert ask(port, "/healthz", timeout=20)[0] == 200
            assert not any(one.done() and one.result()[0] == 200 for one in asked)
            # it hangs and is killed: the requests that wait in it are answered by the one that is started
            os.kill(pid, signal.SIGKILL)
        finally:
            if process_identity(pid) is not None:
                os.kill(pid, signal.SIGCONT)
        until(lambda: ask(port, "/readyz")[0] == 200)
        assert {one.result()[0] for one in asked} == {200}


def test_an_open_store_goes_on_with_the_next_server(settings: Settings) -> None:
    with open_store(settings) as store:
        first = store.connection.url
        for number in range(KILLS):
            kill(settings)
            with ThreadPoolExecutor(8) as pool:
                # all threads at once: one starts the server, the others wait for it
                answers = list(pool.map(lambda _: store.info().networks, range(8)))
            assert answers == [0] * 8
            store.connection.write(lambda tx, number=number: tx.run("CREATE (:Mark {n: $n})", n=number).consume())  # type: ignore[misc]
        assert store.connection.read("MATCH (m:Mark) RETURN count(m) AS n")[0]["n"] == KILLS
        assert store.connection.url != first
