"""Schedules in the store: what is audited when, under which policy; each change with its entry in the ledger.

A schedule that is removed keeps its node, as `RemovedSchedule`, and its ticks: what it did stays known.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from auditor.core.clock import parse_time
from auditor.core.errors import AlreadyExists, BadInput, NotFound
from auditor.core.names import check_name, is_name
from auditor.core.subject import parse_subject
from auditor.store.policies import KEEP_POLICY
from auditor.store.repository import Repository
from auditor.store.schema.head import lock_store
from auditor.store.subjects import require_subject

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

CatchUp = Literal["none", "last", "all"]
"""Which of the ticks that nobody did in time are made up for."""

_COLUMNS = """
MATCH (s)-[:UNDER]->(p:AuditorPolicy)
RETURN s.id AS id, s.name AS name, s.cron AS cron, s.timezone AS timezone, s.subjects AS subjects,
       p.hash AS policy_hash, p.text AS policy_text, s.catch_up AS catch_up, s.paused AS paused,
       s.created_at AS created_at, s.actor AS actor, s.begins_at AS begins_at, s.settled_until AS settled_until,
       s.removed_at AS removed_at, properties(s)['protect_k'] AS protect_k, properties(s)['protect_out'] AS protect_out,
       coalesce(properties(s)['resumed_by'], []) AS resumed_by
"""
# read
_LIST = f"MATCH (s:AuditorSchedule) {_COLUMNS} ORDER BY name"
# read: the one of that name, or else the last one that had it
_SHOW = f"MATCH (s:AuditorSchedule|AuditorRemovedSchedule {{name: $name}}) {_COLUMNS} ORDER BY removed_at DESC LIMIT 1"
# read, under the store's lock
_FIND = "MATCH (s:AuditorSchedule {name: $name}) RETURN s.id AS id, s.paused AS paused"
# read, under the store's lock
_IS_REMOVED = "MATCH (s:AuditorRemovedSchedule {id: $id}) RETURN count(s) AS found"
# write
_ADD = (
    KEEP_POLICY
    + """
CREATE (s:AuditorSchedule {id: $id, name: $name, cron: $cron, timezone: $timezone, subjects: $subjects,
                    catch_up: $catch_up, paused: false, created_at: $at, actor: $actor, begins_at: $at,
                    settled_until: $at, protect_k: $protect_k, protect_out: $protect_out})
CREATE (s)-[:UNDER]->(p)
"""
)
# write
_PAUSE = "MATCH (s:AuditorSchedule {name: $name}) SET s.paused = true"
# write: what would have been due meanwhile was not missed; the clock may have been set back
_RESUME = """
MATCH (s:AuditorSchedule {name: $name})
SET s.paused = false, s.begins_at = $at,
    s.resumed_by = [name IN coalesce(properties(s)['resumed_by'], []) WHERE name <> $actor] + [$actor],
    s.settled_until = CASE WHEN s.settled_until < $at THEN $at ELSE s.settled_until END
"""
# write
_REMOVE = (
    "MATCH (s:AuditorSchedule {id: $id}) REMOVE s:AuditorSchedule SET s:AuditorRemovedSchedule, s.removed_at = $at"
)
# write: whoever is at one of these has lost it
_CLOSE_TICKS = """
MATCH (s:AuditorRemovedSchedule {id: $id})<-[:OF]-(t:AuditorTick)
WHERE t.lease_until IS NOT NULL OR t.retry_at IS NOT NULL
SET t.status = 'failed', t.reason = 'the schedule was removed', t.finished_at = $at, t.claim = null,
    t.lease_until = null, t.retry_at = null
"""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is audited when."""

    id: str
    """Random: a name may be used again after a removal."""
    name: str
    cron: str
    timezone: str
    subjects: tuple[str, ...]
    """``network:NAME``, ``table:NAME``, ``export:ID``."""
    policy_hash: str
    policy_text: str
    """As it was when the schedule was added."""
    catch_up: CatchUp
    paused: bool
    created_at: datetime
    actor: str
    begins_at: datetime
    """When it was added or resumed; nothing before it is done any more."""
    settled_until: datetime
    """Every due time up to this one is a tick, was skipped, or lies before the schedule began."""
    removed_at: datetime | None = None
    protect_k: int | None = None
    """With this k a protected export of its network is made in a tick, where there is no good one."""
    protect_out: str | None = None
    """Where: exports are dated names beside it."""
    resumed_by: tuple[str, ...] = ()
    """Who resumed it, the last one last."""

    @property
    def requester(self) -> str:
        """Who requests what it makes: whoever resumed it last, or added it."""
        return self.resumed_by[-1] if self.resumed_by else self.actor

    @property
    def earlier_requesters(self) -> tuple[str, ...]:
        """Who requested it before that: none of them is a second person for what it makes."""
        return (self.actor, *self.resumed_by)[: len(self.resumed_by)]


