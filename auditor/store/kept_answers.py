"""Answers to requests that named a key, so that the same request sent again does nothing twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from auditor.store.clock import time_text
from auditor.store.concept import Concept

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

__all__ = ["KeptAnswer", "KeptAnswers"]

_KEPT = timedelta(hours=24)

# write: what is too old goes with whoever comes next
_CLAIM = """
OPTIONAL MATCH (old:AuditorKeptAnswer) WHERE old.at < $oldest
DETACH DELETE old
WITH count(*) AS ended
MERGE (a:AuditorKeptAnswer {key: $key})
ON CREATE SET a.at = $at, a.request = $request, a.claim = $claim, a.status = 0, a.body = ''
RETURN a.request AS request, a.status AS status, a.body AS body, a.claim AS claim
"""
# write
_KEEP = "MATCH (a:AuditorKeptAnswer {key: $key, claim: $claim}) SET a.status = $status, a.body = $body"
# write
_FORGET = "MATCH (a:AuditorKeptAnswer {key: $key, claim: $claim}) WHERE a.status = 0 DETACH DELETE a"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What became of a key."""

    mine: bool
    """Whether the key was free: the request is to be done, and its answer kept."""
    same: bool
    """Whether it was sent with the same request."""
    status: int
    """Of the answer; 0 while there is none."""
    body: str


class KeptAnswers(Concept):
    """The answers of a store; each for a day."""

    def claim(self, key: str, request: str, claim: str) -> KeptAnswer:
        """Take a key for a request, or return what became of it.

        Parameters
        ----------
        key : str
            With whoever sent it.
        request : str
            Digest of the request.
        claim : str
            Random; a repetition of the transaction is known by it.
        """
        now = self._ledger.clock()
        values = {
            "key": key,
            "request": request,
            "claim": claim,
            "at": time_text(now),
            "oldest": time_text(now - _KEPT),
        }

        def work(tx: ManagedTransaction) -> KeptAnswer:
            found = tx.run(_CLAIM, values).single(strict=True)
            return KeptAnswer(found["claim"] == claim, found["request"] == request, found["status"], found["body"])

        return self._connection.write(work)

    def keep(self, key: str, claim: str, status: int, body: str) -> None:
        """Keep the answer to a request."""

        def work(tx: ManagedTransaction) -> None:
            tx.run(_KEEP, key=key, claim=claim, status=status, body=body).consume()

        self._connection.write(work)

    def forget(self, key: str, claim: str) -> None:
        """Free a key whose request was not done."""

        def work(tx: ManagedTransaction) -> None:
            tx.run(_FORGET, key=key, claim=claim).consume()

        self._connection.write(work)
