"""What a second person approved beforehand, as the transactions of a request and of its approval see it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from auditor.approvals.record import Agreement, Approval, Decision
from auditor.core.clock import time_text
from auditor.core.errors import Refused
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json

AGREED_FOR = timedelta(days=30)
"""How long a person agrees to a change: what they saw beside it is not what is out forever."""

# read, under the store's lock
_FIND = """
MATCH (a:AuditorApproval {agreed_terms: $terms})
WHERE a.state = 'returned' AND properties(a)['replaced_by'] IS NULL AND properties(a)['agreed_until'] > $at
  AND a.subject = $subject
  AND a.policy_hash = $policy_hash AND a.asked_key = $asked_key AND a.by = $by
  AND ($purpose IS NULL OR properties(a)['purpose'] = $purpose)
RETURN a.id AS id, properties(a)['purpose'] AS purpose ORDER BY a.decided_at DESC, a.id LIMIT 1
"""
# write
_REPLACE = """
MATCH (old:AuditorApproval {id: $old}) MATCH (new:AuditorApproval {id: $new})
SET old.replaced_by = new.id, new.replaces = old.id
"""
# read, under the store's lock: whether the one who agreed still has the token, or any, as of a request that is frozen
_CHECK = """
MATCH (new:AuditorApproval {id: $new}) MATCH (old:AuditorApproval {id: $old})
RETURN old.state = 'returned' AND properties(old)['replaced_by'] = new.id AND old.decided_by = $actor
  AND properties(old)['agreed_terms'] = properties(new)['terms'] AND properties(old)['agreed_until'] > $at
  AND old.asked_key = new.asked_key
  AND coalesce(properties(new)['purpose'], properties(old)['purpose'], '') = coalesce(properties(old)['purpose'], '')
  AND CASE WHEN properties(old)['agreed_token'] IS NOT NULL THEN EXISTS {
    MATCH (t:AuditorAccessToken {id: properties(old)['agreed_token']})
    WHERE properties(t)['revoked_at'] IS NULL
  } ELSE NOT EXISTS { MATCH (t:AuditorAccessToken {person: old.decided_by}) }
    OR EXISTS { MATCH (t:AuditorAccessToken {person: old.decided_by}) WHERE properties(t)['revoked_at'] IS NULL }
  END AS holds
"""


def agreed_values(agreed: Agreement) -> dict[str, Any]:
    """Return the properties of a returned request."""
    return {
        "change": canonical_json(agreed.change),
        "agreed_terms": agreed.terms,
        "agreed_until": time_text(agreed.until),
        "agreed_token": agreed.token,
    }


def find_agreement(tx: Transaction, wanted: Mapping[str, Any], at: str) -> tuple[str, str | None] | None:
    """Return the id and purpose of the returned request whose second person agreed to exactly this one.

    None if nobody did. A request that states no purpose is for the one that was agreed to; another purpose is another
    request.
    """
    # a request without terms is one that nobody can agree to beforehand
    found = tx.run(_FIND, {**wanted, "at": at}).single() if wanted["terms"] else None
    return None if found is None else (str(found["id"]), found["purpose"])


def note_replaced(tx: Transaction, old: str, new: str) -> None:
    """Note which request took the place of a returned one: its agreement is for that one alone."""
    tx.run(_REPLACE, old=old, new=new).consume()


def check_agreement(tx: Transaction, approval: Approval, decision: Decision, at: str) -> None:
    """Make sure that the one who decides agreed to this very request, and still does.

    Raises
    ------
    Refused
        If they did not, the time has ended, or the token that they agreed with was revoked.
    """
    found = tx.run(_CHECK, new=approval.id, old=decision.agreement, actor=decision.actor, at=at).single()
    if found is None or not found["holds"]:
        raise Refused(f"nobody agreed to {approval.id} beforehand, or they do not any more: another person decides")
