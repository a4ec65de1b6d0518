"""Long work that was asked of the service: what, by whom, how far. A process that is at it gives signs of life.

A job whose process gave none for a while is interrupted, whoever looks: nobody has to be alive to say so. All times are
those of the ledger's clock. Who began, cancelled and resumed one is in the ledger.
"""

import json
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import Json

from auditor.access.person import is_same_person
from auditor.core.errors import NotFound, Refused
from auditor.core.names import is_name
from auditor.core.origin import Origin
from auditor.core.transactions import Transaction
from auditor.store.nodes import NodeRepository, Values
from auditor.store.records import encode
from auditor.store.repository import NewEntry

JobState = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]

SILENCE = timedelta(seconds=20)
"""After so long without a sign of life a job counts as interrupted."""

# write
_CREATE = "CREATE (j:AuditorJob $values)"
# read: the newest
_LIST = """
MATCH (j:AuditorJob)
WHERE ($kinds IS NULL OR j.kind IN $kinds) AND ($state = '' OR j.state = $state)
  AND ($text = '' OR toLower(j.person) CONTAINS $text OR toLower(coalesce(properties(j)['subject'], '')) CONTAINS $text)
WITH j ORDER BY j.at DESC, j.id SKIP $skip LIMIT $limit RETURN j {.*} AS job
"""
# read
_WAITING = """
MATCH (j:AuditorJob {state: 'waiting'})
WHERE NOT EXISTS {
  MATCH (t:AuditorAccessToken {id: properties(j)['token']}) WHERE properties(t)['revoked_at'] IS NOT NULL
}
RETURN j.id AS id ORDER BY j.at, j.id LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of long work."""

    id: str
    kind: str
    subject: str | None
    parameters: Json[Mapping[str, Any]]
    person: str
    """Who asked for it, or resumed it last: what comes of it is this person's request."""
    at: datetime
    state: JobState
    phase: str | None = None
    """What it is doing."""
    result: Json[Mapping[str, Any]] | None = None
    reason: str | None = None
    """Why it failed; without protected values."""
    finished_at: datetime | None = None
    done: int = 0
    total: int = 0
    """0 for unknown."""
    token: str | None = None
    """Id of the token that it was requested with."""
    earlier: tuple[str, ...] = ()
    """Who requested it before it was resumed by others."""
    claim: str | None = None
    """Random; tells the process that does it from all that did it before."""
    beat_at: datetime | None = None
    step: str | None = None
    """Random; tells a repeated transaction that its first try was committed."""

    @property
    def origin(self) -> Origin:
        """The token, who requested it before, and what it is for."""
        return Origin(self.token, self.earlier, self.parameters.get("purpose"))

    @property
    def ended(self) -> bool:
        """Whether nothing happens to it any more, unless somebody resumes it."""
        return self.state not in ("waiting", "running")


