"""The chain by itself: every change of any entry is found, and nothing else is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.ledger_chain import GENESIS, ChainCheck, EntryRecord, Fault, canonical_json, make_entry
from graphkit.errors import BrokenClaim

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PAYLOADS = st.dictionaries(TEXT, VALUES, max_size=3)


def chain(payloads: list[dict[str, object]]) -> list[EntryRecord]:
    entries: list[EntryRecord] = []
    for seq, payload in enumerate(payloads, start=1):
        previous = entries[-1].hash if entries else GENESIS
        entries.append(
            make_entry(seq=seq, at="t", actor="ada", kind="k", subject="s", payload=payload, previous=previous)
        )
    return entries


def faults(entries: list[EntryRecord], count: int, head: str) -> list[Fault]:
    check = ChainCheck()
    for entry in entries:
        check.feed(entry)
    check.finish(count, head)
    return check.faults


@given(st.lists(PAYLOADS, max_size=5))
def test_a_chain_as_it_was_made_is_intact(payloads: list[dict[str, object]]) -> None:
    entries = chain(payloads)
    assert faults(entries, len(entries), entries[-1].hash if entries else GENESIS) == []


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


@settings(max_examples=200)
@given(
    st.integers(2, 6),
    st.data(),
    st.sampled_from(["at", "actor", "kind", "subject", "payload", "previous", "hash", "drop", "swap"]),
)
def test_every_change_is_found(length: int, data: st.DataObject, what: str) -> None:
    entries = chain([{"i": i} for i in range(length)])
    head = entries[-1].hash
    place = data.draw(st.integers(0, length - 1))
    if what == "drop":
        del entries[place]
    elif what == "swap":
        other = (place + 1) % length
        a, b = entries[place], entries[other]
        entries[place], entries[other] = replace(b, seq=a.seq), replace(a, seq=b.seq)
    else:
        entries[place] = replace(entries[place], **{what: getattr(entries[place], what) + "x"})
    found = faults(entries, length, head)
    assert place + 1 in {fault.seq for fault in found}


def test_a_flood_of_faults_is_cut() -> None:
    entries = [replace(entry, actor="eve") for entry in chain([{}] * 300)]
    assert len(faults(entries, 300, entries[-1].hash)) == 100


@pytest.mark.parametrize("value", [0.5, {"a": [1.0]}, {1: 2}, {"a": b"x"}, float("nan"), {"a": {"b": {3}}}])
def test_what_has_no_canonical_json_is_refused(value: object) -> None:
    with pytest.raises(BrokenClaim):
        canonical_json(value)


@pytest.mark.parametrize("line", ["", "{}", "[]", "3", '{"seq": 1}', '{"payload": 0.5}', "{"])
def test_a_line_that_is_no_entry_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        EntryRecord.from_json_line(line)
