"""`network compare` on files: what it says with and without a key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.app import run
from tests.support.friends import SECRET


@pytest.fixture
def folder(friends_folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A network of friends, and a release of it with its key."""
    words = "network anonymize friends.csv --k 3 --out released.csv --key-file key.csv -q"
    assert run(words.split()) == 0
    capsys.readouterr()
    return friends_folder


def answer(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    assert run(["--json", "network", "compare", *words]) == code
    out = capsys.readouterr().out
    assert SECRET not in out
    return json.loads(out)


@pytest.mark.usefixtures("folder")
def test_the_keys_of_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "friends.csv", "released.csv", "--key", "key.csv", "--all")
    assert set(found) == {"networks", "matched_by", "changed", "figures", "distances", "agreements"}
    assert found["changed"] == []
    assert found["networks"] == ["friends.csv", "released.csv"]
    assert found["matched_by"] == "key"
    assert {frozenset(row) for row in found["figures"]} == {frozenset({"figure", "values", "error_of_change", "note"})}
    assert {frozenset(row) for row in found["distances"]} == {frozenset({"figure", "value"})}
    assert {frozenset(row) for row in found["agreements"]} == {
        frozenset({"figure", "value", "error", "baseline", "note"})
    }
    assert found["figures"][0] == {"figure": "vertices", "values": [34, 34], "error_of_change": None, "note": ""}
    names = " ".join(row["figure"] for row in found["agreements"])
    assert all(word in names for word in ("core", "communities", "closeness", "betweenness"))


@pytest.mark.usefixtures("folder")
def test_without_a_key_nothing_is_compared_vertex_by_vertex(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "friends.csv", "released.csv", "--all")
    assert found["matched_by"] is None
    assert found["agreements"] == []
    assert len(found["distances"]) == 7
    assert run(["network", "compare", "friends.csv", "released.csv"]) == 0
    assert "Which vertex is which is not known" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_aspects_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "friends.csv", "released.csv", "--aspect", "cores", "--aspect", "spectrum")
    assert [row["figure"] for row in found["figures"]][5:] == [
        "largest core number",
        "mean core number",
        "largest eigenvalue",
        "second largest eigenvalue",
    ]
    assert run(["network", "compare", "friends.csv", "released.csv", "--aspect", "charm"]) == 2
    assert "'charm'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("original,published\nnobody,3\n", "line 2"),
        ("friend,id\n", "original,published"),
        ("original,published\n", "vertex by vertex"),
    ],
)
def test_a_wrong_key_is_one_line_without_a_label(
    folder: Path, key: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.csv").write_text(key)
    assert run(["network", "compare", "friends.csv", "released.csv", "--key", "wrong.csv"]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert len(message.strip().splitlines()) == 1
    assert "nobody" not in message
    assert SECRET not in message


def test_errors_of_sampled_figures_are_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import graphkit.networks.utility.path_lengths as path_lengths

    monkeypatch.setattr(path_lengths, "_EXACT_WORK", 0)
    ends = np.random.default_rng(1).integers(0, 90, (200, 2)).tolist()
    for name, kept in (("a.csv", 150), ("b.csv", 200)):
        (folder / name).write_text("".join(f"{u},{v}\n" for u, v in ends[:kept]))
    assert run(["network", "compare", "a.csv", "b.csv", "--sample", "20", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "±" in out
    assert "estimated from 20 random sources" in out


def test_a_file_that_is_no_longer_what_was_published_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "released.csv").read_text().splitlines()
    (folder / "released.csv").write_text("\n".join(lines[:-1]) + "\n")
    assert answer(capsys, "friends.csv", "released.csv")["changed"] == ["released.csv"]
    assert run(["network", "compare", "friends.csv", "released.csv"]) == 0
    assert "released.csv is no longer the file that was published" in capsys.readouterr().err
