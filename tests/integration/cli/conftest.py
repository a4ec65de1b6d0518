"""Where commands run: a folder with a network in it, and no store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.friends import write_friends


@pytest.fixture
def friends_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a network of friends; the store does not answer."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    write_friends(tmp_path / "friends.csv")
    return tmp_path
