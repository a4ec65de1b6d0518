"""The hash chain of the ledger: pure, so that a verifier needs neither the store nor its driver.

An entry is hashed as the UTF-8 bytes of its canonical JSON: keys sorted, no white space, no floats. Every entry holds
the hash of the one before it, the first one :data:`GENESIS`; so a changed, removed or moved entry breaks the chain.
Somebody who can rewrite every entry from some point on, and the head, can forge that part: a copy of a hash kept
elsewhere finds it: :mod:`auditor.ledger.checkpoint`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any

from graphkit.errors import BrokenClaim

GENESIS = "0" * 64
"""What the first entry holds as the hash of the one before it."""


# made once: json.dumps with options makes an encoder a call, which is half of the time of a verification
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_ANY = json.JSONEncoder(ensure_ascii=False, default=repr)


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
    return _CANONICAL.encode(value)


def _check_canonical(value: Any) -> None:
    # most are text: asked first, since whether something is a mapping takes long to say
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise BrokenClaim("a key of a ledger payload is not text")
        for item in value.values():
            _check_canonical(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_canonical(item)
    else:
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
        text = self._text("")
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def written_line(self) -> str:
        """Return the line of an entry that was read from one: what :meth:`json_line` returns, without parsing it anew.

        Notes
        -----
        The payload must be canonical, as :meth:`from_json_line` makes it.
        """
        return self._text(f'"hash":{_quoted(self.hash)},')

    def _text(self, hash: str) -> str:
        return (
            f'{{"actor":{_quoted(self.actor)},"at":{_quoted(self.at)},{hash}"kind":{_quoted(self.kind)},'
            f'"payload":{self.payload},"previous":{_quoted(self.previous)},"seq":{self.seq},'
            f'"subject":{_quoted(self.subject)}}}'
        )

    def json_line(self) -> str:
        """Return the entry as one line of the exported ledger: canonical JSON with the payload as an object.

        Notes
        -----
        An entry that was edited into something that has no canonical JSON has a line, too: what is wrong with it must
        be seen. Its payload is then the text that was found.
        """
        values = {name: getattr(self, name) for name in _FIELDS}
        try:
            return canonical_json({**values, "payload": json.loads(self.payload)})
        except (TypeError, ValueError, RecursionError, BrokenClaim):
            return canonical_json({name: _plain(value) for name, value in values.items()})

    @classmethod
    def from_json_line(cls, line: str) -> "EntryRecord":
        """Return the entry that :meth:`json_line` wrote.

        Raises
        ------
        ValueError
            If the line is not such an entry. A value of a wrong type is for the hash to find.
        """
        try:
            values = json.loads(line)
            entry = cls(**{**values, "payload": canonical_json(values["payload"])})
        except (TypeError, KeyError, RecursionError, BrokenClaim) as error:
            raise ValueError("not an entry of a ledger") from error
        if type(entry.seq) is not int:
            raise ValueError("an entry of a ledger without a position")
        return entry


_FIELDS = ("seq", "at", "actor", "kind", "subject", "payload", "previous", "hash")


def _quoted(text: str | None) -> str:
    # the representation of a value of another type, which somebody wrote into the store, is nobody's text
    return encode_basestring(text) if type(text) is str else _ANY.encode(text)


def _plain(value: object) -> str | int | None:
    return value if value is None or isinstance(value, str | int) else repr(value)


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
