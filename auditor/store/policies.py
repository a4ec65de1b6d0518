"""Policies that something was decided under: the store keeps the text of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.core.errors import NotFound

if TYPE_CHECKING:
    from auditor.store.connection import Connection

KEEP_POLICY = """
MERGE (p:AuditorPolicy {hash: $policy_hash}) ON CREATE SET p.text = $policy_text, p.created_at = $at
"""
"""Write: begins a query; `p` is the policy from then on."""
# read
_POLICY = "MATCH (p:AuditorPolicy {hash: $hash}) RETURN p.text AS text"


def policy_text(connection: Connection, policy_hash: str) -> str:
    """Return the text of a policy that something was decided under.

    Raises
    ------
    NotFound
        If nothing was.
    """
    records = connection.read(_POLICY, hash=policy_hash)
    if not records:
        raise NotFound("no audit was made under that policy")
    return str(records[0]["text"])
