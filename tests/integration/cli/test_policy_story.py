"""An old policy can always be shown, by the digest that an audit or an answer recorded."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.schema.head import ensure_schema
from tests.support.commands import Finished, run_auditor
from tests.support.friends import write_friends

pytestmark = pytest.mark.neo4j


class Auditor:
    """The command, in a folder with a network and a policy, on an emptied store."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self._home = folder, home

    def __call__(self, *arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(arguments, self._home)
        assert ended.code == code, ended.out + ended.err
        assert "Traceback" not in ended.err
        return ended


@pytest.fixture
def connection(neo4j_connection: Connection) -> Connection:
    ensure_schema(neo4j_connection)
    return neo4j_connection


@pytest.fixture
def auditor(tmp_path: Path, neo4j_settings: Settings, connection: Connection) -> Auditor:
    write_friends(tmp_path / "friends.csv")
    (tmp_path / "policy.toml").write_text("[network]\nk = 3\n", encoding="utf-8")
    return Auditor(tmp_path, neo4j_settings.home)


def test_the_policy_of_an_audit_is_shown_after_its_file_is_gone(auditor: Auditor) -> None:
    policy = auditor.folder / "policy.toml"
    expected = auditor("policy", "show", policy, "--json").json
    auditor("network", "add", "friends", auditor.folder / "friends.csv")
    digest = auditor("network", "audit", "friends", "--policy", policy, "--json", code=1).json["policy"]["hash"]
    policy.unlink()
    assert auditor("policy", "show", digest, "--json").json == expected
    assert auditor("policy", "diff", digest, "internal", "--json").json["before"]["digest"] == digest
    assert "no audit was made under that policy" in auditor("policy", "show", "0" * 64, code=2).err


def test_a_policy_of_an_older_version_is_shown_as_it_was(auditor: Auditor, connection: Connection) -> None:
    text = json.dumps({"network": {"k": 5, "max_gossip": 3}})
    digest = hashlib.sha256(text.encode()).hexdigest()
    connection.execute(f"CREATE (:AuditorPolicy {{hash: '{digest}', text: '{text}'}})")
    assert auditor("policy", "show", digest, "--json").json["policy"] == json.loads(text)
    assert "another version" in auditor("policy", "show", digest).out
    found = auditor("policy", "diff", digest, "default", "--json").json["differences"]
    assert {"key": "network.max_gossip", "before": 3, "after": None, "direction": None} in found


def test_a_policy_that_was_changed_behind_our_back_is_not_shown(auditor: Auditor, connection: Connection) -> None:
    connection.execute(f"CREATE (:AuditorPolicy {{hash: '{'0' * 64}', text: '{{}}'}})")
    ended = auditor("policy", "show", "0" * 64, code=3)
    assert "was changed after it was kept" in ended.err
    assert ended.out == ""