class Jobs(NodeRepository[Job]):
    """The jobs of a store."""

    _label, _record = "AuditorJob", Job

    def add(
        self, kind: str, parameters: Mapping[str, Any], *, subject: str | None, person: str, token: str | None = None
    ) -> Job:
        """Ask for a piece of work; whoever runs jobs takes it. `token` is the id of the requester's token."""
        id, at = str(uuid.uuid4()), self._ledger.clock()
        job = Job(id, kind, subject, parameters, person, at, "waiting", token=token)
        values = encode(job, parameters=json.dumps(parameters, ensure_ascii=False, sort_keys=True))

        def work(tx: Transaction) -> NewEntry | None:
            if self._read(tx, id) is not None:
                return None
            tx.run(_CREATE, values=values).consume()
            return _entry("job_begun", job, person)

        self.change(work)
        return self.show(id)

    def show(self, id: str) -> Job:
        """Return a job.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        job = self._find(id) if is_name(id) else None
        if job is None:
            raise NotFound(f"there is no job {id!r}")
        return self._seen(job)

    def list(
        self,
        *,
        limit: int = 100,
        skip: int = 0,
        kinds: Sequence[str] | None = None,
        state: str = "",
        text: str = "",
    ) -> Sequence[Job]:
        """Return jobs, newest first.

        Parameters
        ----------
        limit, skip : int, optional
        kinds : sequence of str, optional
            Only those of these kinds.
        state : str, optional
            Only those that are recorded so: a job that stopped giving signs of life is recorded as running.
        text : str, optional
            Only those whose requester or subject contains it.
        """
        asked = {"kinds": None if kinds is None else [*kinds], "state": state, "text": text.lower()}
        return [self._seen(job) for job in self._all(Job, _LIST, **asked, limit=limit, skip=skip)]

    def take(self) -> Job | None:
        """Take the oldest job that waits, and return it with the claim that its process works under."""
        claim, now = secrets.token_hex(16), self._ledger.now()
        values = {"state": "running", "claim": claim, "beat_at": now, "started_at": now}

        def taken(job: Job | None) -> Values | None:
            return values if job is not None and (job.state == "waiting" or job.claim == claim) else None

        changes = (self._change(record["id"], taken) for record in self._connection.read(_WAITING, limit=10))
        return next((job for job in changes if job is not None), None)

    def beat(self, id: str, claim: str, **progress: Any) -> bool:
        """Give a sign of life, with what is being done; False if the job is no longer this process's."""
        return self._change_claimed(id, claim, {"beat_at": self._ledger.now(), **progress})

    def end(
        self,
        id: str,
        claim: str,
        state: JobState,
        *,
        result: Mapping[str, Any] | None = None,
        reason: str | None = None,
    ) -> None:
        """Note how a job ended; nothing if it is no longer this process's."""
        values = {
            "state": state,
            "result": None if result is None else json.dumps(result, ensure_ascii=False),
            "reason": reason,
            "claim": None,
            "finished_at": self._ledger.now(),
        }
        self._change_claimed(id, claim, values)

    def cancel(self, id: str, *, actor: str) -> Job:
        """End a job in somebody's name; its process finds that it is no longer its own.

        Raises
        ------
        NotFound
            If there is none of that id.
        Refused
            If it has ended by itself.
        """

        def cancelled(job: Job) -> Values | None:
            if job.ended and job.state != "cancelled":
                raise Refused(f"the job has ended already: {job.state}")
            return None if job.ended else {"state": "cancelled", "claim": None, "finished_at": self._ledger.now()}

        return self._take_step(id, cancelled, "job_cancelled", actor)

    def resume(self, id: str, *, person: str, token: str | None = None) -> Job:
        """Let a job that was interrupted, cancelled or failed be done from its beginning, as a request of `person`.

        Who asked for it before stays known: none of them is a second person for what comes of it.

        Raises
        ------
        NotFound
            If there is none of that id.
        Refused
            If it waits, runs or was done.
        """

        def resumed(job: Job) -> Values:
            if self._seen(job).state not in ("interrupted", "cancelled", "failed"):
                state = self._seen(job).state
                raise Refused(f"only what was interrupted, cancelled or failed is resumed; this job: {state}")
            others = dict.fromkeys((*job.earlier, job.person))
            earlier = [name for name in others if not is_same_person(name, person)]
            values = {"state": "waiting", "done": 0, "person": person, "token": token, "earlier": earlier}
            return {**dict.fromkeys(("claim", "reason", "phase", "finished_at")), **values}

        return self._take_step(id, resumed, "job_resumed", person)

    def _take_step(self, id: str, change: Callable[[Job], Values | None], kind: str, actor: str) -> Job:
        """Change a job, where `change` returns something to set, and record that in the same transaction."""
        self.show(id)
        step = secrets.token_hex(16)

        def work(tx: Transaction) -> NewEntry | None:
            job = self._locked(tx, id)
            values = None if job is None or job.step == step else change(job)
            if job is None or values is None:
                return None
            self._set(tx, id, {**values, "step": step})
            return _entry(kind, job, actor)

        self.change(work)
        return self.show(id)

    def _change_claimed(self, id: str, claim: str, values: Values) -> bool:
        """Change a job if it is still the process's that has the claim."""
        held = self._change(id, lambda job: values if job is not None and job.claim == claim else None)
        return held is not None

    def _seen(self, job: Job) -> Job:
        """Return a job as it is seen: one that gives no sign of life is interrupted."""
        silent = job.beat_at is not None and job.beat_at + SILENCE < self._ledger.clock()
        return replace(job, state="interrupted") if job.state == "running" and silent else job


def _entry(kind: str, job: Job, actor: str) -> NewEntry:
    """Return the entry about what somebody did with a job; nothing of its parameters but what it is about."""
    payload: dict[str, Any] = {"job": job.id, "kind": job.kind}
    if job.person != actor:
        payload["asked_by"] = job.person
    if job.subject is None and "subjects" in job.parameters:
        payload["subjects"] = job.parameters["subjects"]
    return NewEntry(kind, payload, actor, job.subject)
