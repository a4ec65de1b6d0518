"""Tokens in a real store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from auditor.access.tokens import Tokens
from auditor.core.errors import BadInput, NotFound
from auditor.policy import RolePolicy
from auditor.store.opening import Store

pytestmark = pytest.mark.neo4j

LATER = datetime.now(UTC) + timedelta(days=9)


def test_a_token_is_found_by_its_text_alone(store: Store) -> None:
    token, secret = Tokens(store).create(person="ann", role="officer", expires_at=LATER, actor="ada", note="laptop")
    assert Tokens(store).find(secret) == token
    assert token.state(datetime.now(UTC)) == "valid"
    assert token.state(LATER) == "expired"
    assert "approve" in token.rights()
    assert "approve" not in token.rights(RolePolicy(approve=("administrator",)))
    for wrong in (secret[:-1], secret + "x", secret.upper(), token.id, "", "dat_"):
        assert Tokens(store).find(wrong) is None


def test_the_text_is_nowhere(store: Store) -> None:
    _, secret = Tokens(store).create(person="ann", role="officer", expires_at=LATER, actor="ada")
    values = store.connection.read("MATCH (n) RETURN properties(n) AS p")
    assert secret not in repr([record["p"] for record in values])
    assert secret[4:] not in repr([record["p"] for record in values])
    assert [entry.kind for entry in store.ledger.show(1)] == ["token_created"]


def test_a_token_keeps_less_than_its_role_never_more(store: Store) -> None:
    token, _ = Tokens(store).create(person="ann", role="officer", expires_at=LATER, actor="ada", only=["view", "waive"])
    assert token.rights() == {"view", "waive"}
    assert token.rights(RolePolicy(waive=("administrator",))) == {"view"}
    with pytest.raises(BadInput, match="'tokens'"):
        Tokens(store).create(person="ann", role="officer", expires_at=LATER, actor="ada", only=["tokens"])


def test_a_token_that_is_revoked_is_of_no_use(store: Store) -> None:
    token, secret = Tokens(store).create(person="ann", role="viewer", expires_at=LATER, actor="ada")
    for _ in range(2):
        Tokens(store).revoke(token.id, actor="eve")
    found = Tokens(store).find(secret)
    assert found is not None
    assert found.state(datetime.now(UTC)) == "revoked"
    assert [entry.kind for entry in store.ledger.show(9)] == ["token_revoked", "token_created"]
    with pytest.raises(NotFound):
        Tokens(store).revoke("x", actor="eve")
    assert [one.id for one in Tokens(store).list()] == [token.id]


@pytest.mark.parametrize("person", ["", " ann", "a\nb", "x" * 101])
def test_whose_token_it_is_must_be_said(store: Store, person: str) -> None:
    with pytest.raises(BadInput):
        Tokens(store).create(person=person, role="viewer", expires_at=LATER, actor="ada")


def test_a_token_must_last(store: Store) -> None:
    with pytest.raises(BadInput, match="expired already"):
        Tokens(store).create(person="ann", role="viewer", expires_at=datetime(2020, 1, 1, tzinfo=UTC), actor="ada")


@pytest.mark.parametrize("person", ["ann\u3164", "\u0430nn", "a\ufe0fnn", "ann\U000e0100", "\u2800"])
def test_a_name_that_nobody_can_tell_from_another_gets_no_token(store: Store, person: str) -> None:
    with pytest.raises(BadInput, match="name of the person"):
        Tokens(store).create(person=person, role="officer", expires_at=LATER, actor="ada")


@pytest.mark.parametrize("person", ["\u0430\u0441\u0435", "a-ce", "ce", "ACE"])
def test_a_name_that_looks_like_a_known_one_gets_no_token(store: Store, person: str) -> None:
    token, _ = Tokens(store).create(person="ace", role="officer", expires_at=LATER, actor="ada")
    # also when the other one has none any more
    Tokens(store).revoke(token.id, actor="eve")
    if person in ("ACE", "ce"):
        # another spelling is the same person, and another name another one
        Tokens(store).create(person=person, role="officer", expires_at=LATER, actor="ada")
        return
    with pytest.raises(BadInput, match="looks like 'ace'"):
        Tokens(store).create(person=person, role="officer", expires_at=LATER, actor="ada")
