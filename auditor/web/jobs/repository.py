"""Long work that was asked of the service: what, by whom, how far. A process that is at it gives signs of life.

A job whose process gave none for a while is interrupted, whoever looks: nobody has to be alive to say so. All times are
those of the ledger's clock. Who began, cancelled and resumed one is in the ledger.
"""

import json
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import Json

from auditor.access.person import is_same_person
from auditor.core.clock import parse_time
from auditor.core.errors import NotFound, Refused
from auditor.core.names import is_name
from auditor.core.origin import Origin
from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.repository import NewEntry, Repository

JobState = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]

SILENCE = timedelta(seconds=20)
"""After so long without a sign of life a job counts as interrupted."""

_COLUMNS = "RETURN j {.*, origin: {token: j.token, earlier: coalesce(j.earlier, [])}} AS job"
# write
_CREATE = "CREATE (j:AuditorJob $values)"
# read
_SHOW = f"MATCH (j:AuditorJob {{id: $id}}) {_COLUMNS}"
# read: the newest
_LIST = f"MATCH (j:AuditorJob) WITH j ORDER BY j.at DESC, j.id SKIP $skip LIMIT $limit {_COLUMNS}"
# write: takes the node's lock for the rest of the transaction, as that of the store is taken
_LOCK = "MATCH (j:AuditorJob {id: $id}) SET j.locked = true"
# write
_SET = f"MATCH (j:AuditorJob {{id: $id}}) SET j += $values {_COLUMNS}"
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
    phase: str | None
    """What it is doing."""
    result: Json[Mapping[str, Any]] | None
    reason: str | None
    """Why it failed; without protected values."""
    finished_at: datetime | None
    origin: Origin
    """The token that it was asked for with, and who asked for it before it was resumed by others."""
    done: int = 0
    total: int = 0
    """0 for unknown."""

    @property
    def ended(self) -> bool:
        """Whether nothing happens to it any more, unless somebody resumes it."""
        return self.state not in ("waiting", "running")


