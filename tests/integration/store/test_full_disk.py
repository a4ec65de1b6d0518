"""The local Neo4j on a small file system that is filled again and again, and with a heap that is too small to start."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreError, StoreUnavailable
from auditor.store.connection import Connection
from auditor.store.local import ensure_running, status, stop
from auditor.store.local.layout import Layout
from auditor.store.local.memory import parse_memory
from auditor.store.local.state import process_identity
from tests.support.local_server import marks, pid_of, until, write_mark

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

_MEGABYTES = 600
LEFT = (3_000_000, 300_000, 12_000_000, 1_000_000)
"""How many bytes are left on the disk, one round after the other."""
TINY = "24m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own; skips, or on CI fails, where none can be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_MEGABYTES}m", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        reason = "it mounts a small file system, which this user may not"
        if os.geteuid() == 0 or os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(f"not run: {reason}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.fixture
def home(neo4j_installed: Settings, disk: Path) -> Iterator[Settings]:
    settings = neo4j_installed.model_copy(update={"home": disk / "home", "store": StoreSettings(retry_time=1)})
    yield settings
    stop(settings)


def leave(disk: Path, room: int) -> Path:
    """Fill the disk up to so many bytes, and return the file that does it."""
    free, ballast = os.statvfs(disk), disk / "ballast"
    with ballast.open("wb") as stream:
        for _ in range((free.f_bavail * free.f_frsize - room) // 1_000_000):
            stream.write(bytes(1_000_000))
    return ballast


def write_until_it_fails(connection: Connection, place: int) -> StoreError | None:
    """Record small and large transactions until one cannot be written."""
    for turn in range(200):
        size = (3, 400, 20_000)[(turn + place) % 3]
        try:
            connection.write(
                lambda tx, size=size: tx.run(  # type: ignore[misc]
                    "UNWIND range(1, $size) AS i CREATE (:Filler {key: i, text: 'x' + i})", size=size
                ).consume()
            )
        except StoreError as error:
            return error
    return None


def add_mark(connection: Connection, name: str) -> None:
    connection.write(lambda tx: tx.run("CREATE (:Mark {name: $name})", name=name).consume())


def test_a_disk_that_is_full_at_the_start_is_told(home: Settings, disk: Path) -> None:
    leave(disk, 100_000_000)
    with pytest.raises(StoreUnavailable, match=r"the disk of .* is full: .* AUDITOR_HOME"):
        ensure_running(home)
    assert not status(home).running


def test_a_disk_that_is_filled_again_and_again_loses_nothing_and_an_open_store_goes_on(
    home: Settings, disk: Path
) -> None:
    recorded: set[str] = set()
    with Connection.open(home) as connection:
        for place, room in enumerate(LEFT):
            add_mark(connection, f"before {place}")
            recorded.add(f"before {place}")
            ballast, pid = leave(disk, room), pid_of(home)
            with ThreadPoolExecutor(4) as pool:
                failed = list(pool.map(lambda place: write_until_it_fails(connection, place), range(4)))
            assert all(error is not None and len(str(error).splitlines()) == 1 for error in failed)
            if place % 2:
                # in whatever state it is then
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            # it ends by itself although there is no room yet: it could not serve before a new start
            until(lambda pid=pid: process_identity(pid) is None)  # type: ignore[misc]
            with pytest.raises(StoreUnavailable, match="is full"):
                connection.read("RETURN 1")
            ballast.unlink()
            # the same connection, no command in between
            until(lambda: _answers(connection), seconds=240)
            found = {record["name"] for record in connection.read("MATCH (m:Mark) RETURN m.name AS name")}
            assert found == recorded
            connection.execute("MATCH (f:Filler) CALL (f) { DELETE f } IN TRANSACTIONS OF 10000 ROWS")
    assert marks(home) == recorded


def _answers(connection: Connection) -> bool:
    try:
        return connection.read("RETURN 1 AS one")[0]["one"] == 1
    except StoreError:
        return False


def test_a_heap_that_is_too_small_to_start_is_made_larger_and_told(neo4j_installed: Settings, tmp_path: Path) -> None:
    """The virtual machine ends at once when its heap is exhausted, whatever it was that did not fit."""
    settings = neo4j_installed.model_copy(update={"home": tmp_path / "home", "store": StoreSettings()})
    tiny = settings.model_copy(update={"store": StoreSettings(heap=TINY)})
    told: list[str] = []
    try:
        write_mark(settings, "one")
        assert status(settings).heap == settings.store.heap
        pid = pid_of(settings)
        os.kill(pid, signal.SIGKILL)
        until(lambda: process_identity(pid) is None)
        ensure_running(tiny, progress=lambda what, done, total: told.append(what))
        assert marks(tiny) == {"one"}
        assert parse_memory(status(tiny).heap) > parse_memory(TINY)
        assert any("with a heap of" in what for what in told)
        assert f"a heap of {TINY} was too small to start" in Layout.of(tiny).log.read_text()
    finally:
        stop(settings)
