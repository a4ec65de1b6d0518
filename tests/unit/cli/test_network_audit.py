"""`auditor network audit` on files: what more knowledge singles out, and who, when asked on purpose."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli.app import run
from graphkit.networks import KNOWLEDGE

# an address where nothing answers: whoever needs a store fails
NOWHERE = "bolt://127.0.0.1:1"
# two triangles joined by a path: a-b-c, d-e-f, c-x, x-d
EDGES = ["a,b", "a,c", "b,c", "d,e", "d,f", "e,f", "c,x", "x,d"]


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NEO4J_URI", NOWHERE)
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    path = tmp_path / "friends.csv"
    path.write_text("\n".join(["source,target", *(f"zeb-{e[0]},zeb-{e[2]}" for e in EDGES)]) + "\n", encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: object, code: int) -> Any:
    assert run(["--json", "network", "audit", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_the_degree_alone_decides_by_default(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, network, "--k", 2, code=0)
    assert list(data["knowledge"]) == ["degree"]
    assert "exposed" not in data
    # x is alone with two contacts that do not know each other: an audit of degrees does not see it
    more = answer(capsys, network, "--k", 2, "--knowledge", "ego", "--knowledge", "ego-size", code=0)
    assert list(more["knowledge"]) == ["degree", "ego-size", "ego"]
    assert more["verdict"] == "passed"
    assert more["knowledge"]["ego"] == {
        "vertices": 7,
        "candidate_sets": 3,
        "vertices_below_k": 1,
        "share_below_k": pytest.approx(1 / 7),
        "sets_below_k": 1,
        "unique_vertices": 1,
        "smallest_set": 1,
        "reidentification_rate": pytest.approx(3 / 7),
        "undecided": 0,
        "curve": [
            {"k": k, "below": below} for k, below in zip((2, 3, 5, 10, 20, 50, 100), (1, 3, 7, 7, 7, 7, 7), strict=True)
        ],
    }


def test_all_is_everything(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, network, "--k", 2, "--knowledge", "all", "--hubs", 1, code=0)
    assert list(data["knowledge"]) == list(KNOWLEDGE)
    assert data["knowledge"]["hubs"]["vertices"] == 6
    assert {key: data[key] for key in ("vertices_below_k", "unique_vertices", "reidentification_rate")} == {
        key: data["knowledge"]["degree"][key]
        for key in ("vertices_below_k", "unique_vertices", "reidentification_rate")
    }


def test_a_policy_may_ask_for_more(network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("[network]\nk = 2\nmax_share_below_k_ego = 0.1\nmax_share_below_k_neighbours = 0.5\n")
    data = answer(capsys, network, "--policy", policy, code=1)
    assert list(data["knowledge"]) == ["degree", "ego", "neighbours"]
    (finding,) = data["findings"]
    assert (finding["rule"], finding["where"], finding["threshold"]) == ("max_share_below_k_ego", "ego", 0.1)
    assert finding["figure"] == pytest.approx(1 / 7)
    policy.write_text("[network]\nk = 2\nmax_share_below_k_ego = 0.15\n")
    assert answer(capsys, network, "--policy", policy, code=0)["findings"] == []


def test_nobody_is_named_unless_asked(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--json"], []):
        assert run(["network", "audit", str(network), "--k", "4", "--knowledge", "all", *more]) == 1
        assert "zeb-" not in "".join(capsys.readouterr())


def test_who_is_exposed_when_asked(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, network, "--k", 3, "--knowledge", "ego", "--labels", code=1)
    assert data["exposed"] == {
        "degree": [{"vertex": "zeb-c", "candidates": 2}, {"vertex": "zeb-d", "candidates": 2}],
        "ego": [
            {"vertex": "zeb-x", "candidates": 1},
            {"vertex": "zeb-c", "candidates": 2},
            {"vertex": "zeb-d", "candidates": 2},
        ],
    }
    assert run(["network", "audit", str(network), "--k", "3", "--knowledge", "ego", "--labels"]) == 1
    shown = capsys.readouterr().out
    named = Counter(word for line in shown.splitlines() for word in line.split() if word.startswith("zeb-"))
    assert named == {"zeb-c": 2, "zeb-d": 2, "zeb-x": 1}
    assert run(["network", "audit", str(network), "--k", "2", "--labels"]) == 0
    assert "none" in capsys.readouterr().out


def test_every_key_of_the_answer_is_documented(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "network-audit.md").read_text(encoding="utf-8")
    data = answer(capsys, network, "--k", 3, "--knowledge", "all", "--labels", code=1)
    keys = {*data, *data["knowledge"]["ego"], *data["exposed"]["ego"][0], *data["findings"][0], *data["policy"]}
    assert {key for key in keys if f"`{key}`" not in page} == set()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--knowledge", "everything"], "unknown knowledge 'everything'; known: degree, ego-size"),
        (["--hubs", "0"], "hubs (0) must be at least 1"),
        (["--k", "1"], "k (1) must be at least 2"),
        (
            ["--knowledge", "hubs", "--hubs", "7"],
            "hubs (7) leaves no other vertex to be singled out: the network has 7",
        ),
        (["--knowledge", "all", "--hubs", "1000"], "the number of hubs (1000) leaves no other vertex"),
        (["--attribute", "age"], "the network has 0 vertex attributes, and an edge list has them in a vertex file"),
    ],
)
def test_bad_options_are_refused(
    network: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["network", "audit", str(network), *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.strip().splitlines())) == ("", 1)
    assert message in err


def test_without_edges_nobody_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alone.graphml"
    path.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        '<node id="a"/><node id="b"/><node id="c"/></graph></graphml>'
    )
    data = answer(capsys, path, "--k", 3, "--knowledge", "all", "--labels", code=0)
    assert {name: known["candidate_sets"] for name, known in data["knowledge"].items()} == {
        name: 0 if name == "hubs" else 1 for name in KNOWLEDGE
    }
    assert data["exposed"] == {name: [] for name in KNOWLEDGE}


def test_a_default_audit_loads_nothing_heavy(network: Path) -> None:
    code = (
        f"import sys; from cli.app import run; run(['network', 'audit', {str(network)!r}, '-q']); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"igraph", "numba", "scipy", "neo4j"} & set(done.stdout.splitlines()[-1].split())


def test_quiet_says_nothing_of_what_to_do_next(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["network", "audit", str(network), "--k", "5"]) == 1
    talking = capsys.readouterr().out
    assert run(["-q", "network", "audit", str(network), "--k", "5"]) == 1
    quiet = capsys.readouterr().out
    assert "Next: " in talking
    assert talking.startswith(quiet.rstrip("\n"))
    assert "Next: " not in quiet


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the one line of a command that ends with bad input."""
    assert run(["network", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def test_a_column_of_ties_is_told_from_a_missing_attribute(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mails.csv"
    path.write_text("Absender;Anzahl;Seit\nann;bob;2020\nbob;cy;2021\n", encoding="utf-8")
    for name in ("Seit", "Anzahl"):
        assert "column of ties, not of vertices" in refusal(capsys, "audit", path, "--attribute", name)
    out = tmp_path / "r.csv"
    for more in (["--out", out], ["--dry-run"]):
        told = refusal(capsys, "anonymize", path, "--k", 2, "--keep", "Seit", *more)
        assert "column of ties" in told
        assert "mails.vertices.csv" in told or "NAME.vertices.csv" in told
    told = refusal(capsys, "audit", path, "--attribute", "Alter")
    assert "no vertex attribute" in told
    assert "vertex file" in told


@pytest.mark.parametrize(
    ("text", "line", "advice"),
    [
        ("Kontakte;;\nvon;nach;n\na;b;1\n", 1, "if the line is a title, remove it"),
        ("Kontakte 2026\nvon;nach;n\na;b;1\n", 2, "is the line above a title?"),
        ("Kontakte, 2026\nvon,nach,n\na,b,1\n", 2, "is the line above a title?"),
        ("a;b;1\nc;;2\n", 2, ""),
        ("a,b,1\nc,d,2\ne,f,1\ng,h\n", 4, ""),
    ],
)
def test_a_title_above_the_header_is_thought_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, advice: str
) -> None:
    path = tmp_path / "n.csv"
    path.write_text(text, encoding="utf-8")
    told = refusal(capsys, "audit", path)
    assert f"line {line}: " in told
    assert advice in told
    assert (" title" in told) == bool(advice)


def test_a_suffix_without_a_format_is_answered_with_a_plain_one(
    network: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "use one such as .csv, or" in refusal(capsys, "anonymize", network, "--k", 2, "--out", "x.xlsx")


@pytest.mark.parametrize("kind", ["csv", "tsv", "txt", "parquet"])
def test_ties_in_both_directions_are_told_apart_from_repeated_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    rows = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("c", "a"), ("c", "d"), ("c", "d")]
    path = tmp_path / f"ties.{kind}"
    if kind == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        one, other = zip(*rows, strict=True)
        pq.write_table(pa.table({"source": one, "target": other}), path)
    else:
        mark = {"csv": ",", "tsv": "\t", "txt": " "}[kind]
        path.write_text("".join(f"{one}{mark}{other}\n" for one, other in rows), encoding="utf-8")
    run(["network", "audit", str(path)])
    told = capsys.readouterr().err.splitlines()
    assert "dropped 2 repeated edges" in told
    assert [
        line for line in told if line.startswith("dropped 2 edges given in both directions: a tie has no direction")
    ]


def test_hubs_are_no_error_as_long_as_others_are_left(network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, network, "--k", 2, "--knowledge", "hubs", "--hubs", 6, code=0)
    assert data["knowledge"]["hubs"]["vertices"] == 1
    # without the knowledge it does not matter
    assert list(answer(capsys, network, "--k", 2, "--hubs", 7, code=0)["knowledge"]) == ["degree"]
