"""Tests that take long are marked as slow: those of `slow_tests.txt`, beside those that say so themselves."""

from pathlib import Path

import pytest

from tests.support.slow_tests import LIST, names_in


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = names_in(Path(__file__).parent / LIST)
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)
