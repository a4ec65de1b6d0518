"""Killed processes and a killed server: a network is there whole or not at all, and the next command goes on."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreError
from auditor.store.connection import Connection
from auditor.store.local import ensure_running, status, stop
from auditor.store.opening import Store, open_store
from auditor.subjects.networks import load as network_load
from auditor.subjects.networks import parts as network_parts
from auditor.subjects.networks import removal as network_removal
from auditor.subjects.networks.repository import Networks
from tests.support.store_samples import random_network, same_network

pytestmark = pytest.mark.neo4j

NETWORK = random_network(1, n=12, m=14, text_labels=True)
MOMENTS = ("before", "inside", "after")
_LAST_WRITE = 6
"""Of a transaction: not begun, all statements run but not committed, committed."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a small network take several transactions; children inherit this."""
    monkeypatch.setattr(network_load, "_VERTICES", 6)
    monkeypatch.setattr(network_load, "_EDGES", 9)
    monkeypatch.setattr(network_parts, "_STEP", 6)
    monkeypatch.setattr(network_removal, "_EDGES", 7)
    monkeypatch.setattr(network_removal, "_VERTICES", 7)


def _die_at(write_number: int, moment: str, pid: int | None = None) -> None:
    """Make this process (or another) be killed at a moment of its n-th writing transaction from now on."""
    write = Connection.write
    count = 0

    def die() -> None:
        try:
            os.kill(pid or os.getpid(), signal.SIGKILL)
        except ProcessLookupError:
            # the end was noticed before the commit was asked for, and the work is done again with another server
            raise StoreError("the server was killed before") from None

    def counted(self: Connection, work: object) -> object:
        nonlocal count
        count += 1
        if count != write_number:
            return write(self, work)  # type: ignore[arg-type]
        if moment == "before":
            die()

        def inside(tx: object) -> object:
            result = work(tx)  # type: ignore[operator]
            if moment == "inside":
                die()
            return result

        result = write(self, inside)
        if moment == "after":
            die()
        return result

    Connection.write = counted  # type: ignore[assignment,method-assign]


def _in_child(target: object, *args: object) -> int | None:
    process = multiprocessing.get_context("fork").Process(target=target, args=args)  # type: ignore[arg-type]
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


def _add_and_die(settings: Settings, write_number: int, moment: str) -> None:
    with open_store(settings) as store:
        _die_at(write_number, moment)
        Networks(store).add("n", NETWORK, source="f", actor="ada")
    os._exit(0)


def _remove_and_die(settings: Settings, write_number: int, moment: str) -> None:
    with open_store(settings) as store:
        _die_at(write_number, moment)
        Networks(store).remove("n", actor="ada")
    os._exit(0)


def _nothing_left(store: Store) -> bool:
    (left,) = store.connection.read(
        "MATCH (n:AuditorVertex|AuditorLoadingNetwork|AuditorRemovedNetwork) RETURN count(n) AS n"
    )
    return bool(left["n"] == 0)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_load_is_whole_or_gone_and_the_next_one_succeeds(
    store: Store, neo4j_settings: Settings, moment: str
) -> None:
    outcomes = []
    for write_number in range(1, 20):
        exit_code = _in_child(_add_and_die, neo4j_settings, write_number, moment)
        outcomes.append(Networks(store).exists("n"))
        with open_store(neo4j_settings) as again:
            if not outcomes[-1]:
                assert _nothing_left(again)
                Networks(again).add("n", NETWORK, source="f", actor="ada")
            assert same_network(Networks(again).load("n"), NETWORK)
            Networks(again).remove("n", actor="ada")
            assert _nothing_left(again)
        if exit_code == 0:
            break
    assert exit_code == 0
    # begin, at least two batches each of vertices and edges, publish
    assert len(outcomes) >= 7
    # only the last transaction, once committed, makes it visible
    assert outcomes == [False] * (len(outcomes) - (2 if moment == "after" else 1)) + [True] * (
        2 if moment == "after" else 1
    )
    assert store.ledger.verify().intact


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_removal_is_gone_at_once_and_deleted_by_the_next_command(
    store: Store, neo4j_settings: Settings, moment: str
) -> None:
    for write_number in range(1, 20):
        if not Networks(store).exists("n"):
            Networks(store).add("n", NETWORK, source="f", actor="ada")
        exit_code = _in_child(_remove_and_die, neo4j_settings, write_number, moment)
        hidden = write_number > 1 or moment == "after"
        assert Networks(store).exists("n") is not hidden
        with open_store(neo4j_settings) as again:
            assert _nothing_left(again) is hidden
        if exit_code == 0:
            break
    assert exit_code == 0
    assert store.ledger.verify().intact


@pytest.fixture(scope="module")
def own_server(neo4j_installed: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a server that a test may kill."""
    home: Path = tmp_path_factory.mktemp("killed-home")
    store = StoreSettings(strict_notifications=True, idle_minutes=60, retry_time=1)
    settings = neo4j_installed.model_copy(update={"home": home, "store": store})
    ensure_running(settings)
    yield settings
    stop(settings)


@pytest.mark.slow
@pytest.mark.parametrize("write_number", [3, _LAST_WRITE])
def test_a_server_killed_in_mid_transaction_loses_nothing_acknowledged_and_shows_nothing_half(
    own_server: Settings, write_number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_running(own_server)
    with open_store(own_server) as store:
        kept = f"kept {write_number}"
        Networks(store).add(kept, NETWORK, source="f", actor="ada")
        before = [info.name for info in Networks(store).list()]
        pid = status(own_server).pid
        assert pid is not None
        monkeypatch.setattr(Connection, "write", Connection.write)
        _die_at(write_number, "inside", pid)
        # the last transaction, which is repeated with the next server, makes it visible
        if write_number == _LAST_WRITE:
            Networks(store).add("struck", NETWORK, source="f", actor="ada")
        else:
            with pytest.raises(StoreError):
                Networks(store).add("struck", NETWORK, source="f", actor="ada")
        monkeypatch.undo()
    with open_store(own_server) as store:
        there = ["struck"] if write_number == _LAST_WRITE else []
        assert [info.name for info in Networks(store).list()] == sorted([*before, *there])
        for name in (kept, *there):
            assert same_network(Networks(store).load(name), NETWORK)
        (left,) = store.connection.read("MATCH (n:AuditorLoadingNetwork|AuditorRemovedNetwork) RETURN count(n) AS n")
        assert left["n"] == 0
        assert store.ledger.verify().intact
        # the same name can be loaded again
        if there:
            Networks(store).remove("struck", actor="ada")
        Networks(store).add("struck", NETWORK, source="f", actor="ada")
        Networks(store).remove("struck", actor="ada")
