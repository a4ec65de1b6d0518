"""What the requester and those who decide say about a request: written once, never changed."""

import hashlib
import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor.access.person import check_person, person_key
from auditor.approvals.repository import missing_approval
from auditor.approvals.words import some_lines
from auditor.core.clock import parse_time
from auditor.core.errors import BadInput, Refused
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.store.records import columns, decode, encode
from auditor.store.repository import Repository

MOST_COMMENTS = 500
"""About one request: a page shows all of them."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Something that a person said about a request."""

    id: str
    approval: str
    at: datetime
    by: str
    text: str
    """On one line or several."""
    entry: int
    """Position of its entry in the ledger, which holds its digest."""
    unchanged: bool = True
    """Whether it is what the ledger says was written."""


_BYTES = 32

# read
_OF = f"""
MATCH (c:AuditorApprovalComment {{approval: $approval}})
OPTIONAL MATCH (e:AuditorEntry {{seq: c.entry}}) WHERE e.kind = 'approval_commented'
RETURN {columns(Comment, "c", unchanged="null")} AS comment, properties(c)['salt'] AS salt,
  e.at AS at, e.actor AS actor, e.payload AS payload
ORDER BY c.entry
"""
# read, under the store's lock
_KNOWN = """
OPTIONAL MATCH (a:AuditorApproval {id: $approval})
RETURN a.subject AS subject, EXISTS { MATCH (:AuditorApprovalComment {id: $id}) } AS written,
  COUNT { MATCH (:AuditorApprovalComment {approval: $approval}) } AS comments
"""
# write
_CREATE = "MATCH (a:AuditorApproval {id: $approval}) CREATE (c:AuditorApprovalComment $values)-[:ON]->(a)"


class Conversation(Repository):
    """The comments of a store."""

    def add(self, approval: str, *, actor: str, text: str) -> Comment:
        """Say something about a request, pending or decided.

        Parameters
        ----------
        approval : str
            Id of the approval.
        actor : str
            Who says it.
        text : str
            It must name no label and no value of the data: everybody reads it who reads the approval.

        Raises
        ------
        NotFound
            If there is no such approval.
        BadInput
            If nobody is named, or others could not read the text.
        Refused
            If there are too many comments.

        Notes
        -----
        The ledger gets a digest of the text with random bytes, which stand beside the comment alone: a changed comment
        is found, and who has an exported ledger cannot even test guesses about what a person wrote.
        """
        words = some_lines(text, "the comment")
        if not person_key(actor):
            raise BadInput("name the person who comments, for the ledger")
        check_person(actor, "the name of who comments")
        id, salt = str(uuid.uuid4()), secrets.token_hex(_BYTES)

        def work(tx: Transaction) -> None:
            found = tx.run(_KNOWN, approval=approval if is_name(approval) else "", id=id).single(strict=True)
            if found["subject"] is None:
                raise missing_approval(approval)
            if found["written"]:
                return
            if found["comments"] >= MOST_COMMENTS:
                raise Refused(f"there are {MOST_COMMENTS} comments about {approval} already; decide about it")
            payload = {"approval": approval, "comment": id, "digest": _digest(salt, words)}
            entry = self._ledger.append(tx, "approval_commented", payload, actor=actor, subject=found["subject"])
            comment = Comment(id, approval, parse_time(entry.at), actor, words, entry.seq)
            tx.run(_CREATE, approval=approval, values=encode(comment, unchanged=None, salt=salt)).consume()

        self.locked(work)
        return next(one for one in self.about(approval) if one.id == id)

    def about(self, approval: str) -> Sequence[Comment]:
        """Return what was said about a request, the first comment first."""
        found = []
        for record in self._connection.read(_OF, approval=approval):
            held = record["comment"]
            found.append(decode(Comment, held | {"unchanged": _is_as_recorded(held, record)}))
        return found


def _is_as_recorded(held: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """Whether a comment says what its entry does: about what, by whom, when, and in which words."""
    if record["payload"] is None:
        return False
    digest = _digest(record["salt"] or "", held["text"])
    told = {"approval": held["approval"], "comment": held["id"], "digest": digest}
    same = (held["by"], held["at"]) == (record["actor"], record["at"])
    return same and bool(json.loads(record["payload"]) == told)


def _digest(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()
