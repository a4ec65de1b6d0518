"""The policy of the settings: what every command goes by that is given no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.core.errors import BadInput, Refused
from auditor.policy import Policy
from cli.network.policies import policy_for_network, rules_for
from cli.terminal.context import Context
from cli.terminal.policy_option import policy_of


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "house.toml"
    path.write_text('[network]\nk = 7\n[exports]\napproval = "second-person"\n', encoding="utf-8")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.setenv("AUDITOR_POLICY", str(path))
    return path


def test_it_takes_the_place_of_the_defaults(house: Path) -> None:
    assert policy_of(Context(), None).network.k == 7
    assert policy_for_network(Context(), None, None, None).network.k == 7
    assert policy_for_network(Context(), None, None, 3).network.k == 3


def test_a_command_can_be_given_another_one(house: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[network]\nk = 9\n", encoding="utf-8")
    assert policy_of(Context(), other).network.k == 9
    assert policy_of(Context(), None, "internal").digest() != policy_of(Context(), None).digest()


def test_exports_go_by_it(house: Path) -> None:
    with pytest.raises(Refused, match="requires k = 7"):
        rules_for(Context(), None, None, k=5, edge_table=False, store_as=None)
    with pytest.raises(BadInput, match="second person"):
        rules_for(Context(), None, None, k=7, edge_table=True, store_as=None)
    assert rules_for(Context(), None, None, k=7, edge_table=False, store_as=None).exports.approval == "second-person"


def test_a_file_that_is_not_there_is_told(house: Path) -> None:
    house.unlink()
    with pytest.raises(BadInput, match=r"house\.toml"):
        policy_of(Context(), None)


def test_without_one_the_defaults_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    monkeypatch.delenv("AUDITOR_POLICY", raising=False)
    assert policy_of(Context(), None) == Policy()
    assert rules_for(Context(), None, None, k=2, edge_table=False, store_as=None) == Policy()