class Jobs(Repository):
    """The jobs of a store."""

    def add(
        self,
        kind: str,
        parameters: Mapping[str, Any],
        *,
        subject: str | None,
        person: str,
        token: str | None = None,
    ) -> Job:
        """Ask for a piece of work; whoever runs jobs takes it. `token` is the id of the requester's token."""
        id = str(uuid.uuid4())
        values: dict[str, Any] = {
            "id": id,
            "kind": kind,
            "subject": subject,
            "parameters": json.dumps(parameters, ensure_ascii=False, sort_keys=True),
            "person": person,
            "at": self._ledger.now(),
            "state": "waiting",
            "token": token,
            "earlier": [],
        }

        def work(tx: Transaction) -> NewEntry | None:
            if tx.run(_SHOW, id=id).single() is not None:
                return None
            tx.run(_CREATE, values=values).consume()
            return _entry("job_begun", values, person)

        self.change(work)
        return self.show(id)

    def show(self, id: str) -> Job:
        """Return a job.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        records = self._connection.read(_SHOW, id=id) if is_name(id) else []
        if not records:
            raise NotFound(f"there is no job {id!r}")
        return self._job(records[0]["job"])

    def list(self, *, limit: int = 100, skip: int = 0) -> Sequence[Job]:
        """Return jobs, newest first."""
        return [self._job(record["job"]) for record in self._connection.read(_LIST, limit=limit, skip=skip)]

    def take(self) -> tuple[Job, str] | None:
        """Take the oldest job that waits, and return it with the claim that its process works under."""
        for record in self._connection.read(_WAITING, limit=10):
            claim = secrets.token_hex(16)
            taken = self._change(record["id"], _taken(claim, self._ledger.now()))
            if taken is not None:
                return taken, claim
        return None

    def beat(self, id: str, claim: str, **progress: Any) -> bool:
        """Give a sign of life, with what is being done; False if the job is no longer this process's."""
        values = {"beat_at": self._ledger.now(), **progress}
        return self._change(id, lambda job: values if job.get("claim") == claim else None) is not None

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
        self._change(id, lambda job: values if job.get("claim") == claim else None)

    def cancel(self, id: str, *, actor: str) -> Job:
        """End a job in somebody's name; its process finds that it is no longer its own.

        Raises
        ------
        NotFound
            If there is none of that id.
        Refused
            If it has ended by itself.
        """
        self.show(id)
        values = {"state": "cancelled", "claim": None, "finished_at": self._ledger.now()}

        def ended(job: Mapping[str, Any]) -> Mapping[str, Any] | None:
            return values if job["state"] in ("waiting", "running") else None

        changed = self._change(id, ended, entry=("job_cancelled", actor))
        if changed is None and (job := self.show(id)).state != "cancelled":
            raise Refused(f"the job has ended already: {job.state}")
        return self.show(id)

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
        if self.show(id).state not in ("interrupted", "cancelled", "failed"):
            raise Refused(f"only what was interrupted, cancelled or failed is resumed; this job: {self.show(id).state}")
        values = {"state": "waiting", "claim": None, "reason": None, "phase": None, "done": 0, "finished_at": None}

        def resumed(job: Mapping[str, Any]) -> Mapping[str, Any] | None:
            before = self._job(job)
            if not before.ended or before.state == "done":
                return None
            others = (*before.origin.earlier, before.person)
            earlier = [name for name in dict.fromkeys(others) if not is_same_person(name, person)]
            return {**values, "person": person, "token": token, "earlier": earlier}

        if self._change(id, resumed, entry=("job_resumed", person)) is None:
            raise Refused(f"somebody else has resumed the job meanwhile: {self.show(id).state}")
        return self.show(id)

    def _change(self, id: str, change: Any, *, entry: tuple[str, str] | None = None) -> Job | None:
        """Change a job under its lock; None where `change`, given what it is, returns nothing to set.

        With `entry`, a kind and who did it, the ledger records the change in the same transaction.
        """
        step = secrets.token_hex(16)

        def work(tx: Transaction) -> Job | None:
            tx.run(_LOCK, id=id).consume()
            found = tx.run(_SHOW, id=id).single()
            if found is not None and entry is not None and found["job"].get("step") == step:
                return self._job(found["job"])
            values = None if found is None else change(found["job"])
            if found is None or values is None:
                return None
            if entry is not None:
                values = {**values, "step": step}
                new = _entry(entry[0], found["job"], entry[1])
                self._ledger.append(tx, new.kind, new.payload, actor=new.actor, subject=new.subject)
            return self._job(tx.run(_SET, id=id, values=values).single(strict=True)["job"])

        return self._connection.write(work) if entry is None else self.locked(work)

    def _job(self, properties: Mapping[str, Any]) -> Job:
        job, beat = decode(Job, properties), properties.get("beat_at")
        silent = beat is not None and parse_time(beat) + SILENCE < self._ledger.clock()
        return replace(job, state="interrupted") if job.state == "running" and silent else job


def _entry(kind: str, job: Mapping[str, Any], actor: str) -> NewEntry:
    """Return the entry about what somebody did with a job; nothing of its parameters but what it is about."""
    payload: dict[str, Any] = {"job": job["id"], "kind": job["kind"]}
    if job["person"] != actor:
        payload["asked_by"] = job["person"]
    given = json.loads(job["parameters"])
    if job.get("subject") is None and "subjects" in given:
        payload["subjects"] = given["subjects"]
    return NewEntry(kind, payload, actor, job.get("subject"))


def _taken(claim: str, now: str) -> Any:
    def change(job: Mapping[str, Any]) -> dict[str, Any] | None:
        if job["state"] != "waiting" and job.get("claim") != claim:
            return None
        return {"state": "running", "claim": claim, "beat_at": now, "started_at": now}

    return change
