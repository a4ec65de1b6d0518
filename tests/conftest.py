"""What all tests share: those of `slow_tests.txt` are marked as slow, beside those that say so; there is one Spark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.slow_tests import LIST, names_in
from tests.support.spark import local_spark


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = names_in(Path(__file__).parent / LIST)
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Ibis on a Spark of this process: its start and first plans take half a minute, so it serves all tests."""
    with local_spark(tmp_path_factory.mktemp("spark")) as connection:
        yield connection
