"""One real Neo4j for the whole test run, or for each process of one: the local server, in a home of its own.

A file is run by one process (``--dist loadfile``), since the tests of some files follow each other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditor.config import Settings, StoreSettings, load_settings
from auditor.core.errors import StoreUnavailable
from auditor.store.connection import Connection
from auditor.store.local import ensure_running, install, stop
from tests.support.chromium import running_chromium
from tests.support.emptying import empty

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _absent(error: StoreUnavailable) -> None:
    """Fail on CI, where Neo4j must be; elsewhere skip with the way to get it."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"these tests need Neo4j: {error}", pytrace=False)
    pytest.skip(f"not run, they need Neo4j ('auditor store install' fetches it): {error}")


@pytest.fixture(scope="session")
def short_lived_machines() -> Iterator[None]:
    """Have Java compile once: what its second compiler makes pays in minutes, and few servers here live so long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
        yield


@pytest.fixture(scope="session")
def neo4j_installed(short_lived_machines: None) -> Settings:
    """Settings whose cache holds the server; skips, or on CI fails, where it cannot be had."""
    settings = load_settings(environ={name: os.environ[name] for name in _MACHINE if name in os.environ})
    try:
        install(settings)
    except StoreUnavailable as error:
        _absent(error)
    return settings


_MACHINE = ("HOME", "AUDITOR_CACHE", "XDG_CACHE_HOME", "AUDITOR_NEO4J_LIB")


@pytest.fixture(scope="session")
def neo4j_server(neo4j_installed: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of the running server of this test run; query notifications are warnings, hence errors."""
    home: Path = tmp_path_factory.mktemp("auditor-home")
    # a store that is emptied and filled again and again would have all its queries planned anew each time
    store = StoreSettings(strict_notifications=True, idle_minutes=60, replan_seconds=3600)
    settings = neo4j_installed.model_copy(update={"home": home, "store": store})
    try:
        ensure_running(settings)
    except StoreUnavailable as error:
        _absent(error)
    yield settings
    stop(settings)


@pytest.fixture(scope="module")
def neo4j_settings(neo4j_server: Settings) -> Settings:
    """Settings of the running server, whose store was emptied: which files of tests a process runs before is chance."""
    with Connection.open(neo4j_server) as connection:
        empty(connection)
    return neo4j_server


@pytest.fixture
def neo4j_connection(neo4j_settings: Settings) -> Iterator[Connection]:
    """An open connection to an emptied store; constraints and indexes stay."""
    with Connection.open(neo4j_settings) as connection:
        empty(connection)
        yield connection


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A running Chromium, started once."""
    with running_chromium() as browser:
        yield browser
