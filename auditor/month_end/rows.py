"""Rows of a report: what each entry of a period, and what waits at its end, says in the report's sections."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

from auditor.access.person import person_key
from auditor.approvals.record import ApprovalState
from auditor.core.kinds import KINDS, SubjectKind, SubjectPort, kind_named, kinds
from auditor.core.ports.happening import Happening, LedgerEvent
from auditor.month_end.reading import PeriodEntry, PeriodRecords

Row = dict[str, Any]
"""Values that have canonical JSON."""

SECTIONS: Mapping[str, str] = {
    "released": "Released",
    "refused": "Refused",
    "waiting": "Requested and waiting",
    "decided": "Decided by a second person",
    "waivers_given": "Waivers given and revoked",
    "waivers_ending": "Waivers that end soon",
    "reverified": "Exports and when they were verified last",
    "failed_audits": "Audits that failed",
    "views": "Disclosure views",
}
"""Sections of a report, in order, with their headings."""

DECISIONS = (frozenset(get_args(ApprovalState)) | {"approved_as_agreed"}) - {"pending"}
"""Kinds of entries that end an approval; the verifier has a list of its own."""
_WAIVERS = frozenset({"waiver", "waiver_revoked"})
# what is in these, the kinds of subjects tell of their entries
_HAPPENING = frozenset({"released", "refused", "reverified", "failed_audits", "views"})
_VIEWED = Happening("viewed")
# written by what all kinds share: the kind of the subject does not know it
_SHARED_VIEWS = frozenset({"findings_shown", "review_shown"})


def rows_of(records: PeriodRecords, sections: Collection[str]) -> dict[str, list[Row]]:
    """Return the rows of each of the sections that records were read for.

    Notes
    -----
    O(entries of the period). What an entry means is said by the port of the kind of subject that writes such entries.
    """
    rows: dict[str, list[Row]] = {name: [] for name in SECTIONS}
    views: dict[str, Counter[str]] = {}
    words: dict[str, str] = {}
    times: Counter[str] = Counter()
    roles = _Roles(records.roles)
    for entry, event, happening in _told(records.entries) if _HAPPENING.intersection(sections) else ():
        row = _row(entry)
        if happening.what in ("released", "refused"):
            about = {"about": happening.about, "answer": happening.answer, "detail": happening.detail}
            row |= {**about, "by": happening.by or entry.actor, "role": roles.of(entry.actor, entry.at)}
            row |= {"rules": [*happening.rules]} if happening.what == "refused" else {"family": _family(event.subject)}
            rows[happening.what].append(row)
        elif happening.what == "viewed":
            views.setdefault(entry.actor, Counter())[entry.kind] += 1
            if happening.detail:
                words[entry.kind] = happening.detail
        elif happening.what == "reverified":
            times[event.subject.partition(":")[2]] += 1
        elif happening.answer != "passed":
            rows["failed_audits"].append({**row, "verdict": happening.answer, "rules": [*happening.rules]})
    for entry in records.entries:
        if entry.kind in DECISIONS:
            rows["decided"].append(_decided(entry))
        elif entry.kind in _WAIVERS:
            rows["waivers_given"].append(_waiver(entry))
    rows["waiting"] = [_waiting(record, roles) for record in records.waiting]
    rows["waivers_ending"] = [dict(record) for record in records.waivers]
    rows["reverified"] = [
        {"export": out.id, "subject": out.subject, "at": out.at, "verified_at": out.verified_at,
         "verdict": out.verdict, "times": times[out.id]}
        for out in records.releases
    ]  # fmt: skip
    rows["views"] = [
        {
            "person": person,
            "views": sum(counted.values()),
            "kinds": dict(sorted(counted.items())),
            "words": {kind: words[kind] for kind in sorted(counted) if kind in words},
        }
        for person, counted in sorted(views.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    ]
    return {name: rows[name] for name in SECTIONS if name in sections}


def _told(entries: Sequence[PeriodEntry]) -> Iterator[tuple[PeriodEntry, LedgerEvent, Happening]]:
    """Yield what entries say, by the port of the kind that writes them; of an audit, of the kind of its subject."""
    writers = {name: kind for kind in kinds() for name in kind.entries}
    ports: dict[str, SubjectPort] = {}
    for entry in entries:
        subject = entry.subject or ""
        if entry.kind in _SHARED_VIEWS:
            yield entry, LedgerEvent(entry.kind, subject, {}), _VIEWED
            continue
        kind = writers.get(entry.kind) or (_kind_of(subject) if entry.kind == "audit" else None)
        if kind is None:
            continue
        event = LedgerEvent(entry.kind, subject, json.loads(entry.payload))
        if kind.name not in ports:
            ports[kind.name] = kind.load()
        for happening in ports[kind.name].happenings(event):
            yield entry, event, happening


def _kind_of(subject: str) -> SubjectKind | None:
    name = subject.partition(":")[0]
    return kind_named(name) if name in KINDS else None


def _family(subject: str) -> str:
    kind = _kind_of(subject)
    return kind.plural if kind is not None else ""


def _row(entry: PeriodEntry) -> Row:
    return {"entry": entry.seq, "at": entry.at, "subject": entry.subject or "", "actor": entry.actor}


def _decided(entry: PeriodEntry) -> Row:
    payload = json.loads(entry.payload)
    told = {name: str(payload.get(name, "")) for name in ("approval", "asked_by", "kind", "reason", "agreed_by")}
    return {**_row(entry), "decision": entry.kind, **told}


def _waiver(entry: PeriodEntry) -> Row:
    payload = json.loads(entry.payload)
    told = {name: str(payload.get(name, "")) for name in ("waiver", "rule", "reason", "until")}
    return {**_row(entry), "revoked": entry.kind == "waiver_revoked", **told}


def _waiting(record: Mapping[str, Any], roles: "_Roles") -> Row:
    what = json.loads(record["what"])
    names = what.get("marginal") or ()
    about = ", ".join(map(str, names)) if names else f"export {what['export']}" if "export" in what else ""
    row = {name: record[name] for name in ("id", "kind", "subject", "asked_by", "by", "at")}
    return {**row, "about": about, "role": roles.of(record["asked_by"], record["at"])}


class _Roles:
    """Which roles a person had at some time, by tokens and log-ins."""

    def __init__(self, tokens: Sequence[Mapping[str, Any]]) -> None:
        self._tokens: dict[str, list[Mapping[str, Any]]] = {}
        self._keys: dict[str, str] = {}
        for token in tokens:
            self._tokens.setdefault(person_key(token["person"]), []).append(token)

    def of(self, person: str, at: str) -> str:
        """Return the roles, in order; empty for a person without a token, as at the terminal."""
        if person not in self._keys:
            self._keys[person] = person_key(person)
        held = {
            str(token["role"])
            for token in self._tokens.get(self._keys[person], ())
            if token["since"] <= at < token["ends"]
        }
        return ", ".join(sorted(held))
