"""The local Neo4j that ends by itself, cannot start, or meets a full disk; each test starts a server of its own."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.config import Settings, StoreSettings
from auditor.errors import StoreError, StoreUnavailable
from auditor.store.connection import Connection
from auditor.store.local import ensure_running, status, stop
from auditor.store.local.layout import Layout
from auditor.store.local.state import process_identity
from tests.support.local_server import marks, pid_of, until, write_mark

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


@pytest.fixture
def settings(neo4j_installed: Settings, tmp_path: Path) -> Iterator[Settings]:
    settings = neo4j_installed.model_copy(update={"home": tmp_path / "home", "store": StoreSettings(retry_time=1)})
    yield settings
    stop(settings)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 330 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=330m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("not run: it mounts a small file system, which needs root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_it_retires_when_idle_but_not_under_a_client(settings: Settings) -> None:
    hasty = settings.model_copy(update={"store": StoreSettings(idle_minutes=0.02)})
    with Connection.open(hasty) as connection:
        pid = pid_of(hasty)
        # The connection does nothing for longer than the idle time; that it is open is enough.
        begin = time.monotonic()
        until(lambda: time.monotonic() - begin > 4)
        assert connection.read("RETURN 1 AS one")[0]["one"] == 1
        assert pid_of(hasty) == pid
    until(lambda: process_identity(pid) is None)
    assert not Layout.of(hasty).state.exists()


def test_a_server_of_someone_else_is_used_as_it_is(settings: Settings, tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    for jar in Layout.of(settings).jars.glob("*.jar"):
        (lib / jar.name).symlink_to(jar)
    theirs = settings.model_copy(update={"neo4j_lib": lib, "cache": tmp_path / "no cache"})
    write_mark(theirs, "one")
    stop(theirs)
    try:
        assert marks(theirs) == {"one"}
        assert status(theirs).version == "5.26.18"
        assert not theirs.cache.exists()
    finally:
        stop(theirs)


def test_a_home_that_is_deleted_ends_its_server(settings: Settings, tmp_path: Path) -> None:
    ensure_running(settings)
    pid = pid_of(settings)
    settings.home.rename(tmp_path / "elsewhere")
    until(lambda: process_identity(pid) is None)


def test_a_store_that_cannot_be_opened_is_told_with_its_log(settings: Settings) -> None:
    databases = Layout.of(settings).neo4j / "data" / "databases"
    (databases / "store_lock").mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match=r"the local Neo4j did not start: .*; see .*server\.log") as caught:
        ensure_running(settings)
    assert len(str(caught.value).splitlines()) == 1
    (databases / "store_lock").rmdir()
    write_mark(settings, "one")


def fill(settings: Settings) -> None:
    """Record more than a full disk takes."""
    with Connection.open(settings) as connection:
        for _ in range(20):
            connection.write(
                lambda transaction: transaction.run("UNWIND range(1, 20000) AS i CREATE (:Filler {key: i})").consume()
            )


def test_a_disk_that_is_full_at_the_start_is_told(settings: Settings, small_disk: Path) -> None:
    home = settings.model_copy(update={"home": small_disk / "home"})
    (small_disk / "ballast").write_bytes(bytes(200_000_000))
    with pytest.raises(StoreUnavailable, match=r"the disk of .* is full: .* AUDITOR_HOME"):
        ensure_running(home)
    assert not status(home).running


def test_a_disk_that_fills_up_loses_nothing_that_was_recorded(settings: Settings, small_disk: Path) -> None:
    home = settings.model_copy(update={"home": small_disk / "home"})
    try:
        write_mark(home, "before")
        panicked = pid_of(home)
        ballast = small_disk / "ballast"
        free = os.statvfs(small_disk)
        ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - 3_000_000))
        with pytest.raises(StoreError) as caught:
            fill(home)
        assert len(str(caught.value).splitlines()) == 1
        ballast.unlink()
        # The server retires by itself: it could not serve again before a new start.
        until(lambda: process_identity(panicked) is None)
        assert "before" in marks(home)
        write_mark(home, "after")
        assert marks(home) == {"before", "after"}
    finally:
        stop(home)
