"""Roles and rights: what is not given is denied."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.access.rights import RIGHTS, ROLES, narrowed, rights_of
from auditor.access.secret import digest_of, new_secret
from auditor.core.errors import BadInput
from auditor.policy import RolePolicy

# every role and every right, so that another one does not come along unseen
EXPECTED = {
    "viewer": {"view"},
    "requester": {"view", "request"},
    "officer": {"view", "request", "look", "export", "approve", "waive", "schedule", "data", "ledger"},
    "administrator": {"view", "schedule", "data", "ledger", "tokens"},
}


def test_each_role_has_its_rights_and_no_other() -> None:
    assert {role: set(rights_of(role)) for role in ROLES} == EXPECTED
    assert {right for rights in EXPECTED.values() for right in rights} == set(RIGHTS)


def test_the_policy_says_who_approves_and_waives() -> None:
    policy = RolePolicy(approve=("administrator",), waive=("officer", "administrator"))
    for role in ROLES:
        gained = rights_of(role, policy) - rights_of(role)
        lost = rights_of(role) - rights_of(role, policy)
        assert gained == ({"approve", "waive"} if role == "administrator" else set())
        assert lost == ({"approve"} if role == "officer" else set())


def test_rights_are_narrowed_in_order() -> None:
    assert narrowed(None) is None
    assert narrowed(["waive", "view", "waive"]) == ("view", "waive")
    with pytest.raises(BadInput, match="no right 'vew'"):
        narrowed(["vew"])
    with pytest.raises(BadInput, match="without any right"):
        narrowed([])


def test_tokens_cannot_be_guessed_from_each_other() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == len({digest_of(secret) for secret in secrets}) == 100
    assert all(secret.startswith("dat_") and len(secret) == 47 for secret in secrets)


def test_the_page_says_what_holds() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "access.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| `")]
    told = {row[0].strip(" `"): [cell.strip() for cell in row[2:]] for row in rows}
    assert list(told) == list(RIGHTS)
    for right, cells in told.items():
        by_policy = right in ("approve", "waive")
        for role, cell in zip(ROLES, cells, strict=True):
            if by_policy and role in ("officer", "administrator"):
                assert cell == "policy"
            else:
                assert (cell == "yes") == (right in EXPECTED[role])
