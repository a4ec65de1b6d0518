"""A database that counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.config import EdgeTableSettings
from auditor.formats.edge_tables import open_counter


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One DuckDB for all tests of files of tables."""
    folder: Path = tmp_path_factory.mktemp("counter")
    with open_counter(EdgeTableSettings(memory="400m", threads=2), folder) as connection:
        yield connection
