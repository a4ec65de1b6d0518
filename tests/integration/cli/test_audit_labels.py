"""Whoever sees vertices of a stored network sees them on purpose, and that look is in the ledger."""

import json
from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

EDGES = [("a", "b"), ("a", "c"), ("b", "c"), ("d", "e"), ("d", "f"), ("e", "f"), ("c", "x"), ("x", "d")]


def test_a_look_at_labels_is_in_the_ledger(tmp_path: Path, neo4j_settings: Settings) -> None:
    home, path = neo4j_settings.home, tmp_path / "looked.csv"
    path.write_text("\n".join(["source,target", *(f"zeb-{u},zeb-{v}" for u, v in EDGES)]) + "\n", encoding="utf-8")
    assert run_auditor(["network", "add", "looked", path], home).code == 0
    plain = run_auditor(["--json", "network", "audit", "looked", "--k", 3, "--knowledge", "all"], home)
    assert plain.code == 1
    assert "zeb-" not in plain.out + plain.err
    filed = run_auditor(["--json", "network", "audit", path, "--k", 3, "--knowledge", "all"], home)
    assert plain.json["knowledge"] == filed.json["knowledge"]
    before = run_auditor(["--json", "ledger", "show"], home).json["entries"]
    assert before[0]["kind"] == "audit"

    named = run_auditor(["--json", "network", "audit", "looked", "--k", 3, "--knowledge", "ego", "--labels"], home)
    assert [row["vertex"] for row in named.json["exposed"]["ego"]] == ["zeb-x", "zeb-c", "zeb-d"]
    look, audit = run_auditor(["--json", "ledger", "show"], home).json["entries"][:2]
    assert (look["kind"], audit["kind"]) == ("labels_shown", "audit")
    assert (look["subject"], look["actor"]) == ("network:looked", "tester")
    payload = look["payload"] if isinstance(look["payload"], dict) else json.loads(look["payload"])
    assert payload == {"audit": named.json["audit"], "knowledge": ["degree", "ego"]}
    assert run_auditor(["--json", "ledger", "verify"], home).json["intact"]
