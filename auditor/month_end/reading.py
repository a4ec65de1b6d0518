"""Everything that a report on a period needs, as one moment of the store has it."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from auditor.core.clock import parse_time, time_text
from auditor.core.errors import StoreLocked
from auditor.core.kinds import kinds
from auditor.core.ports.happening import ReleaseOut
from auditor.core.transactions import Transaction
from auditor.month_end.period import Period
from auditor.store.repository import OpenStore
from auditor.store.schema.head import lock_store

SOON = timedelta(days=30)
"""A waiver that ends within this time after the period ends soon."""

_LOOKED_BACK = timedelta(days=31)
"""Log-ins of this time before the period are read: who acts in it by a session has logged in since."""
_ATTEMPTS = 5

# read: the head, and the entry that names the ledger
_HEAD = """
MATCH (s:AuditorStore {key: 1}) OPTIONAL MATCH (e:AuditorEntry {seq: 1})
RETURN s.entries AS entries, s.hash AS hash, s.writes AS writes, e.hash AS ledger,
  properties(s)['checkpoint_at'] AS checkpoint
"""
# read: one list of lists is several times faster to read than records
_ENTRIES = """
MATCH (e:AuditorEntry) WHERE e.at >= $since AND e.at < $until
WITH e ORDER BY e.seq
RETURN collect([e.seq, e.at, e.actor, e.kind, e.subject, e.payload, e.hash]) AS entries
"""
# read: the index on the position is walked from the newest on, up to the first that fits
_CHECKPOINT = """
MATCH (e:AuditorEntry) USING INDEX e:AuditorEntry(seq)
WHERE e.seq <= $last AND e.kind = 'checkpoint' AND e.at < $until
WITH e ORDER BY e.seq DESC LIMIT 1
RETURN [e.seq, e.at, e.actor, e.kind, e.subject, e.payload, e.hash] AS entry
"""
# read: what had been asked for, and was not decided, before that time; what was returned may be rejected later
_WAITING = """
MATCH (a:AuditorApproval)
WITH a, coalesce(properties(a)['ended_at'], properties(a)['decided_at']) AS ended
WHERE a.at < $until AND (ended IS NULL OR ended >= $until)
RETURN a.id AS id, a.kind AS kind, a.subject AS subject, a.asked_by AS asked_by, a.by AS by, a.at AS at, a.what AS what,
  properties(a)['taken_over'] IS NOT NULL AS taken
ORDER BY at, id
"""
# read: from whom requests were taken over since that time
_TAKEN_OVER = """
MATCH (e:AuditorEntry) WHERE e.at >= $until AND e.kind = 'taken_over'
WITH e ORDER BY e.seq RETURN collect(e.payload) AS payloads
"""
# read
_WAIVERS = """
MATCH (w:AuditorWaiver)
WHERE w.at < $until AND w.until > $as_of AND w.until <= $soon
  AND (properties(w)['revoked_at'] IS NULL OR w.revoked_at >= $until)
RETURN w.id AS id, w.subject AS subject, w.rule AS rule, w.actor AS actor, w.until AS ends
ORDER BY ends, id
"""
# read: who had which role when; each log-in at a provider writes its person's role anew
_ROLES = """
MATCH (t:AuditorAccessToken)
RETURN t.person AS person, t.role AS role, t.created_at AS since, t.expires_at AS ends,
  properties(t)['revoked_at'] AS revoked, properties(t)['issuer'] IS NOT NULL AS logs_in
