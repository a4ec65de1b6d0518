"""What the requester and those who decide say about a request: written once, never changed."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

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


# read
_OF = f"""
MATCH (c:AuditorApprovalComment {{approval: $approval}})
OPTIONAL MATCH (e:AuditorEntry {{seq: c.entry}}) WHERE e.kind = 'approval_commented'
RETURN {columns(Comment, "c", unchanged="null")} AS comment, e.payload AS payload ORDER BY c.entry
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
        The ledger gets the digest of the text with the random id of the comment, not the text: a changed comment is
        found, and an exported ledger repeats nothing that a person wrote.
        """
        words = some_lines(text, "the comment")
        if not person_key(actor):
            raise BadInput("name the person who comments, for the ledger")
        check_person(actor, "the name of who comments")
        id = str(uuid.uuid4())

        def work(tx: Transaction) -> None:
            found = tx.run(_KNOWN, approval=approval if is_name(approval) else "", id=id).single(strict=True)
            if found["subject"] is None:
                raise missing_approval(approval)
            if found["written"]:
                return
            if found["comments"] >= MOST_COMMENTS:
                raise Refused(f"there are {MOST_COMMENTS} comments about {approval} already; decide about it")
            payload = {"approval": approval, "comment": id, "digest": _digest(id, words)}
            entry = self._ledger.append(tx, "approval_commented", payload, actor=actor, subject=found["subject"])
            comment = Comment(id, approval, parse_time(entry.at), actor, words, entry.seq)
            tx.run(_CREATE, approval=approval, values=encode(comment, unchanged=None)).consume()

        self.locked(work)
        return next(one for one in self.about(approval) if one.id == id)

    def about(self, approval: str) -> Sequence[Comment]:
        """Return what was said about a request, the first comment first."""
        found = []
        for record in self._connection.read(_OF, approval=approval):
            held = record["comment"]
            digest = f'"digest":"{_digest(held["id"], held["text"])}"'
            found.append(decode(Comment, held | {"unchanged": digest in (record["payload"] or "")}))
        return found


def _digest(id: str, text: str) -> str:
    # the random id keeps others from testing guesses about the text
    return hashlib.sha256(f"{id}\n{text}".encode()).hexdigest()
