"""Degrees under which people were published before, found by the key of the earlier release."""

from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import BadFile, BadInput
from auditor.subjects.networks.exports.earlier import earlier_degrees_by_key

# published: 0–1, 0–2, 0–3; ann is 0, bob 1, cid 2, dee 3
RELEASED = "source,target\n0,1\n0,2\n0,3\n"
KEY = "original,published\nann,0\nbob,1\ncid,2\ndee,3\n"


def labels(*names: str) -> np.ndarray:
    return np.array(names, dtype=object)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "released.csv").write_text(RELEASED, encoding="utf-8")
    (tmp_path / "key.csv").write_text(KEY, encoding="utf-8")
    return tmp_path


def test_people_keep_their_label_over_versions(folder: Path) -> None:
    found = earlier_degrees_by_key(folder / "released.csv", folder / "key.csv", labels("new", "dee", "ann", "bob"))
    assert found.tolist() == [-1, 1, 3, 1]


def test_numbers_as_labels(folder: Path) -> None:
    (folder / "key.csv").write_text("original,published\n7,3\n8,0\n9,1\n10,2\n", encoding="utf-8")
    found = earlier_degrees_by_key(folder / "released.csv", folder / "key.csv", np.array([8, 9, 11]))
    assert found.tolist() == [3, 1, -1]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (KEY.replace("dee,3", "dee,4"), "line 5: no vertex of the release"),
        (KEY + "ann,3\n", "line 6: this vertex of the original was named before"),
        (KEY.replace("dee,3\n", ""), "vertex by vertex"),
        (KEY.replace("original", "ours"), "no key file"),
    ],
)
def test_the_key_of_another_release_is_refused(folder: Path, key: str, message: str) -> None:
    (folder / "key.csv").write_text(key, encoding="utf-8")
    with pytest.raises(BadFile, match=message) as raised:
        earlier_degrees_by_key(folder / "released.csv", folder / "key.csv", labels("ann"))
    assert "dee" not in str(raised.value)


def test_a_release_of_other_people_is_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="no vertex id in common") as raised:
        earlier_degrees_by_key(folder / "released.csv", folder / "key.csv", labels("zoe", "yan"))
    assert raised.value.exit_code == 2
    assert not any(name in str(raised.value) for name in ("ann", "zoe"))
