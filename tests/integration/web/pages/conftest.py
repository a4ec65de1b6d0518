"""A service that listens, on an emptied store that the tests of one file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.opening import Store
from tests.support.emptying import emptied
from tests.support.web_pages import ServedPages, served_pages


@pytest.fixture(scope="module")
def module_store(neo4j_settings: Settings) -> Iterator[Store]:
    """A store that is empty at first."""
    with Connection.open(neo4j_settings) as connection:
        yield emptied(connection)


@pytest.fixture(scope="module")
def pages(module_store: Store, neo4j_settings: Settings) -> Iterator[ServedPages]:
    """A service under the default policy."""
    with served_pages(module_store, neo4j_settings) as served:
        yield served
