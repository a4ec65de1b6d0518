"""Entries of the ledger: their hashes and their lines."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.ledger.chain import EntryRecord, canonical_json, make_entry
from graphkit.errors import BrokenClaim

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PAYLOADS = st.dictionaries(TEXT, VALUES, max_size=3)


@given(TEXT, TEXT, TEXT, st.none() | TEXT, PAYLOADS)
def test_the_hash_is_that_of_the_canonical_json_of_the_entry(
    at: str, actor: str, kind: str, subject: str | None, payload: dict[str, object]
) -> None:
    entry = make_entry(seq=7, at=at, actor=actor, kind=kind, subject=subject, payload=payload, previous="p")
    # as another implementation would do it, from the exported line alone
    line = json.loads(entry.json_line())
    recorded = line.pop("hash")
    text = json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == recorded
    assert EntryRecord.from_json_line(entry.json_line()) == entry


@pytest.mark.parametrize("value", [0.5, {"a": [1.0]}, {1: 2}, {"a": b"x"}, float("nan"), {"a": {"b": {3}}}])
def test_what_has_no_canonical_json_is_refused(value: object) -> None:
    with pytest.raises(BrokenClaim):
        canonical_json(value)


@pytest.mark.parametrize(
    "line",
    [
        *("", "{}", "[]", "3", '"seq"', '{"seq": 1}', '{"payload": 0.5}', "{", "[" * 100_000),
        '{"actor":"a","at":"t","hash":"h","kind":"k","payload":{},"previous":"p","seq":"1","subject":null}',
        '{"actor":"a","at":"t","hash":"h","kind":"k","payload":{},"previous":"p","seq":true,"subject":null}',
        '{"actor":"a","at":"t","hash":"h","kind":"k","more":1,"payload":{},"previous":"p","seq":1,"subject":null}',
    ],
)
def test_a_line_that_is_no_entry_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        EntryRecord.from_json_line(line)


@pytest.mark.parametrize(
    "change",
    [
        {"payload": "not JSON"},
        {"payload": '{"share":0.5}'},
        {"payload": None},
        {"payload": "[" * 100_000},
        {"actor": 5},
        {"at": b"bytes"},
        {"subject": [0.5]},
        {"hash": None},
    ],
)
def test_an_entry_that_was_edited_into_something_else_still_has_a_line(change: dict[str, Any]) -> None:
    made = make_entry(seq=7, at="t", actor="ada", kind="k", subject=None, payload={"a": 1}, previous="p")
    edited = replace(made, **change)
    assert edited.digest() != edited.hash
    read = EntryRecord.from_json_line(edited.json_line())
    assert read.seq == 7
    assert read.digest() != read.hash
