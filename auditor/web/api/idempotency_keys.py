"""Answers to requests that named a key, so that the same request sent again does nothing twice.

Until there is an answer, a key is leased to its request, which renews the lease. Where the process of a request ends,
so does the lease, and the key is free again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from auditor.core.clock import time_text
from auditor.core.transactions import Transaction
from auditor.store.repository import Repository

_KEPT = timedelta(hours=24)
LEASE = timedelta(seconds=30)
"""For so long a key belongs to a request that gives no sign of life."""

# write: what is too old goes with whoever comes next
_CLAIM = """
OPTIONAL MATCH (old:AuditorKeptAnswer) WHERE old.at < $oldest
DETACH DELETE old
WITH count(*) AS ended
MERGE (a:AuditorKeptAnswer {key: $key})
ON CREATE SET a += $values, a.status = 0, a.body = ''
SET a.locked = true
"""
# read, under the lock of the node
_FIND = """
MATCH (a:AuditorKeptAnswer {key: $key})
RETURN a.request AS request, a.status AS status, a.body AS body, a.claim AS claim,
       coalesce(properties(a)['rights'], []) AS rights, coalesce(properties(a)['lease_until'], '') AS lease_until
"""
# write: its request ended without an answer, with its process
_TAKE = "MATCH (a:AuditorKeptAnswer {key: $key}) SET a += $values"
# write
_RENEW = "MATCH (a:AuditorKeptAnswer {key: $key, claim: $claim}) WHERE a.status = 0 SET a.lease_until = $lease_until"
# write
_KEEP = "MATCH (a:AuditorKeptAnswer {key: $key, claim: $claim}) SET a.status = $status, a.body = $body"
# write
_FORGET = "MATCH (a:AuditorKeptAnswer {key: $key, claim: $claim}) WHERE a.status = 0 DETACH DELETE a"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What became of a key that was sent before."""

    same: bool
    """Whether it was sent with the same request."""
    status: int
    """Of the answer; 0 while there is none."""
    body: str
    rights: tuple[str, ...]
    """Those of the person who sent it first, at that time."""


class IdempotencyKeys(Repository):
    """The answers of a store; each for a day."""

    def claim(self, key: str, request: str, claim: str, *, rights: Sequence[str] = ()) -> KeptAnswer | None:
        """Take a key for a request and return None; where it is not free, return what became of it.

        Parameters
        ----------
        key : str
            With the token that it was sent with.
        request : str
            Digest of the request.
        claim : str
            Random; a repetition of the transaction is known by it.
        rights : sequence of str, optional
            Those of the person who sent it; kept with the answer.
        """
        now = self._ledger.clock()
        values = {
            "request": request,
            "claim": claim,
            "at": time_text(now),
            "rights": [*rights],
            "lease_until": time_text(now + LEASE),
        }

        def work(tx: Transaction) -> KeptAnswer | None:
            tx.run(_CLAIM, key=key, oldest=time_text(now - _KEPT), values=values).consume()
            found = tx.run(_FIND, key=key).single(strict=True)
            if found["claim"] == claim:
                return None
            if found["status"] == 0 and found["lease_until"] < time_text(now):
                tx.run(_TAKE, key=key, values=values).consume()
                return None
            return KeptAnswer(found["request"] == request, found["status"], found["body"], tuple(found["rights"]))

        return self._connection.write(work)

    def renew(self, key: str, claim: str) -> None:
        """Give a sign of life of a request that is under way."""
        until = time_text(self._ledger.clock() + LEASE)
        self._write(_RENEW, key=key, claim=claim, lease_until=until)

    def keep(self, key: str, claim: str, status: int, body: str) -> None:
        """Keep the answer to a request."""
        self._write(_KEEP, key=key, claim=claim, status=status, body=body)

    def forget(self, key: str, claim: str) -> None:
        """Free a key whose request was not done."""
        self._write(_FORGET, key=key, claim=claim)

    def _write(self, query: str, **values: object) -> None:
        self._connection.write(lambda tx: tx.run(query, values).consume())
