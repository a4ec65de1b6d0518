"""The policy of the house at a terminal: audits go by it, and say so where the one before did not."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import run_auditor
from tests.support.friends import write_friends


@pytest.mark.neo4j
def test_an_audit_says_when_the_one_before_was_under_another_policy(
    tmp_path: Path, neo4j_connection: object, neo4j_settings: Settings
) -> None:
    home, house = neo4j_settings.home, tmp_path / "house.toml"
    house.write_text("[network]\nk = 2\n", encoding="utf-8")
    write_friends(tmp_path / "friends.csv")
    assert run_auditor(["network", "add", "friends", tmp_path / "friends.csv"], home).code == 0
    first = run_auditor(["audit", "run", "--all"], home, AUDITOR_POLICY=str(house))
    again = run_auditor(["audit", "run", "--all"], home, AUDITOR_POLICY=str(house))
    assert "another policy" not in first.err + again.err
    digest = run_auditor(["policy", "check", house, "--json"], home).json["digest"]
    other = run_auditor(["audit", "run", "--all"], home)
    said = " ".join(other.err.split())
    assert (
        "had another policy at the audit before (another policy before, the default policy now: network.k 2 →" in said
    )
    assert digest[:12] not in said
    (audit,) = run_auditor(["audit", "run", "--all", "--json"], home).json["audits"]
    assert audit["policy_hash"] != digest