"""
# read
_LOG_INS = """
MATCH (e:AuditorEntry) WHERE e.at >= $earlier AND e.at < $until AND e.kind = 'logged_in'
WITH e ORDER BY e.seq RETURN collect([e.at, e.payload]) AS log_ins
"""


@dataclass(frozen=True, slots=True)
class PeriodEntry:
    """An entry of the ledger in a period."""

    seq: int
    at: str
    actor: str
    kind: str
    subject: str | None
    payload: str
    hash: str


@dataclass(frozen=True, slots=True)
class PeriodRecords:
    """What one moment of the store has of a period."""

    at: str
    """When it was read."""
    as_of: str
    """The end of the period, or now where that is to come: what ends soon ends soon after it."""
    head: tuple[int, str]
    """Position and hash of the last entry of the ledger."""
    ledger: str
    """Hash of entry 1, which names the ledger; empty where there is none."""
    entries: Sequence[PeriodEntry]
    checkpoint: PeriodEntry | None
    """The newest one by then."""
    waiting: Sequence[dict[str, Any]]
    waivers: Sequence[dict[str, Any]]
    roles: Sequence[dict[str, Any]]
    releases: Sequence[ReleaseOut]


def read_period(store: OpenStore, period: Period, sections: Collection[str], *, patient: bool = True) -> PeriodRecords:
    """Return what a report on a period is made of.

    Parameters
    ----------
    store : OpenStore
    period : Period
    sections : collection of str
        Those that are asked for; what no section of these needs is not read.
    patient : bool
        Whether it is read under the store's lock where others change something all the time: nobody can change
        anything for that long.

    Raises
    ------
    StoreLocked
        If others change something all the time, and it is not patient.

    Notes
    -----
    All queries are of one transaction. A reading transaction of Neo4j may see what others commit meanwhile; but every
    change takes the lock of the store, which counts them, so a count that did not move proves that nothing changed. If
    it moved, all is read again, a few times. The order of entries is that of the chain: where a clock
    was set back, entries of a period are not in one piece.
    """
    at = store.ledger.now()
    for _ in range(_ATTEMPTS):
        found = store.connection.read_transaction(lambda tx: _read(tx, period, at, sections))
        if found is not None:
            return found
    if not patient:
        raise StoreLocked("others are changing the store all the time; ask for the report again in a minute")

    def locked(tx: Transaction) -> PeriodRecords:
        lock_store(tx)
        under_lock = _read(tx, period, at, sections)
        assert under_lock is not None
        return under_lock

    return store.connection.write(locked)


def _read(tx: Transaction, period: Period, at: str, sections: Collection[str]) -> PeriodRecords | None:
    """Return what there is; None where something changed meanwhile."""
    before = tx.run(_HEAD).single(strict=True)
    as_of = min(period.until, at)
    # where the period is not over, all that there is belongs to it, whatever the clocks of others say
    until = {"until": period.until}
    entries = tx.run(_ENTRIES, until, since=period.since).single(strict=True)["entries"]
    # where none was ever made, the whole ledger would be looked through for one
    newest = tx.run(_CHECKPOINT, until, last=before["entries"]).single() if before["checkpoint"] else None
    ending = {**until, "as_of": as_of, "soon": time_text(parse_time(as_of) + SOON)}
    named = {"released", "refused", "waiting"}.intersection(sections)
    out = kinds() if "reverified" in sections else ()
    found = PeriodRecords(
        at=at,
        as_of=as_of,
        head=(before["entries"], before["hash"]),
        ledger=before["ledger"] or "",
        entries=[PeriodEntry(*entry) for entry in entries],
        checkpoint=None if newest is None else PeriodEntry(*newest["entry"]),
        waiting=_waiting(tx, until) if "waiting" in sections else [],
        waivers=[dict(record) for record in tx.run(_WAIVERS, ending)] if "waivers_ending" in sections else [],
        roles=_roles(tx, period) if named else [],
        releases=[one for kind in out for one in kind.load().releases_out(tx, period.until)],
    )
    return found if tx.run(_HEAD).single(strict=True)["writes"] == before["writes"] else None


def _waiting(tx: Transaction, until: dict[str, str]) -> list[dict[str, Any]]:
    """Return what waited at that time, with who had requested it by then: another person may have taken it over since.

    Notes
    -----
    The first take-over since then tells who the requester was. Entries of older versions do not say for whom it was; it
    was for the requester if it is for the one who took it over.
    """
    waiting = [dict(record) for record in tx.run(_WAITING, until)]
    taken = [record.pop("taken") for record in waiting]
    if any(taken):
        since: dict[str, dict[str, Any]] = {}
        for payload in map(json.loads, tx.run(_TAKEN_OVER, until).single(strict=True)["payloads"]):
            since.setdefault(payload["approval"], payload)
        for record in waiting:
            if (was := since.get(record["id"])) is not None:
                by = was["asked_by"] if record["by"] == record["asked_by"] else record["by"]
                record |= {"asked_by": was["asked_by"], "by": was.get("by", by)}
    return waiting


def _roles(tx: Transaction, period: Period) -> list[dict[str, Any]]:
    """Return who had which role from when to when.

    Notes
    -----
    Of those who log in at a provider, the entries of their log-ins tell it. Before those that are read, it is told that
    the role was by the provider, and not which one.
    """
    earlier = time_text(parse_time(period.since) - _LOOKED_BACK)
    roles: list[dict[str, Any]] = []
    for token in tx.run(_ROLES):
        person, since, ends = token["person"], token["since"], min(token["ends"], token["revoked"] or token["ends"])
        role, end = ("by provider", earlier) if token["logs_in"] else (token["role"], ends)
        roles.append({"person": person, "role": role, "since": since, "ends": end})
    last: dict[str, dict[str, Any]] = {}
    for at, text in tx.run(_LOG_INS, earlier=earlier, until=period.until).single(strict=True)["log_ins"]:
        payload = json.loads(text)
        if (before := last.get(payload["token"])) is not None:
            before["ends"] = min(before["ends"], at)
        held = {"person": payload["person"], "role": payload["role"], "since": at, "ends": payload["expires_at"]}
        last[payload["token"]] = held
        roles.append(held)
    return roles
