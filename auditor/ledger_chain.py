"""The hash chain of the ledger: pure, so that a verifier needs neither the store nor its driver.

An entry is hashed as the UTF-8 bytes of its canonical JSON: keys sorted, no white space, no floats. Every entry holds
the hash of the one before it, the first one :data:`GENESIS`; so a changed, removed or moved entry breaks the chain.
Somebody who can rewrite every entry from some point on, and the head, can forge that part: a copy of a hash kept
elsewhere finds it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphkit.errors import BrokenClaim

__all__ = ["GENESIS", "ChainCheck", "EntryRecord", "Fault", "canonical_json", "make_entry"]

GENESIS = "0" * 64
"""What the first entry holds as the hash of the one before it."""

_FAULTS_KEPT = 100


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value made of dicts with str keys, lists, str, int, bool and None.

    Raises
    ------
    BrokenClaim
        If there is anything else in it; floats have no text that all languages agree on.

    Examples
    --------
    >>> canonical_json({"k": 5, "a": [True, None, "é"]})
    '{"a":[true,null,"é"],"k":5}'
    """
    _check_canonical(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _check_canonical(value: Any) -> None:
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise BrokenClaim("a key of a ledger payload is not text")
        for item in value.values():
            _check_canonical(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_canonical(item)
    elif value is not None and not isinstance(value, str | int):
        raise BrokenClaim(f"a ledger payload holds a {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """One entry of the ledger."""

    seq: int
    """Position in the chain, from 1 without gaps."""
    at: str
    """UTC time, ISO 8601 with microseconds and Z."""
    actor: str
    kind: str
    subject: str | None
    """What it is about, such as ``network:friends``."""
    payload: str
    """Canonical JSON; never holds a protected value."""
    previous: str
    """Hash of the entry before."""
    hash: str

    def digest(self) -> str:
        """Return the hash that the entry's content gives, hexadecimal SHA-256.

        Notes
        -----
        The payload is put in as it is, not parsed: an entry whose payload was edited into another spelling of the same
        value has another hash, too.
        """
        text = (
            f'{{"actor":{_quoted(self.actor)},"at":{_quoted(self.at)},"kind":{_quoted(self.kind)},'
            f'"payload":{self.payload},"previous":{_quoted(self.previous)},"seq":{self.seq},'
            f'"subject":{_quoted(self.subject)}}}'
        )
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def json_line(self) -> str:
        """Return the entry as one line of the exported ledger: canonical JSON with the payload as an object."""
        return canonical_json({**{name: getattr(self, name) for name in _FIELDS}, "payload": json.loads(self.payload)})

    @classmethod
    def from_json_line(cls, line: str) -> EntryRecord:
        """Return the entry that :meth:`json_line` wrote.

        Raises
        ------
        ValueError
            If the line is not such an entry.
        """
        try:
            values = json.loads(line)
            return cls(**{**values, "payload": canonical_json(values["payload"])})
        except (TypeError, KeyError, BrokenClaim) as error:
            raise ValueError("not an entry of a ledger") from error


_FIELDS = ("seq", "at", "actor", "kind", "subject", "payload", "previous", "hash")


def _quoted(text: str | None) -> str:
    return json.dumps(text, ensure_ascii=False)


def make_entry(
    *, seq: int, at: str, actor: str, kind: str, subject: str | None, payload: Mapping[str, Any], previous: str
) -> EntryRecord:
    """Return the entry with its hash.

    Raises
    ------
    BrokenClaim
        If the payload has no canonical JSON.

    Examples
    --------
    >>> entry = make_entry(seq=1, at="2026-01-01T00:00:00.000000Z", actor="ada", kind="audit",
    ...                    subject="network:friends", payload={"verdict": "passed"}, previous=GENESIS)
    >>> entry.hash == entry.digest(), entry.hash[:8]
    (True, 'd1c2d65c')
    """
    bare = EntryRecord(seq, at, actor, kind, subject, canonical_json(payload), previous, "")
    return EntryRecord(seq, at, actor, kind, subject, bare.payload, previous, bare.digest())


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the chain is broken."""

    seq: int
    """Of the entry that is wrong, or of the first one that is missing."""
    what: str


@dataclass(slots=True)
class ChainCheck:
    """Checks entries in ascending order of `seq`, one after the other, in constant memory.

    Examples
    --------
    >>> check = ChainCheck()
    >>> first = make_entry(seq=1, at="2026-01-01T00:00:00.000000Z", actor="ada", kind="audit", subject=None,
    ...                    payload={}, previous=GENESIS)
    >>> check.feed(first)
    >>> check.finish(entries=2, head=first.hash)
    >>> check.faults
    [Fault(seq=2, what='missing: the ledger was truncated')]
    """

    entries: int = 0
    """Entries seen."""
    last_seq: int = 0
    last_hash: str = GENESIS
    faults: list[Fault] = field(default_factory=list)
    """The first hundred."""

    def feed(self, entry: EntryRecord) -> None:
        """Check the next entry."""
        self.faults.extend(list(self._faults_of(entry))[: _FAULTS_KEPT - len(self.faults)])
        self.entries += 1
        self.last_seq, self.last_hash = max(self.last_seq, entry.seq), entry.hash

    def _faults_of(self, entry: EntryRecord) -> Iterator[Fault]:
        expected = self.last_seq + 1
        if entry.seq > expected:
            missing = entry.seq - expected
            yield Fault(expected, "missing" if missing == 1 else f"missing, and the {missing - 1} after it")
        if entry.seq < expected:
            yield Fault(entry.seq, "there twice or out of order")
        if entry.digest() != entry.hash:
            yield Fault(entry.seq, "edited or moved: its content does not give its hash")
        # after a gap the link cannot fit and was reported already
        if entry.seq == expected and entry.previous != self.last_hash:
            yield Fault(entry.seq, "not linked to the entry before it")

    def finish(self, entries: int, head: str) -> None:
        """Compare with what the head of the ledger says: how many entries, and the hash of the last."""
        if len(self.faults) >= _FAULTS_KEPT:
            return
        if self.last_seq < entries:
            self.faults.append(Fault(self.last_seq + 1, "missing: the ledger was truncated"))
        elif self.last_seq > entries:
            self.faults.append(Fault(entries + 1, "not counted by the head: added or the head was moved back"))
        elif self.last_hash != head:
            self.faults.append(Fault(self.last_seq, "not the entry that the head points to"))
