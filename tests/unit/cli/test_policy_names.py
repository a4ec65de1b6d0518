"""Policies are called by the names that people gave them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from auditor.policy import Policy, load_policy, preset_policy
from cli.policy.named import change_of_policy, name_of_policy


def test_a_policy_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text("[network]\nk = 7\n", encoding="utf-8")
    digest = load_policy(path).digest()
    assert name_of_policy(digest) is None
    assert name_of_policy(digest, path=path) == str(path)
    assert name_of_policy(Policy().digest(), path=path) == "the default policy"
    assert name_of_policy(preset_policy("public").digest()) == "the preset public"
    # a file that is gone names nothing, and is no failure
    assert name_of_policy(digest, path=tmp_path / "gone.toml") is None


def test_a_change_of_policy_is_told_by_names_or_by_what_differs(tmp_path: Path) -> None:
    other = Policy.model_validate({"network": {"k": 9}})
    kept = {policy.digest(): policy.text() for policy in (Policy(), other)}
    connection = SimpleNamespace(read=lambda query, hash: [{"text": kept[hash]}])
    context: Any = SimpleNamespace(store=SimpleNamespace(connection=connection))
    named = change_of_policy(context, Policy().digest(), preset_policy("public"))
    assert named == "the default policy before, the preset public now"
    told = change_of_policy(context, other.digest(), Policy())
    assert told.startswith("another policy before, the default policy now: network.k 9 → ")
    assert other.digest()[:12] not in told
