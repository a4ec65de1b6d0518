"""Policies that something was decided under: the store keeps the text of each."""

from auditor.core.errors import NotFound
from auditor.store.repository import OpenStore

KEEP_POLICY = """
MERGE (p:AuditorPolicy {hash: $policy_hash}) ON CREATE SET p.text = $policy_text, p.created_at = $at
"""
"""Write: begins a query; `p` is the policy from then on."""
# read
_POLICY = "MATCH (p:AuditorPolicy {hash: $hash}) RETURN p.text AS text"


def policy_text(store: OpenStore, policy_hash: str) -> str:
    """Return the text of a policy that something was decided under.

    Raises
    ------
    NotFound
        If nothing was.
    """
    records = store.connection.read(_POLICY, hash=policy_hash)
    if not records:
        raise NotFound("no audit was made under that policy")
    return str(records[0]["text"])
