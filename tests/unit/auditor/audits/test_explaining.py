"""What findings say to whom, and what would mend them: the same for page, API and terminal."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from auditor.audits.explaining import explain_finding, rule_in_words, rules_like
from auditor.core.kinds import KINDS, kind_named, part
from auditor.policy import Policy
from cli.reference import commands

ROOT = Path(__file__).resolve().parents[4]
COMMANDS = dict(commands())
FOLDERS = {
    "network": "auditor/subjects/networks",
    "table": "auditor/subjects/tables",
    "microdata": "auditor/subjects/microdata",
    "export": "auditor/exports",
}


def rules_found() -> list[tuple[str, str]]:
    """Every rule that a finding is made with, by the text of the source."""
    made = re.compile(r"""(?:Finding|_over)\(\s*"([a-z_]+)",""")
    return sorted(
        {
            (kind, rule)
            for kind, folder in FOLDERS.items()
            for path in (ROOT / folder).rglob("*.py")
            for rule in made.findall(path.read_text(encoding="utf-8"))
        }
    )


def test_every_kind_is_looked_at() -> None:
    assert set(FOLDERS) == set(KINDS)
    assert {("network", "max_unique_vertices"), ("table", "earlier_data"), ("export", "k")} <= set(rules_found())


@pytest.mark.parametrize(("family", "rule"), rules_found())
def test_every_rule_is_explained_and_can_be_mended(family: str, rule: str) -> None:
    found = explain_finding(family, "some name", rule, Policy(), "network:friends" if family == "export" else None)
    assert found.asks
    assert found.remedy.text.endswith(".")
    assert bool(found.remedy.button) == bool(found.remedy.page)
    if found.remedy.command:
        assert is_command(found.remedy.command), found.remedy.command


@pytest.mark.parametrize("rule", ["k", "distinct_l", "entropy_l", "t", "audit_together"])
def test_what_a_policy_demands_of_records_is_explained_for_their_exports_too(rule: str) -> None:
    policy = Policy()
    found, own = (
        explain_finding(*subject, rule, policy, "microdata:people" if subject[0] == "export" else None)
        for subject in (("export", "8d1e"), ("microdata", "people"))
    )
    assert found.asks == rule_in_words("export", rule, "microdata:people") != ""
    assert found.remedy.text.startswith("Withdraw the file")
    assert found.remedy.command == own.remedy.command
    assert bool(found.remedy.button) == bool(found.remedy.page)
    if rule not in ("k", "audit_together"):
        assert (found.asks, found.why, found.key) == (own.asks, own.why, own.key)


def is_command(line: str) -> bool:
    """Whether a line names a command that there is, with options that it has."""
    _, *words = shlex.split(line)
    path = " ".join(words[:2])
    if path not in COMMANDS:
        return False
    options = {name for parameter in COMMANDS[path].params for name in parameter.opts}
    return {word for word in words if word.startswith("--")} <= options


def test_rules_are_found_by_their_words() -> None:
    assert ("network", "max_unique_vertices") in set(rules_like("only one of their degree"))
    assert ("export", "origin") in set(rules_like("ORIGIN"))
    assert rule_in_words("network", "max_share_below_k") != rule_in_words("microdata", "max_share_below_k")
    assert rule_in_words("planet", "k") == ""


def test_nobody_but_one_function_decides_what_is_seen() -> None:
    """Page, API and terminal hand over findings as that function shows them."""
    for path in ("auditor/web/pages/findings.py", "auditor/web/api/audits.py", "cli/audit/recorded.py"):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "shown_findings" in called, path
    assert all(part(kind_named(kind).rules) for kind in KINDS)
