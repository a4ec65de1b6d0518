"""Tokens in the store: whose they are, what they may do, until when. Their text is nowhere."""

import hmac
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from auditor.access.known_people import people_of_records
from auditor.access.person import check_person, looks_like, person_key
from auditor.access.rights import Right, Role, narrowed, rights_of
from auditor.access.secret import digest_of, new_secret
from auditor.core.errors import BadInput, NotFound
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.policy import RolePolicy
from auditor.store.records import columns, decode, encode
from auditor.store.repository import NewEntry, Repository

LONGEST_NAME = 100
"""Letters of a name, or of a note."""
_REVOKED = "the token of its requester was revoked"

# read, under the store's lock
_KNOWN = """
MATCH (t:AuditorAccessToken {id: $id})
RETURN t.person AS person, t.revoked_at AS revoked_at, coalesce(properties(t)['left'], false) AS left
"""
# read, under the store's lock: everybody who has or had a token
_PERSONS = """
MATCH (t:AuditorAccessToken) UNWIND coalesce(properties(t)['known_as'], [t.person]) AS name RETURN DISTINCT name
"""
# write
_CREATE = "CREATE (t:AuditorAccessToken $values)"
# write: what was requested with it does not go on; another person may resume it, and is the requester then
END_JOBS = """
MATCH (j:AuditorJob) WHERE j.state IN ['waiting', 'running'] AND properties(j)['token'] = $id
SET j.state = 'interrupted', j.claim = null, j.finished_at = $at, j.reason = $reason
"""
# write
_REVOKE = "MATCH (t:AuditorAccessToken {id: $id}) SET t.revoked_at = $at, t.revoked_by = $actor, t.left = null"


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its text."""

    id: str
    person: str
    """Whose it is: two tokens of one person are one person."""
    role: Role
    narrowed_to: tuple[Right, ...] | None
    """Rights that it keeps of its role's; None for all."""
    note: str
    created_at: datetime
    expires_at: datetime
    actor: str
    """Who made it."""
    revoked_at: datetime | None
    issuer: str | None = None
    """The OpenID provider where the person logs in; None for a token with a text."""

    def state(self, now: datetime) -> str:
        """Return ``valid``, ``expired`` or ``revoked``."""
        if self.revoked_at is not None:
            return "revoked"
        return "valid" if now < self.expires_at else "expired"

    def rights(self, policy: RolePolicy | None = None) -> frozenset[Right]:
        """Return what it allows: never more than the role does by now."""
        given = rights_of(self.role, policy)
        return given if self.narrowed_to is None else given & set(self.narrowed_to)


TOKEN_COLUMNS = columns(Token, "t", narrowed_to="t.rights")
# read
_LIST = f"MATCH (t:AuditorAccessToken) RETURN {TOKEN_COLUMNS} AS token ORDER BY t.created_at DESC, t.id"
# read
_FIND = f"MATCH (t:AuditorAccessToken {{digest: $digest}}) RETURN {TOKEN_COLUMNS} AS token, t.digest AS digest"


class Tokens(Repository):
    """The tokens of a store."""

    def create(
        self,
        *,
        person: str,
        role: Role,
        expires_at: datetime,
        actor: str,
        only: Sequence[str] | None = None,
        note: str = "",
    ) -> tuple[Token, str]:
        """Make a token, and return it with its text: that cannot be had again.

        Parameters
        ----------
        person : str
            Whose it is.
        role : Role
        expires_at : datetime
            From then on it is of no use.
        actor : str
            Who makes it.
        only : sequence of str, optional
            Rights that it keeps of the role's.
        note : str, optional
            What it is for.

        Raises
        ------
        BadInput
            If the name or note cannot be stored, the name could be taken for another person's, a right is not the
            role's, or it would have ended already.
        """
        for what, text in (("name of the person", person), ("note", note)):
            if not text.isprintable() or text != text.strip() or len(text) > LONGEST_NAME:
                raise BadInput(
                    f"the {what} must be on one line, of at most {LONGEST_NAME} letters, without blanks around"
                )
        if not person:
            raise BadInput("say whose token it is; approvals by two tokens of one person are those of one")
        check_person(person, "the name of the person")
        kept = narrowed(only)
        for right in kept or ():
            # the policy may give more to a role than the defaults do
            if right not in rights_of(role) | {"approve", "waive"}:
                raise BadInput(f"the role {role} has no right {right!r}, so that a token cannot keep it")
        secret, now = new_secret(), self._ledger.clock()
        if expires_at <= now:
            raise BadInput("the token would have expired already; choose a later time")
        token = Token(str(uuid.uuid4()), person, role, kept, note, now, expires_at, actor, None)
        values = encode(token, narrowed_to=None, rights=kept, digest=digest_of(secret))

        def work(tx: Transaction) -> NewEntry | None:
            if tx.run(_KNOWN, id=token.id).single() is not None:
                return None
            _check_distinct(person, [*(record["name"] for record in tx.run(_PERSONS)), *people_of_records(tx)])
            tx.run(_CREATE, values=values).consume()
            payload = {name: values[name] for name in ("person", "role", "rights", "expires_at")}
            return NewEntry("token_created", {"token": token.id, **payload}, actor)

        self.change(work)
        return token, secret

    def revoke(self, id: str, *, actor: str) -> None:
        """Make a token useless at once, end its jobs, and freeze what is pending of it; once is enough.

        Raises
        ------
        NotFound
            If there is none of that id.
        """

        def work(tx: Transaction) -> NewEntry | None:
            known = tx.run(_KNOWN, id=id).single() if is_name(id) else None
            if known is None:
                raise NotFound(f"there is no token {id!r}; see 'auditor token list'")
            # whoever left at the provider may come back; whose access is revoked may not
            if known["revoked_at"] is not None and not known["left"]:
                return None
            at = self._ledger.now()
            tx.run(_REVOKE, id=id, at=at, actor=actor).consume()
            tx.run(END_JOBS, id=id, at=at, reason=_REVOKED).consume()
            return NewEntry("token_revoked", {"token": id, "person": known["person"]}, actor)

        self.change(work)

    def list(self) -> Sequence[Token]:
        """Return all tokens, newest first; those that ended, too."""
        return self._all(Token, _LIST)

    def find(self, secret: str) -> Token | None:
        """Return the token of a text, None if there is none; whether it is valid, :meth:`Token.state` says."""
        digest = digest_of(secret)
        records = self._connection.read(_FIND, digest=digest)
        if not records or not hmac.compare_digest(records[0]["digest"], digest):
            return None
        return decode(Token, records[0]["token"])


def _check_distinct(person: str, known: Iterable[str]) -> None:
    """Refuse a name that looks like one of another person; another spelling of the same name is the same person."""
    for name in known:
        if looks_like(name, person) and person_key(name) != person_key(person):
            raise BadInput(
                f"the name {person!r} looks like {name!r}, who is known here; take that spelling for the same person, "
                "and a name that nobody takes for it, such as a longer one, for another person"
            )
