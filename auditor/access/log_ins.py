"""People who log in at an OpenID provider, in the store: each subject of an issuer is one of them.

Such a person is kept as a token without a text: sessions, jobs, approvals and revocation treat both alike.
"""

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from auditor.access.known_people import people_of_records
from auditor.access.person import check_person, is_one_of, looks_like, person_key
from auditor.access.rights import Role
from auditor.access.tokens import END_JOBS, LONGEST_NAME, TOKEN_COLUMNS, Token
from auditor.core.clock import time_text
from auditor.core.errors import BadInput, Refused
from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.repository import NewEntry, Repository

_TAKEN = "the name is, or looks like, that of another person here"
_LEFT = "the person who requested it is in no group with a role any more"
_CHANGED = "the person who requested it has another role by now"

# read, under the store's lock
_KNOWN = f"""
MATCH (t:AuditorAccessToken {{digest: $digest}})
RETURN {TOKEN_COLUMNS} AS token, properties(t)['known_as'] AS known_as, properties(t)['step'] AS step,
  coalesce(properties(t)['left'], false) AS left
"""
# read, under the store's lock: names of others, and who says so of those who log in at a provider
_OTHERS = """
MATCH (t:AuditorAccessToken) WHERE t.digest <> $digest
UNWIND coalesce(properties(t)['known_as'], [t.person]) AS name
RETURN name, properties(t)['named_by'] AS named_by
"""
# write: whoever agreed to something with another role, or left since, agrees no more; what they began ends as well
_END_AGREEMENTS = """
MATCH (a:AuditorApproval {agreed_token: $id}) WHERE a.state = 'returned' AND a.agreed_until > $at
SET a.agreed_until = $at
"""
# write
_WRITE = "MERGE (t:AuditorAccessToken {digest: $digest}) ON CREATE SET t += $new SET t += $values"
# write
_LEAVE = """
MATCH (t:AuditorAccessToken {digest: $digest})
SET t.revoked_at = $at, t.revoked_by = 'the provider', t.left = true
WITH t OPTIONAL MATCH (s:AuditorSession {token: t.id}) DETACH DELETE s
"""
# read
_FIND = f"MATCH (t:AuditorAccessToken {{digest: $digest}}) RETURN {TOKEN_COLUMNS} AS token"


NamedBy = Literal["people", "names", "provider"]
"""Who says whose name it is: the settings of this very subject (``people``), or of all names of the provider
(``names``); then it is the person of that name, also where a token has it. Or the provider alone, which knows nothing
of tokens."""


@dataclass(frozen=True, slots=True)
class ProviderPerson:
    """Somebody whom an OpenID provider has vouched for."""

    issuer: str
    subject: str
    """Who it is there: names change, and others get them; this stays."""
    name: str
    role: Role
    named_by: NamedBy

    @property
    def digest(self) -> str:
        """What tells such people apart in the store."""
        return provider_digest(self.issuer, self.subject)


def provider_digest(issuer: str, subject: str) -> str:
    """Return what tells a subject of an issuer apart; no text of a token has it as its digest.

    Examples
    --------
    >>> provider_digest("https://id.example", "1")[:9]
    'oidc:487c'
    """
    # neither part of an identity may hold the line break between them
    return "oidc:" + hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()


