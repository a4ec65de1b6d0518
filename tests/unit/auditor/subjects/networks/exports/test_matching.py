"""A key file tells which vertex is which, or says at which line it does not; it never says whose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from auditor.core.digests import file_digest
from auditor.core.errors import BadFile
from auditor.exports.key_file import write_key
from auditor.exports.repository import Exports
from auditor.subjects.networks.exports.matching import match_by_key, match_by_store, was_changed

LABELS = np.array(["ann", 'b"ob', "cara, d", "eve"], dtype=object)
PUBLISHED = np.array([2, 0, 3, 1])


def test_a_key_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_key(tmp_path / "key.csv", LABELS, PUBLISHED)
    assert match_by_key(tmp_path / "key.csv", LABELS, np.arange(4)).tolist() == PUBLISHED.tolist()
    # a release whose vertices are in another order
    assert match_by_key(tmp_path / "key.csv", LABELS, np.array([3, 2, 1, 0])).tolist() == [1, 3, 0, 2]


def test_numbers_as_labels(tmp_path: Path) -> None:
    write_key(tmp_path / "key.csv", np.array([10, 7, 30, 99]), PUBLISHED)
    assert match_by_key(tmp_path / "key.csv", np.array([10, 7, 30, 99]), np.arange(4)).tolist() == PUBLISHED.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "first line"),
        ("published,original\n1,ann\n", "first line"),
        ("original,published\nann,2,3\n", "line 2"),
        ("original,published\nann,2\nzoe,1\n", "line 3"),
        ("original,published\nann,7\n", "line 2"),
        ("original,published\nann,2\nann,1\n", "line 3"),
        ("original,published\nann,2\n", "vertex by vertex"),
        ('original,published\nann,2\n"b""ob",2\n"cara, d",3\neve,1\n', "vertex by vertex"),
        ("original,published\n\xff\n", "UTF-8"),
    ],
)
def test_a_key_that_does_not_fit_is_told_without_a_label(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "key.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadFile, match=said) as caught:
        match_by_key(path, LABELS, np.arange(4))
    assert not any(word in str(caught.value) for word in ("ann", "zoe", "ob", "cara", "eve"))


def test_an_absent_key_and_a_network_of_another_size(tmp_path: Path, store_of: Any) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        match_by_key(tmp_path / "none.csv", LABELS, np.arange(4))
    write_key(tmp_path / "key.csv", LABELS, PUBLISHED)
    with pytest.raises(BadFile, match="vertex by vertex"):
        match_by_key(tmp_path / "key.csv", LABELS, np.arange(5))


@pytest.fixture
def store_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Any], np.ndarray | None], Any]:
    def made(exports: list[Any], key: np.ndarray | None) -> Any:
        monkeypatch.setattr(Exports, "list", lambda self, subject: exports)
        monkeypatch.setattr(Exports, "relabelling", lambda self, id: key)
        return SimpleNamespace(connection=None, ledger=None)

    return made


def test_the_store_knows_a_file_by_its_checksum(tmp_path: Path, store_of: Any) -> None:
    path = tmp_path / "r.csv"
    path.write_text("0,1\n")
    mine = SimpleNamespace(id="b", checksum=file_digest(path), key_kept=True)
    other = SimpleNamespace(id="a", checksum="00", key_kept=True)
    found = match_by_store(store_of([other, mine], PUBLISHED), "friends", path, np.arange(4))
    assert found is not None
    assert found.tolist() == PUBLISHED.tolist()
    assert match_by_store(store_of([other], PUBLISHED), "friends", path, np.arange(4)) is None
    mine.key_kept = False
    assert match_by_store(store_of([mine], None), "friends", path, np.arange(4)) is None
    mine.key_kept = True
    assert match_by_store(store_of([mine], PUBLISHED), "friends", path, np.array([1, 2, 3, 4])) is None


def test_the_store_tells_a_changed_file_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("0,1\n")
    exports: Any = [SimpleNamespace(path=str(path), files={path.name: file_digest(path)})]
    elsewhere: Any = [SimpleNamespace(path=str(tmp_path / "other.csv"), files={"other.csv": "00"})]
    assert not was_changed(path)
    assert not was_changed(path, exports)
    path.write_text("0,2\n")
    assert was_changed(path, exports)
    assert not was_changed(path, elsewhere)
