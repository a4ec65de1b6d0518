"""`auditor network verify`: what a recipient, and the owner, can check again of a released network without a store."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.app import run

EDGES = [(0, i) for i in range(1, 8)] + [(1, i) for i in range(2, 6)] + [(8, 9), (9, 10), (10, 11)]
OWNER = ("--original", "o.csv", "--key-file", "key.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network file, and its vertex file with an attribute and a vertex without an edge."""
    # an address where nothing answers: whoever needs a store fails
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    Path("o.csv").write_text("source,target\n" + "".join(f"p{a},p{b}\n" for a, b in EDGES), encoding="utf-8")
    rows = "".join(f"p{i},{'ab'[i % 2]}\n" for i in range(12)) + "p12,a\n"
    Path("o.vertices.csv").write_text("id,side\n" + rows, encoding="utf-8")
    return tmp_path


def release(*options: str, out: str = "r.csv") -> None:
    command = "network anonymize o.csv --k 2 --key-file key.csv --out"
    assert run([*command.split(), out, *options]) == 0


def verify(capsys: pytest.CaptureFixture[str], *arguments: str, code: int, file: str = "r.csv") -> Any:
    capsys.readouterr()
    assert run(["--json", "network", "verify", file, *arguments]) == code
    out, err = capsys.readouterr()
    return json.loads(out or err)


def failed(data: Any) -> list[str]:
    return [check["name"] for check in data["verification"] if not check["passed"]]


def left(data: Any) -> list[str]:
    return [row["name"] for row in data["not_checked"]]