class LogIns(Repository):
    """The people of a store who log in at a provider."""

    def admit(self, person: ProviderPerson, until: datetime) -> Token:
        """Let somebody in with a role, and return what a session is begun with.

        Parameters
        ----------
        person : ProviderPerson
        until : datetime
            Then the provider is asked again.

        Raises
        ------
        BadInput
            If the name cannot be one here, or could be taken for another person's.
        Refused
            If an administrator revoked the access.
        """
        check_shown_name(person.name)
        step = str(uuid.uuid4())

        def work(tx: Transaction) -> NewEntry | None:
            known = tx.run(_KNOWN, digest=person.digest).single()
            token = None if known is None else decode(Token, known["token"])
            if known is not None and known["step"] == step:
                return None
            if token is not None and token.revoked_at is not None and not (known and known["left"]):
                raise Refused(f"the access of {token.person!r} was revoked here; ask an administrator")
            names = _names_of(person, known)
            others = [(record["name"], record["named_by"]) for record in tx.run(_OTHERS, digest=person.digest)]
            _check_distinct(person, names, others, people_of_records(tx))
            at = self._ledger.now()
            if token is not None and (token.role != person.role or token.revoked_at is not None):
                tx.run(_END_AGREEMENTS, id=token.id, at=at).consume()
                tx.run(END_JOBS, id=token.id, at=at, reason=_CHANGED).consume()
            id = str(uuid.uuid4()) if token is None else token.id
            values = {
                "person": person.name,
                "role": person.role,
                "expires_at": time_text(until),
                "known_as": [*names, *([] if person.name in names else [person.name])],
                "named_by": person.named_by,
                "revoked_at": None,
                "revoked_by": None,
                "left": None,
                "step": step,
            }
            new = {
                "id": id,
                "issuer": person.issuer,
                "subject": person.subject,
                "note": "logs in at the provider",
                "created_at": at,
                "actor": person.name,
            }
            tx.run(_WRITE, digest=person.digest, new=new, values=values).consume()
            told = {"token": id, "person": person.name, "role": person.role, "expires_at": values["expires_at"]}
            return NewEntry("logged_in", {**told, "issuer": person.issuer, "subject": person.subject}, person.name)

        self.change(work)
        found = self.find(person.issuer, person.subject)
        assert found is not None
        return found

    def leave(self, issuer: str, subject: str) -> None:
        """End the access of somebody who has no role any more, with sessions and jobs; of a stranger nothing is kept.

        What they requested is frozen, as after a revocation, until they have a role again or another one takes it over.
        """
        digest = provider_digest(issuer, subject)

        def work(tx: Transaction) -> NewEntry | None:
            known = tx.run(_KNOWN, digest=digest).single()
            token = None if known is None else decode(Token, known["token"])
            if token is None or token.revoked_at is not None:
                return None
            at = self._ledger.now()
            tx.run(_LEAVE, digest=digest, at=at).consume()
            tx.run(_END_AGREEMENTS, id=token.id, at=at).consume()
            tx.run(END_JOBS, id=token.id, at=at, reason=_LEFT).consume()
            return NewEntry("log_in_ended", {"token": token.id, "person": token.person}, token.person)

        self.change(work)

    def find(self, issuer: str, subject: str) -> Token | None:
        """Return what a subject of an issuer is here; None for who has never had a role."""
        records = self._connection.read(_FIND, digest=provider_digest(issuer, subject))
        return decode(Token, records[0]["token"]) if records else None


def check_shown_name(name: str) -> None:
    """Refuse a name that cannot be one here.

    Raises
    ------
    BadInput
    """
    if not name or not name.isprintable() or name != name.strip() or len(name) > LONGEST_NAME:
        raise BadInput(f"the name must be on one line, of at most {LONGEST_NAME} letters, without blanks around")
    check_person(name, "the name")
    if not person_key(name):
        raise BadInput("the name has no letter")


def _names_of(person: ProviderPerson, known: Any) -> Sequence[str]:
    return () if known is None else tuple(known["known_as"])


def _check_distinct(
    person: ProviderPerson,
    own: Sequence[str],
    others: Sequence[tuple[str, NamedBy | None]],
    recorded: Iterable[str],
) -> None:
    """Refuse a name that another person has, or that looks like it.

    Names that a person had before are that person's: requests under them are one's own, as long as nobody else has a
    token or a log-in of that name, who then is that person. The name of a token is somebody's, and of the provider's
    people the one whom the settings call so.
    """
    for name, named_by in others:
        if not looks_like(name, person.name):
            continue
        same = person_key(name) == person_key(person.name)
        # a name of the provider's that another subject had is somebody else's by now
        allowed = ("people",) if named_by is not None else ("people", "names")
        if not (same and person.named_by in allowed and named_by in (None, "people")):
            raise BadInput(_TAKEN)
    if is_one_of(person.name, *own):
        return
    for name in recorded:
        # what was recorded under a name is seen by whom the settings call so, not by whom the provider does
        is_own = person_key(name) == person_key(person.name) and person.named_by != "provider"
        if looks_like(name, person.name) and not is_own:
            raise BadInput(_TAKEN)
