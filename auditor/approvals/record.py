"""Approvals, as the store has them."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from pydantic import Json

from auditor.core.origin import Origin
from auditor.ledger.chain import canonical_json
from auditor.policy import Policy
from auditor.store.records import columns

ApprovalKind = Literal["marginal", "export"]
ApprovalState = Literal["pending", "approved", "rejected", "withdrawn", "overtaken", "implied", "returned"]
"""``overtaken``: by the time that somebody would approve it, the answer was no; nothing went out. ``implied``: it
follows from what went out meanwhile, so that there is nothing to decide. ``returned``: a second person approves it if
it is changed as they say, and the requester may ask for exactly that."""

APPROVAL_STATES: tuple[ApprovalState, ...] = get_args(ApprovalState)

# a request without a token was made at the terminal, by a schedule or by an earlier version: the tokens of its person
# stand for it
_FROZEN = """
CASE
  WHEN a.state <> 'pending' THEN false
  WHEN properties(a)['token'] IS NOT NULL
    THEN EXISTS {
      MATCH (t:AuditorAccessToken {id: properties(a)['token']}) WHERE properties(t)['revoked_at'] IS NOT NULL
    }
  ELSE EXISTS { MATCH (t:AuditorAccessToken {person: a.asked_by}) }
    AND NOT EXISTS { MATCH (t:AuditorAccessToken {person: a.asked_by}) WHERE properties(t)['revoked_at'] IS NULL }
END
"""


@dataclass(frozen=True, slots=True)
class Approval:
    """A marginal or an export that waits for a second person, or that one has decided about."""

    id: str
    kind: ApprovalKind
    subject: str
    """``table:NAME`` or ``network:NAME``, the name at the time."""
    asked_by: str
    """Who ran the request: cannot approve it."""
    by: str
    """For whom it was asked: cannot approve it either."""
    at: datetime
    what: Json[Mapping[str, Any]]
    """Of a marginal ``marginal``, ``merged``, ``data`` and ``answer``, which is ``release`` or ``simulate``; of an
    export ``export``. Nothing protected."""
    policy_hash: str
    state: ApprovalState
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    """Why it was rejected, overtaken or returned."""
    earlier: tuple[str, ...] = ()
    """Who asked before others took it over: cannot approve it either."""
    frozen: bool = False
    """Whether the token of its requester is revoked: it is not approved until another person takes it over."""
    purpose: str | None = None
    """What the requester wants it for, in their own words."""
    change: Json[Mapping[str, Any]] | None = None
    """Of what was returned, the change that the second person approves: its keys are those of its kind."""
    agreed_until: datetime | None = None
    """Of what was returned, until when the changed request counts as approved."""
    replaces: str | None = None
    """Id of the returned request that this one is the change of."""
    replaced_by: str | None = None
    """Id of the changed request that took the place of this one."""

    @property
    def is_open(self) -> bool:
        """Whether something can still become of it: it is pending, or returned and not replaced yet."""
        return self.state == "pending" or (self.state == "returned" and self.replaced_by is None)

    @property
    def requesters(self) -> tuple[str, ...]:
        """Everybody who requested it or for whom it is: none of them decides about it."""
        return tuple(dict.fromkeys((self.asked_by, self.by, *self.earlier)))


APPROVAL_COLUMNS = f"RETURN {columns(Approval, 'a', frozen=_FROZEN)} AS approval"
"""How a query returns the approvals `a`."""


@dataclass(frozen=True, slots=True)
class NewApproval:
    """What is about to wait for a second person."""

    kind: ApprovalKind
    subject: str
    asked_by: str
    by: str
    what: Mapping[str, Any]
    """See :class:`Approval`."""
    about: str
    """What is asked for, as a key: while the same is pending for the same persons, there is no other one."""
    policy: Policy
    """It waits under this one, which also says who is notified."""
    origin: Origin = field(default_factory=Origin)
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Random; a repetition of the transaction is known by it."""
    terms: str = ""
    """What exactly would go out, as :func:`terms_key` makes it: who agreed to a change agreed to one with these."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a second person approves beforehand when they return a request."""

    change: Mapping[str, Any]
    """In the one form that its kind has for it."""
    terms: str
    """Those of the request that it leads to."""
    until: datetime
    token: str | None = None
    """Id of the token that they are logged in with; when it is revoked, they agree no more."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The end of an approval."""

    approval: str
    state: ApprovalState
    actor: str
    reason: str | None = None
    agreement: str | None = None
    """Id of the returned request in which the actor approved this one beforehand; the requester carries it out."""
    agreed: Agreement | None = None
    """Of what is returned."""
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Random; a repetition of the transaction is known by it."""


def terms_key(*terms: Any) -> str:
    """Return one key for all that tells what would go out, as canonical JSON has it.

    Examples
    --------
    >>> terms_key("export", {"k": 5, "n": 9}) == terms_key("export", {"n": 9, "k": 5})
    True
    """
    return hashlib.sha256(canonical_json(list(terms)).encode()).hexdigest()
