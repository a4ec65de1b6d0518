"""The local Neo4j that ends by itself or cannot start; each test starts a server of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreUnavailable
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
    # A file where its archive of classes would be: none is made, which takes longer than all the rest.
    assert Layout.of(theirs).classes.parent == theirs.home
    theirs.home.mkdir()
    Layout.of(theirs).classes.touch()
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
