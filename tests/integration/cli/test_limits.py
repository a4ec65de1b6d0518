"""`network anonymize` with limits, end to end on files: what is written holds them, and no message names anybody."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.formats.networks import read_network
from cli.app import run
from tests.support.friends import KARATE, SECRET

pytestmark = pytest.mark.usefixtures("friends_folder")


def names(path: str, *vertices: int | tuple[int, int]) -> str:
    rows = [v if isinstance(v, tuple) else (v,) for v in vertices]
    Path(path).write_text("".join(",".join(f"{SECRET}{v}" for v in row) + "\n" for row in rows), encoding="utf-8")
    return path


def anonymize(
    capsys: pytest.CaptureFixture[str], *words: object, k: int = 3, code: int = 0, network: str = "friends.csv"
) -> Any:
    assert run(["--json", "network", "anonymize", network, "--k", str(k), *map(str, words)]) == code
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    return json.loads(out or err)


def degrees_in(released: str, key: str) -> dict[int, int]:
    """The published degree of every vertex of the original, by the key."""
    network = read_network(Path(released))
    degrees = dict(zip(network.labels.tolist(), network.graph.degrees().tolist(), strict=True))
    with Path(key).open(newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return {int(ours.removeprefix(SECRET)): degrees[int(theirs)] for ours, theirs in rows}


def changes_in(released: str, key: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The added and the deleted edges, in vertices of the original."""
    with Path(key).open(newline="") as stream:
        ours = {int(theirs): int(name.removeprefix(SECRET)) for name, theirs in list(csv.reader(stream))[1:]}
    network = read_network(Path(released))
    after = {tuple(sorted(ours[v] for v in edge)) for edge in network.labels[network.graph.edges].tolist()}
    before = {tuple(sorted(edge)) for edge in KARATE.get_edgelist()}
    return after - before, before - after  # type: ignore[return-value]


def write(*words: object) -> list[object]:
    return [*words, "--out", "released.csv", "--key-file", "key.csv"]


def test_only_a_subset_is_protected(capsys: pytest.CaptureFixture[str]) -> None:
    members = (0, 2, 32, 33, 1, 8)
    found = anonymize(capsys, *write("--only", names("only.txt", *members)))
    degrees = degrees_in("released.csv", "key.csv")
    _, sizes = np.unique([degrees[v] for v in members], return_counts=True)
    assert sizes.min() >= 3
    claim = json.loads(Path("released.csv.manifest.json").read_text())["claim"]
    assert (claim["scope"], claim["k"]) == ("subset", 3)
    assert found["edges_deleted"] == 0
    assert found["lower_bound"] <= found["edges_added"]
    assert {check["name"] for check in found["verification"]} >= {"k-anonymous within the subset", "edges added"}


def test_forbidden_edges_and_vertices_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    edges = names("edges.csv", *combinations(range(4), 2), (0, 33), (2, 33))
    vertices = names("vertices.txt", 14, 15)
    found = anonymize(capsys, *write("--forbid-edges", edges, "--forbid-vertices", vertices))
    added, deleted = changes_in("released.csv", "key.csv")
    assert len(added) == found["edges_added"] > 0
    assert not deleted
    assert not added & ({*combinations(range(4), 2)} | {(0, 33), (2, 33)})
    assert not {14, 15} & {v for edge in added for v in edge}
    assert {check["name"] for check in found["verification"]} >= {"forbidden edges", "forbidden vertices"}


def test_no_degree_grows_by_more_than_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    anonymize(capsys, *write("--max-increase", 5))
    degrees = degrees_in("released.csv", "key.csv")
    assert max(degrees[v] - d for v, d in enumerate(KARATE.degree())) <= 5


def test_limits_that_leave_no_answer_end_with_1_and_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    found = anonymize(capsys, *write("--max-increase", 1), code=1)
    assert found["status"] == "infeasible"
    assert [found[name] for name in ("edges_added", "edges_deleted", "lower_bound", "gap")] == [None] * 4
    assert "no degree may grow by more than 1" in found["reason"]
    assert sorted(path.name for path in Path().iterdir()) == ["friends.csv"]


def test_edges_are_deleted_where_that_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    found = anonymize(capsys, *write("--allow", "add,delete"), k=5)
    added, deleted = changes_in("released.csv", "key.csv")
    assert (len(added), len(deleted)) == (found["edges_added"], found["edges_deleted"])
    assert deleted
    assert not json.loads(Path("released.csv.manifest.json").read_text())["claim"]["supergraph"]


def test_plausible_edges_cost_no_more_and_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    plain = anonymize(capsys, "--dry-run")
    found = anonymize(capsys, *write("--plausible"))
    assert found["edges_added"] <= plain["edges_added"]
    after, before = (found["plausibility"][f"distinguishability{when}"] for when in ("", "_before"))
    assert found["plausibility"]["distance"] == pytest.approx(abs(after - 0.5))
    assert found["plausibility"]["distance"] <= abs(before - 0.5) + 1e-12


def test_the_next_version_holds_against_whoever_has_both(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path("friends.csv").read_text().splitlines()
    Path("then.csv").write_text("\n".join(lines[:-3]) + "\n", encoding="utf-8")
    anonymize(capsys, "--out", "then-released.csv", "--key-file", "then-key.csv", network="then.csv")
    found = anonymize(capsys, *write("--previous", "then-released.csv", "--previous-key", "then-key.csv"))
    then, now = degrees_in("then-released.csv", "then-key.csv"), degrees_in("released.csv", "key.csv")
    _, sizes = np.unique([(then.get(v, -1), now[v]) for v in now], axis=0, return_counts=True)
    assert sizes.min() >= 3
    assert {check["name"] for check in found["verification"]} >= {"k-anonymous with the earlier versions"}
    assert json.loads(Path("released.csv.manifest.json").read_text())["claim"]["earlier"] == 1


def test_people_say_the_same_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"network anonymize friends.csv --k 3 --plausible --dry-run --only {names('only.txt', *range(10))}"
    assert run(words.split()) == 0
    out, err = capsys.readouterr()
    assert out.startswith("friends.csv: what makes it 3-degree-anonymous in the subset (nothing was written)")
    assert "looks more real" in out
    assert SECRET not in out + err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--only none.txt", "none.txt cannot be read"),
        ("--only wrong.txt", "wrong.txt, line 2: no vertex"),
        ("--forbid-edges wrong.txt", "line 1: there must be two ids"),
        ("--only few.txt", "larger than the subset"),
        ("--allow delete", "--allow must be"),
        ("--plausible --method clustering", "--method does not go together with --plausible"),
        ("--max-increase 3 --gap 0.1", "--gap does not go together with --max-increase"),
        ("--previous friends.csv", "--previous-key: 0"),
        ("--previous-key friends.csv", "--previous-key: 1"),
        ("--previous friends.csv --previous-key friends.csv --keep town", "--keep does not go together"),
        ("--previous friends.csv --previous-key friends.csv", "no key file"),
    ],
)
def test_what_cannot_be_meant_is_refused(capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    Path("wrong.txt").write_text(f"{SECRET}1\n{SECRET}nobody\n", encoding="utf-8")
    Path("few.txt").write_text(f"{SECRET}1\n", encoding="utf-8")
    error = anonymize(capsys, "--dry-run", *words.split(), code=2)["error"]
    assert message in error["message"]


def test_a_list_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    only = names("only.csv", *range(6))
    text = Path(only).read_text()
    anonymize(capsys, "--only", only, "--out", only, "--force", code=2)
    assert Path(only).read_text() == text
