"""`auditor policy` and the options `--policy` and `--preset`, without a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.policy import PRESETS, Policy, known_keys, policy_schema, preset_policy
from cli.app import run


@pytest.fixture(autouse=True)
def _without_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    Path("policy.toml").write_text('preset = "research"\n[network]\nk = 3\n', encoding="utf-8")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    return err


def test_a_preset_is_shown_with_reasons_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "show", "--preset", "public")
    assert data["digest"] == preset_policy("public").digest()
    assert data["policy"]["table"]["threshold"] == 11
    assert set(data["preset"]["choices"]) == set(PRESETS["public"].choices)
    assert all(choice["sources"][0]["citation"] for choice in data["preset"]["choices"].values())
    assert answer(capsys, "policy", "show", "public") == data
    shown = text(capsys, "policy", "show", "--preset", "public")
    assert "CMS Cell Size Suppression Policy" in shown
    assert data["digest"] in shown


def test_the_defaults_are_shown_without_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "show")
    assert data == {"digest": Policy().digest(), "policy": Policy().model_dump(mode="json")}
    assert "max_share_below_k_hubs" in text(capsys, "policy", "show")


def test_a_channel_is_shown_key_by_key(capsys: pytest.CaptureFixture[str]) -> None:
    Path("told.toml").write_text('[notify.channels.office]\nkind = "email"\naddress = "a@example.org"\n')
    assert "channels.office.address" in text(capsys, "policy", "show", "told.toml")


def test_check_says_the_digest_of_a_file_with_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "check", "policy.toml")
    assert data["digest"] == answer(capsys, "policy", "show", "policy.toml")["digest"]


def test_diff_tells_what_is_stricter(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "diff", "policy.toml", "public")
    assert not data["same"]
    assert data["after"] == {"name": "public", "digest": preset_policy("public").digest()}
    assert {item["key"]: item["direction"] for item in data["differences"]} == {
        "network.k": "stricter",
        "table.threshold": "stricter",
        "table.min_width": "stricter",
        "table.group_disclosure": "stricter",
        "microdata.k": "stricter",
        "microdata.forbid_identifiers": "stricter",
        "microdata.min_unit_population": "stricter",
    }
    assert "laxer" in text(capsys, "policy", "diff", "public", "policy.toml")
    assert "the policies are the same" in text(capsys, "policy", "diff", "default", "default")


def test_explain_tells_a_key_a_section_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "explain", "table.threshold")
    assert (data["default"], data["stricter"]) == (3, "higher")
    assert {name: choice["value"] for name, choice in data["presets"].items()} == {
        "internal": 3,
        "research": 5,
        "public": 11,
    }
    assert all(source["read"] for source in data["sources"].values())
    assert answer(capsys, "policy", "explain", "threshold") == data
    assert [key["key"] for key in answer(capsys, "policy", "explain", "roles")["keys"]] == [
        "roles.approve", "roles.waive", "roles.see_proposals",
    ]  # fmt: skip
    assert len(answer(capsys, "policy", "explain")["keys"]) == len(known_keys())
    assert "default: true\n" in text(capsys, "policy", "explain", "hide_small")
    assert "default: none\n" in text(capsys, "policy", "explain", "table.named")


@pytest.mark.parametrize("key", known_keys(), ids=lambda key: key.name)
def test_every_key_can_be_explained(key: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "policy", "explain", key.name)["why"]
    assert key.asks in text(capsys, "policy", "explain", key.name)


@pytest.mark.parametrize("key", ["exports.approval", "table.threshold", "table"])
def test_tables_of_prose_are_wrapped_where_nobody_watches(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "policy", "explain", key)
    shown = text(capsys, "policy", "explain", key)
    below = shown[shown.index("\n\n") :] if "why" in data else shown
    addresses = [source["address"] for source in data.get("sources", {}).values()]
    assert addresses or key == "table"
    lines = below.splitlines()
    assert set(addresses) <= set(lines)
    assert max(len(line) for line in lines if line not in addresses) <= 100
    assert "…" not in below


def test_the_schema_goes_to_stdout_or_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(text(capsys, "policy", "schema")) == policy_schema() == answer(capsys, "policy", "schema")
    assert answer(capsys, "policy", "schema", "--out", "schema.json") == {"schema": "schema.json"}
    assert json.loads(Path("schema.json").read_text(encoding="utf-8")) == policy_schema()
    assert "exists already" in refusal(capsys, "policy", "schema", "--out", "schema.json")
    assert run(["policy", "schema", "--out", "schema.json", "--force", "-q"]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("policy show publik", "one of default, internal, research, public"),
        ("policy show --preset publik", "did you mean 'public'"),
        ("policy show policy.toml --preset public", "either"),
        ("policy show nowhere.toml", "does not exist"),
        ("policy show ./public", "does not exist"),
        ("policy diff policy.toml nowhere/policy", "does not exist"),
        ("policy explain treshold", "did you mean 'threshold'"),
        ("policy explain table.treshold", "did you mean 'table.threshold'"),
        ("policy explain zzzzzz", "'auditor policy explain' lists all"),
        ("network audit friends.csv --policy policy.toml --preset public", "exclude each other"),
        ("network audit friends.csv --preset publik", "did you mean 'public'"),
        ("report friends.csv --out r.html --preset publik", "did you mean 'public'"),
        ("table lattice survey --preset public", "are for --decide"),
        ("table frontier survey --preset publik", "did you mean 'public'"),
        ("table request survey a,b --by ann --preset publik", "did you mean 'public'"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refusal(capsys, *line.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("friends.csv --preset public --k 11", "store it first with 'auditor network add'"),
        ("ties.parquet --edge-table --preset public --k 11", "store it first with 'auditor network add'"),
        ("friends --preset public --k 11 --store-as out", "--store-as keeps what is out"),
    ],
)
def test_what_cannot_wait_for_a_second_person_is_told(
    line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("friends.csv").write_text("source,target\na,b\n", encoding="utf-8")
    said = refusal(capsys, "network", "anonymize", *line.split(), "--out", "out.csv")
    assert message in said
    assert not Path("out.csv").exists()


def test_an_export_has_the_k_that_its_policy_asks_for(capsys: pytest.CaptureFixture[str]) -> None:
    Path("strict.toml").write_text("[network]\nk = 7\n", encoding="utf-8")
    Path("friends.csv").write_text("source,target\na,b\n", encoding="utf-8")
    words = "network anonymize friends.csv --k 6 --policy strict.toml --out out.csv"
    assert "k = 7 (network.k); --k 6 is less" in refusal(capsys, *words.split(), code=1)


def test_an_audit_works_under_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    ring = "".join(f"v{i},v{(i + 1) % 6}\n" for i in range(6))
    Path("ring.csv").write_text(f"source,target\n{ring}", encoding="utf-8")
    data = answer(capsys, "network", "audit", "ring.csv", "--preset", "internal")
    assert (data["k"], data["verdict"]) == (3, "passed")
    assert data["policy"]["hash"] == preset_policy("internal").digest()
    assert run(["network", "audit", "ring.csv", "--preset", "public", "-q"]) == 1
    assert run(["network", "audit", "ring.csv", "--preset", "public", "--k", "6", "-q"]) == 0
