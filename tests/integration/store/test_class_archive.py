"""The archive of classes with real servers: written once, used by the next start, and never in the way of one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.local import ensure_running, stop
from auditor.store.local.layout import Layout
from auditor.store.local.state import process_identity
from tests.support.local_server import marks, pid_of, until, write_mark

pytestmark = pytest.mark.neo4j

OTHER = {"server.jsa": "runtime.jsa", "runtime.jsa": "server.jsa"}


@pytest.fixture(scope="module")
def settings(neo4j_installed: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A home, and a cache of its own that holds the same jars."""
    folder = tmp_path_factory.mktemp("archive")
    jars = Layout.of(neo4j_installed).jars
    (folder / "cache").mkdir()
    if neo4j_installed.neo4j_lib is None:
        (folder / "cache" / jars.name).symlink_to(jars)
    return neo4j_installed.model_copy(update={"home": folder / "home", "cache": folder / "cache"})


def start_and_stop(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    """Start and stop a server; return whether it had an archive open, and what its virtual machine says of it."""
    log = Layout.of(settings).log
    before = log.stat().st_size if log.exists() else 0
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xlog:cds=info -XX:TieredStopAtLevel=1")
    try:
        ensure_running(settings)
        pid = pid_of(settings)
        is_open = "-server.jsa" in Path(f"/proc/{pid}/maps").read_text()
        write_mark(settings, "written")
        assert marks(settings) == {"written"}
    finally:
        stop(settings)
    # the archive is written when the store is closed already
    until(lambda: process_identity(pid) is None)
    return is_open, log.read_text()[before:]


def archives(settings: Settings) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in Layout.of(settings).classes.glob("*.jsa")}


def only(settings: Settings, ending: str) -> Path:
    (path,) = Layout.of(settings).classes.glob(f"*{ending}")
    return path


def test_the_first_server_writes_it_and_the_next_one_uses_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start_and_stop(settings, monkeypatch)[0] is False
    written = archives(settings)
    assert {name.partition("-")[2] for name in written} == {"runtime.jsa", "server.jsa"}
    # beside jars that somebody else brought nothing is written: each home has an archive of its own then
    home = settings.home.with_name("another") if settings.neo4j_lib is None else settings.home
    another_home = settings.model_copy(update={"home": home})
    is_open, said = start_and_stop(another_home, monkeypatch)
    assert is_open
    assert "mismatch" not in said
    assert "Unable to" not in said
    assert archives(settings) == written, "it is written once"


def cut(content: bytearray) -> bytearray:
    return content[: len(content) // 2]


def blot(content: bytearray) -> bytearray:
    middle = len(content) // 2
    content[middle : middle + 4096] = os.urandom(4096)
    return content


def empty(content: bytearray) -> bytearray:
    return bytearray()


@pytest.mark.parametrize(("damage", "ending"), [(cut, "server.jsa"), (blot, "server.jsa"), (empty, "runtime.jsa")])
def test_a_damaged_archive_stops_no_start(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytearray], bytearray], ending: str
) -> None:
    path, other = only(settings, ending), only(settings, OTHER[ending])
    sound, kept = path.read_bytes(), other.read_bytes()
    path.chmod(0o600)
    path.write_bytes(damage(bytearray(sound)))
    try:
        assert start_and_stop(settings, monkeypatch)[0] is False
        assert not path.exists(), "the next start may write a sound one"
    finally:
        path.write_bytes(sound)
        other.write_bytes(kept)
        path.with_name(path.name.partition("-")[0] + "-refused").unlink(missing_ok=True)