class Schedules(Repository):
    """The schedules of a store."""

    def add(
        self,
        name: str,
        *,
        cron: str,
        timezone: str,
        subjects: Sequence[str],
        policy_hash: str,
        policy_text: str,
        catch_up: CatchUp,
        actor: str,
        protect_k: int | None = None,
        protect_out: str | None = None,
    ) -> Schedule:
        """Record a schedule that begins now.

        Parameters
        ----------
        name : str
        cron, timezone : str
            Checked by :func:`auditor.schedules.cron.parse_cron`.
        subjects : sequence of str
            ``network:NAME``, ``table:NAME`` or ``export:ID``, each once.
        policy_hash, policy_text : str
            The policy; its text is kept once.
        catch_up : ``none``, ``last`` or ``all``
        actor : str
        protect_k, protect_out : int and str, optional
            The k and the place of protected exports that it makes.

        Raises
        ------
        BadInput
            If nothing may have that name, or there is no subject, or one is named twice.
        AlreadyExists
            If there is a schedule of that name.
        NotFound
            If there is no such subject.
        """
        check_name(name)
        if not subjects or len(set(subjects)) < len(subjects):
            raise BadInput("a schedule needs at least one subject, and each of them once")
        values: dict[str, Any] = {
            "id": str(uuid.uuid4()),
            "at": self._ledger.now(),
            "name": name,
            "cron": cron,
            "timezone": timezone,
            "subjects": [*subjects],
            "policy_hash": policy_hash,
            "policy_text": policy_text,
            "catch_up": catch_up,
            "actor": actor,
            "protect_k": protect_k,
            "protect_out": protect_out,
        }

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            found = tx.run(_FIND, name=name).single()
            if found is not None:
                if found["id"] == values["id"]:
                    # this is a retry, and the first try was committed
                    return
                raise AlreadyExists(f"there is a schedule {name!r} already; remove it first, or choose another name")
            for subject in subjects:
                require_subject(tx, *parse_subject(subject))
            tx.run(_ADD, values).consume()
            payload = {
                "schedule": values["id"],
                "cron": cron,
                "timezone": timezone,
                "subjects": [*subjects],
                "policy": policy_hash,
                "catch_up": catch_up,
                **({} if protect_k is None else {"protect_k": protect_k}),
            }
            self._ledger.append(tx, "schedule_added", payload, actor=actor, subject=f"schedule:{name}")

        self._connection.write(work)
        return self.show(name)

    def list(self) -> Sequence[Schedule]:
        """Return all schedules, by name."""
        return [_schedule(record) for record in self._connection.read(_LIST)]

    def show(self, name: str) -> Schedule:
        """Return a schedule, or the last one that was removed under that name.

        Raises
        ------
        NotFound
            If there never was one.
        """
        # in Cypher null is the largest value: a schedule that is there comes before those that were removed
        records = self._connection.read(_SHOW, name=name) if is_name(name) else []
        if not records:
            raise _missing(name)
        return _schedule(records[0])

    def pause(self, name: str, *, actor: str) -> None:
        """Let nothing more become due until it is resumed; what is in hand is finished.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        self._set_paused(name, True, actor)

    def resume(self, name: str, *, actor: str) -> None:
        """Go on from now: what would have been due meanwhile is not made up for.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        self._set_paused(name, False, actor)

    def remove(self, name: str, *, actor: str) -> None:
        """Remove a schedule; its ticks stay, and who is at one of them has lost it.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        found = self.show(name)
        if found.removed_at is not None:
            raise _missing(name)

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            if tx.run(_IS_REMOVED, id=found.id).single(strict=True)["found"]:
                # this is a retry, or somebody else removed the same one at the same moment
                return
            at = self._ledger.now()
            tx.run(_REMOVE, id=found.id, at=at).consume()
            tx.run(_CLOSE_TICKS, id=found.id, at=at).consume()
            self._ledger.append(tx, "schedule_removed", {"schedule": found.id}, actor=actor, subject=f"schedule:{name}")

        self._connection.write(work)

    def _set_paused(self, name: str, paused: bool, actor: str) -> None:
        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            found = tx.run(_FIND, name=name).single()
            if found is None:
                raise _missing(name)
            if found["paused"] == paused:
                # also a retry whose first try was committed
                return
            tx.run(_PAUSE if paused else _RESUME, name=name, at=self._ledger.now(), actor=actor).consume()
            kind = "schedule_paused" if paused else "schedule_resumed"
            self._ledger.append(tx, kind, {"schedule": found["id"]}, actor=actor, subject=f"schedule:{name}")

        self._connection.write(work)


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no schedule {name!r}; see 'auditor schedule list'")


def _schedule(record: Mapping[str, Any]) -> Schedule:
    values = dict(record)
    for key in ("created_at", "begins_at", "settled_until", "removed_at"):
        values[key] = None if values[key] is None else parse_time(values[key])
    lists = {key: tuple(values[key]) for key in ("subjects", "resumed_by")}
    return Schedule(**{**values, **lists})