def with_true_checksums() -> None:
    """Let the manifest fit the file as it is: only its content can tell."""
    path = Path("r.csv.manifest.json")
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for name, entry in manifest["files"].items():
        entry["sha256"] = hashlib.sha256(Path(name).read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")


def test_a_release_is_verified_without_a_store(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    stranger = verify(capsys, code=0)
    assert stranger["passed"] is True
    assert left(stranger) == ["contains the original"]
    at_release = [c["name"] for c in json.loads(Path("r.csv.manifest.json").read_text())["verification"]]
    owner = verify(capsys, *OWNER, code=0)
    # how many edges were added stands in no manifest
    assert [c["name"] for c in owner["verification"]] == ["checksum", *at_release[:-1]]
    assert left(owner) == []


def test_a_manifest_elsewhere_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    Path("r.csv.manifest.json").rename("m.json")
    assert "--manifest" in verify(capsys, code=2)["error"]["message"]
    assert verify(capsys, "--manifest", "m.json", code=0)["passed"]


def test_switched_edges_are_seen_by_checksum_and_by_the_original(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    lines = Path("r.csv").read_text().splitlines()
    pairs = [tuple(map(int, line.split(","))) for line in lines[1:]]
    there = {frozenset(pair) for pair in pairs}
    one, other = next(
        ((a, b), (c, d)) for a, b in pairs for c, d in pairs
        if len({a, b, c, d}) == 4 and not {frozenset((a, d)), frozenset((c, b))} & there
    )  # fmt: skip
    kept = [pair for pair in pairs if pair not in (one, other)] + [(one[0], other[1]), (other[0], one[1])]
    Path("r.csv").write_text("\n".join([lines[0], *(f"{a},{b}" for a, b in kept)]) + "\n")
    assert failed(verify(capsys, code=1)) == ["checksum"]
    with_true_checksums()
    assert failed(verify(capsys, code=0)) == []
    # two edges are gone; whether they were original ones, the key shows
    key = dict(line.split(",") for line in Path("key.csv").read_text().splitlines()[1:])
    originals = {frozenset((int(key[f"p{a}"]), int(key[f"p{b}"]))) for a, b in EDGES}
    is_original = bool({frozenset(one), frozenset(other)} & originals)
    assert failed(verify(capsys, *OWNER, code=1 if is_original else 0)) == ["contains the original"] * is_original


def test_a_file_that_a_spreadsheet_saved_has_another_checksum(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    Path("r.csv").write_text("\ufeff" + Path("r.csv").read_text().replace(",", ";"), encoding="utf-8")
    assert failed(verify(capsys, code=1)) == ["checksum"]


@pytest.mark.parametrize("change", ["loop", "no network", "attribute", "id"])
def test_a_changed_file_fails_even_with_another_manifest(capsys: pytest.CaptureFixture[str], change: str) -> None:
    release()
    path = Path("r.csv")
    if change == "attribute":
        Path("r.vertices.csv").write_text("id,town\n" + "".join(f"{i},x\n" for i in range(13)))
    elif change == "id":
        path.write_text(path.read_text().replace(",12\n", ",77\n").replace("\n12,", "\n77,"))
    else:
        path.write_text(path.read_text() + {"loop": "1,1\n", "no network": "\x00"}[change])
    with_true_checksums()
    wanted = {"loop": "file", "no network": "readable", "id": "vertices", "attribute": "attributes"}
    assert wanted[change] in failed(verify(capsys, code=1))


def test_a_release_that_does_not_hold_its_claim_fails(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    path = Path("r.csv.manifest.json")
    path.write_text(path.read_text().replace('"k": 2', '"k": 13'))
    assert failed(verify(capsys, code=1)) == ["k-anonymous"]


def test_attributes_are_held_against_the_claim(capsys: pytest.CaptureFixture[str]) -> None:
    Path("o.vertices.csv").write_text("id,side\n" + "".join(f"p{i},a\n" for i in range(13)), encoding="utf-8")
    release("--keep", "side")
    verify(capsys, code=0)
    Path("r.vertices.csv").write_text(Path("r.vertices.csv").read_text().replace('"a"', '"b"', 1))
    with_true_checksums()
    assert failed(verify(capsys, code=1)) == ["attributes"]


def test_a_protected_subset_is_not_said_to_be_verified_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("only.txt").write_text("".join(f"p{i}\n" for i in range(6)))
    release("--only", "only.txt")
    for who in ((), OWNER):
        data = verify(capsys, *who, code=3)
        assert data["passed"] is None
        assert left(data) == ["k-anonymous within the subset", "contains the original"][: 1 if who else 2]
        assert ("contains the original" in [c["name"] for c in data["verification"]]) == bool(who)
    data = verify(capsys, *OWNER, "--only", "only.txt", code=0)
    assert "k-anonymous within the subset" in [check["name"] for check in data["verification"]]
    Path("only.txt").write_text("p0\np12\n")
    assert failed(verify(capsys, *OWNER, "--only", "only.txt", code=1)) == ["k-anonymous within the subset"]


def test_deletions_are_no_claim_of_containment(capsys: pytest.CaptureFixture[str]) -> None:
    release("--allow", "add,delete", "--max-increase", "6")
    for who in ((), OWNER):
        data = verify(capsys, *who, code=0)
        assert left(data) == []
        assert "contains the original" not in [check["name"] for check in data["verification"]]


def test_earlier_versions_are_checked_with_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    release(out="first.csv")
    Path("key.csv").rename("first-key.csv")
    before = ("--previous", "first.csv", "--previous-key", "first-key.csv")
    release(*before)
    name = "k-anonymous with the earlier versions"
    assert left(verify(capsys, code=0)) == [name, "contains the original"]
    assert left(verify(capsys, *OWNER, code=0)) == [name]
    data = verify(capsys, *OWNER, *before, code=0)
    assert name in [check["name"] for check in data["verification"]]
    # under the ids of the first version nobody shares the trail of somebody else
    swapped = dict(line.split(",") for line in Path("first-key.csv").read_text().splitlines()[1:])
    swapped["p0"], swapped["p12"] = swapped["p12"], swapped["p0"]
    Path("first-key.csv").write_text("original,published\n" + "".join(f"{a},{b}\n" for a, b in swapped.items()))
    assert failed(verify(capsys, *OWNER, *before, code=1)) == [name]
    assert "names 2" in verify(capsys, *OWNER, *before, *before, code=2)["error"]["message"]


@pytest.mark.parametrize("isolated", [False, True])
def test_an_edge_table_is_verified_a_piece_at_a_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, isolated: bool
) -> None:
    ends = np.array(EDGES if isolated else [edge for edge in EDGES if max(edge) < 8])
    pq.write_table(pa.table({"source": ends[:, 0], "target": ends[:, 1]}), "o.parquet")
    Path("o.vertices.csv").unlink()
    if isolated:
        Path("o.vertices.csv").write_text("id\n" + "".join(f"{i}\n" for i in range(20)))
    command = "network anonymize o.parquet --edge-table --k 2 --out r.parquet --key-file key.csv"
    assert run(command.split()) == 0
    assert Path("r.vertices.csv").exists() == isolated
    owner = ("--original", "o.parquet", "--key-file", "key.csv")
    assert failed(verify(capsys, *owner, code=0, file="r.parquet")) == []
    import auditor.subjects.networks.exports.verifying as module

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("read into memory")

    monkeypatch.setattr(module, "read_network", never)
    names = [check["name"] for check in verify(capsys, code=0, file="r.parquet")["verification"]]
    assert names == ["checksum", "vertices", "simple", "order", "k-anonymous"]
    table = pq.read_table("r.parquet")
    for changed, fails in (
        (pa.concat_tables([table, pa.table({"source": [0], "target": [500]})]), {"simple", "vertices"}),
        (table.take([1, 0, *range(2, table.num_rows)]), {"order"}),
        (pa.concat_tables([table.slice(0, 1), table]), {"simple"}),
        (table.append_column("weight", table.column(0)), {"simple"}),
    ):
        pq.write_table(changed, "r.parquet")
        assert {"checksum"} < set(failed(verify(capsys, code=1, file="r.parquet"))) <= {"checksum", *fails}
    Path("r.parquet").write_bytes(b"no Parquet")
    assert failed(verify(capsys, code=1, file="r.parquet")) == ["checksum", "readable"]


def test_a_manifest_that_claims_a_huge_number_takes_no_memory(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    path = Path("r.csv.manifest.json")
    manifest = json.loads(path.read_text())
    manifest |= {"format": "parquet", "verification": []}
    manifest["claim"]["n"] = 2_900_000_000
    path.write_text(json.dumps(manifest))
    pq.write_table(pa.table({"source": [0, 2], "target": [1, 3]}), "r.csv")
    assert failed(verify(capsys, code=1)) == ["checksum", "vertices"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--original", "o.csv"), "belong together"),
        (("--delimiter", ","), "--delimiter is about the original"),
        ((*OWNER, "--only", "o.csv"), "leave out --only"),
        (("--original", "x.csv", "--key-file", "key.csv"), "x.csv is no file"),
        (("--original", "key.csv", "--key-file", "key.csv"), "another number of vertices"),
        (("--original", "o.csv", "--key-file", "o.csv"), "no key file"),
        ((*OWNER, "--previous", "o.csv"), "keys given with --previous-key: 0"),
    ],
)
def test_what_cannot_be_meant_is_one_line(capsys: pytest.CaptureFixture[str], arguments: Any, said: str) -> None:
    release()
    message = verify(capsys, *arguments, code=2)["error"]["message"]
    assert said in message
    assert "p12" not in message


def test_the_release_of_something_else_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    release()
    path = Path("r.csv.manifest.json")
    manifest = json.loads(path.read_text())
    manifest["claim"] = {"kind": "freeform generalization", "k": 3}
    path.write_text(json.dumps(manifest))
    assert "auditor microdata verify" in verify(capsys, code=2)["error"]["message"]
    assert "r.tsv is no file" in verify(capsys, code=2, file="r.tsv")["error"]["message"]


@pytest.mark.parametrize("command", ["network audit r.csv", "audit files r.csv"])
def test_an_audit_says_that_a_release_was_changed(capsys: pytest.CaptureFixture[str], command: str) -> None:
    release()
    remark = "auditor network verify r.csv"
    run(command.split())
    assert remark not in capsys.readouterr().err
    Path("r.csv").write_text(Path("r.csv").read_text().replace(",", ";"))
    run(command.split())
    (line,) = [line for line in capsys.readouterr().err.splitlines() if remark in line]
    assert "not the file that was released" in line
    run(["--json", *command.split()])
    data = json.loads(capsys.readouterr().out)
    assert data.get("released_file", data.get("changed_releases")) in ("changed", ["r.csv"])
