"""What all tests share: those of `slow_tests.txt` are marked as slow, beside those that say so; there is one Spark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.slow_tests import LIST, names_in
from tests.support.spark import SharedSpark

# what a test takes is for pytest to say: an example that had to wait for another process is no failure
settings.register_profile("without-deadlines", settings.get_profile(settings.get_current_profile_name()), deadline=None)
settings.load_profile("without-deadlines")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = names_in(Path(__file__).parent / LIST)
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared_spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedSpark]:
    """What `spark` is taken from: for tests that start one of their own, and have to close this one before."""
    shared = SharedSpark(tmp_path_factory.mktemp("spark"))
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def spark(shared_spark: SharedSpark) -> Any:
    """Ibis on the Spark of all tests."""
    return shared_spark.connection()
