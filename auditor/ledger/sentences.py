"""What an entry of the ledger says, as a sentence made of words and of things that a page links."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from auditor.ledger.chain import EntryRecord
from auditor.ledger.kinds import find_entry_kind

_TOKENS = re.compile(r"\[|\]|\{(?P<absent>!?)(?P<name>\w+)(?P<shown>:[^}]*)?\}|[^\[\]{}]+")
_PERSONS = frozenset({"by", "asked_by"})
_DAYS = frozenset({"until", "expires_at"})

Field = tuple[str, str | None, bool]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence."""

    text: str
    """What is read."""
    field: str = ""
    """Which field it is from, such as ``who`` or ``audit``; empty for words that every entry of the kind has."""
    value: str = ""
    """What the field holds: an id where `text` is words that stand for it."""


def tell_entry(entry: EntryRecord) -> tuple[Piece, ...]:
    """Return the sentence of an entry.

    Parameters
    ----------
    entry : EntryRecord
        One of a kind that this version does not know, or that lacks a field, is told by its kind alone.

    Examples
    --------
    >>> payload = '{"audit":"7f","verdict":"violated","violated":["k"]}'
    >>> entry = EntryRecord(1, "2026-01-05T06:00:00Z", "ann", "audit", "network:friends", payload, "", "")
    >>> "".join(piece.text for piece in tell_entry(entry))
    'ann audited network:friends: violated (k)'
    >>> tell_entry(entry)[2]
    Piece(text='audited', field='audit', value='7f')
    """
    kind = find_entry_kind(entry.kind)
    values = {"who": entry.actor, **_payload(entry), **({"what": entry.subject} if entry.subject else {})}
    pieces = None if kind is None else _filled(_parsed(kind.sentence), values)
    if pieces is None:
        said = entry.kind if kind is None else kind.meaning
        about = (Piece(", "), Piece(entry.subject, "what", entry.subject)) if entry.subject else ()
        return (Piece(f"{said}: "), Piece(entry.actor, "who", entry.actor), *about)
    return tuple(piece for piece in pieces if piece.text)


def entry_in_words(entry: EntryRecord) -> str:
    """Return the sentence of an entry as text."""
    return "".join(piece.text for piece in tell_entry(entry))


def _payload(entry: EntryRecord) -> Mapping[str, Any]:
    found = json.loads(entry.payload)
    return found if isinstance(found, dict) else {}


@cache
def _parsed(sentence: str) -> tuple[tuple[bool, tuple[str | Field, ...]], ...]:
    """Return the parts of a sentence, each with whether it may be missing."""
    parts: list[tuple[bool, list[str | Field]]] = [(False, [])]
    for token in _TOKENS.finditer(sentence):
        if token[0] in "[]":
            parts.append((token[0] == "[", []))
        elif token["name"] is None:
            parts[-1][1].append(token[0])
        else:
            shown = token["shown"]
            parts[-1][1].append((token["name"], None if shown is None else shown[1:], token["absent"] == "!"))
    return tuple((may_miss, tuple(tokens)) for may_miss, tokens in parts)


def fields_of(sentence: str) -> set[str]:
    """Return the fields that a sentence names.

    Examples
    --------
    >>> sorted(fields_of("{who} audited {what}[ ({violated})]"))
    ['violated', 'what', 'who']
    """
    return {token[0] for _, tokens in _parsed(sentence) for token in tokens if not isinstance(token, str)}


def _filled(parts: tuple[tuple[bool, tuple[str | Field, ...]], ...], values: Mapping[str, Any]) -> list[Piece] | None:
    """Return the pieces of a sentence; None where a field is missing that may not be."""
    found: list[Piece] = []
    for may_miss, tokens in parts:
        named = [token for token in tokens if not isinstance(token, str)]
        if all(_is_there(values, name, may_miss) != absent for name, _, absent in named):
            found += [piece for token in tokens for piece in _pieces(token, values)]
        elif not may_miss:
            return None
    return found


def _is_there(values: Mapping[str, Any], name: str, may_miss: bool) -> bool:
    if not may_miss:
        return values.get(name) is not None
    return bool(values.get(name)) and (name not in _PERSONS or values[name] != values["who"])


def _pieces(token: str | Field, values: Mapping[str, Any]) -> Iterator[Piece]:
    if isinstance(token, str):
        yield Piece(token)
        return
    name, shown, _ = token
    value = values.get(name)
    if shown is not None:
        yield Piece(shown, name, str(value))
        return
    for place, one in enumerate(value if isinstance(value, list) else [value]):
        text = str(one)[:10] if name in _DAYS else str(one)
        yield from ([Piece(", ")] if place else [])
        yield Piece(text, name, str(one))
