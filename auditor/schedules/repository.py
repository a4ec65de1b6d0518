"""Schedules in the store: what is audited when, under which policy; each change with its entry in the ledger.

A schedule that is removed keeps its node, as `RemovedSchedule`, and its ticks: what it did stays known.
"""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from auditor.core.errors import AlreadyExists, BadInput, NotFound
from auditor.core.names import check_name, is_name
from auditor.core.subject import parse_subject
from auditor.core.transactions import Transaction
from auditor.store.policies import KEEP_POLICY
from auditor.store.records import columns
from auditor.store.repository import NewEntry, Repository
from auditor.store.subjects import require_subject

CatchUp = Literal["none", "last", "all"]
"""Which of the ticks that nobody did in time are made up for."""

# read, under the store's lock
_FIND = "MATCH (s:AuditorSchedule {name: $name}) RETURN s.id AS id, s.paused AS paused"
# read, under the store's lock
_IS_REMOVED = "MATCH (s:AuditorRemovedSchedule {id: $id}) RETURN count(s) AS found"
# write
_ADD = f"{KEEP_POLICY} CREATE (s:AuditorSchedule $values)-[:UNDER]->(p)"
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
class NewSchedule:
    """A schedule that is about to be added; it begins then."""

    name: str
    cron: str
    """Checked by :func:`auditor.schedules.cron.parse_cron`, with its time zone."""
    timezone: str
    subjects: Sequence[str]
    """``network:NAME``, ``table:NAME`` or ``export:ID``, each once."""
    policy_hash: str
    policy_text: str
    """As it is when the schedule is added; kept once."""
    catch_up: CatchUp
    actor: str
    protect_k: int | None = None
    """With this k a protected export of its network is made in a run, where there is no good one."""
    protect_out: str | None = None
    """Where: exports are dated names beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule(NewSchedule):
    """What is audited when."""

    id: str
    """Random: a name may be used again after a removal."""
    subjects: tuple[str, ...]
    paused: bool
    created_at: datetime
    begins_at: datetime
    """When it was added or resumed; nothing before it is done any more."""
    settled_until: datetime
    """Every due time up to this one has a run, was skipped, or lies before the schedule began."""
    removed_at: datetime | None = None
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


_OF_POLICY = columns(Schedule, "s", policy_hash="p.hash", policy_text="p.text")
_COLUMNS = f"MATCH (s)-[:UNDER]->(p:AuditorPolicy) RETURN {_OF_POLICY} AS schedule"
# read
_LIST = f"MATCH (s:AuditorSchedule) {_COLUMNS} ORDER BY s.name"
# read: the one of that name, or else the last one that had it
_SHOW = f"""
MATCH (s:AuditorSchedule|AuditorRemovedSchedule {{name: $name}}) {_COLUMNS} ORDER BY s.removed_at DESC LIMIT 1
"""


class Schedules(Repository):
    """The schedules of a store."""

    def add(self, new: NewSchedule) -> Schedule:
        """Record a schedule that begins now.

        Raises
        ------
        BadInput
            If nothing may have that name, or there is no subject, or one is named twice.
        AlreadyExists
            If there is a schedule of that name.
        NotFound
            If there is no such subject.
        """
        check_name(new.name)
        subjects = [*new.subjects]
        if not subjects or len(set(subjects)) < len(subjects):
            raise BadInput("a schedule needs at least one subject, and each of them once")
        id, at = str(uuid.uuid4()), self._ledger.now()
        values: dict[str, Any] = asdict(new) | {"id": id, "subjects": subjects, "paused": False}
        policy = {"policy_hash": values.pop("policy_hash"), "policy_text": values.pop("policy_text"), "at": at}
        values |= dict.fromkeys(("created_at", "begins_at", "settled_until"), at)

        def work(tx: Transaction) -> NewEntry | None:
            found = tx.run(_FIND, name=new.name).single()
            if found is not None:
                if found["id"] == id:
                    return None
                raise AlreadyExists(
                    f"there is a schedule {new.name!r} already; remove it first, or choose another name"
                )
            for subject in subjects:
                require_subject(tx, *parse_subject(subject))
            tx.run(_ADD, policy, values=values).consume()
            payload = {key: values[key] for key in ("cron", "timezone", "subjects", "catch_up")}
            payload |= {"schedule": id, "policy": new.policy_hash}
            if new.protect_k is not None:
                payload["protect_k"] = new.protect_k
            return NewEntry("schedule_added", payload, new.actor, f"schedule:{new.name}")

        self.change(work)
        return self.show(new.name)

    def list(self) -> Sequence[Schedule]:
        """Return all schedules, by name."""
        return self._all(Schedule, _LIST)

    def show(self, name: str) -> Schedule:
        """Return a schedule, or the last one that was removed under that name.

        Raises
        ------
        NotFound
            If there never was one.
        """
        # in Cypher null is the largest value: a schedule that is there comes before those that were removed
        found = self._all(Schedule, _SHOW, name=name) if is_name(name) else []
        if not found:
            raise _missing(name)
        return found[0]

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

        def work(tx: Transaction) -> NewEntry | None:
            if tx.run(_IS_REMOVED, id=found.id).single(strict=True)["found"]:
                # perhaps somebody else removed the same one at the same moment
                return None
            at = self._ledger.now()
            tx.run(_REMOVE, id=found.id, at=at).consume()
            tx.run(_CLOSE_TICKS, id=found.id, at=at).consume()
            return NewEntry("schedule_removed", {"schedule": found.id}, actor, f"schedule:{name}")

        self.change(work)

    def _set_paused(self, name: str, paused: bool, actor: str) -> None:
        def work(tx: Transaction) -> NewEntry | None:
            found = tx.run(_FIND, name=name).single()
            if found is None:
                raise _missing(name)
            if found["paused"] == paused:
                return None
            tx.run(_PAUSE if paused else _RESUME, name=name, at=self._ledger.now(), actor=actor).consume()
            kind = "schedule_paused" if paused else "schedule_resumed"
            return NewEntry(kind, {"schedule": found["id"]}, actor, f"schedule:{name}")

        self.change(work)


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no schedule {name!r}; see 'auditor schedule list'")
