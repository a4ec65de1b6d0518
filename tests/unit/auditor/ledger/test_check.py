"""The chain: every change of any entry is found where it was made, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.ledger.chain import EntryRecord
from tests.support.ledgers import chain_of, check, faults_of, relinked

PAYLOADS = st.lists(st.dictionaries(st.text("ab", max_size=2), st.integers(0, 9), max_size=2), min_size=1, max_size=8)
FIELDS = ["at", "actor", "kind", "subject", "payload", "previous", "hash"]


@st.composite
def chains(draw: st.DrawFn, at_least: int = 1) -> tuple[list[EntryRecord], int]:
    """A chain, and a position in it."""
    entries = chain_of(draw(PAYLOADS.filter(lambda payloads: len(payloads) >= at_least)))
    return entries, draw(st.integers(1, len(entries)))


def told(entries: list[EntryRecord], original: list[EntryRecord]) -> list[tuple[int, str]]:
    return [(fault.seq, fault.kind) for fault in faults_of(entries, original)]


@given(PAYLOADS)
def test_a_chain_as_it_was_made_is_intact(payloads: list[dict[str, object]]) -> None:
    entries = chain_of(payloads)
    report = check(entries, (), len(entries), entries[-1].hash)
    assert report.intact
    assert (report.first, report.head, report.entries) == (entries[0].hash, entries[-1].hash, len(entries))


def test_an_empty_ledger_is_intact() -> None:
    assert faults_of([], []) == []


@settings(max_examples=200)
@given(chains(), st.sampled_from(FIELDS), st.sampled_from(["x", "", None, 5, 0.5, [1], b"x"]))
def test_an_edited_entry_is_named(chain: tuple[list[EntryRecord], int], what: str, value: Any) -> None:
    entries, place = chain
    edited = list(entries)
    edited[place - 1] = replace(entries[place - 1], **{what: value})
    assert told(edited, entries) == [(place, "edited")]


@given(chains())
def test_an_entry_exchanged_together_with_its_hash_is_between_two_that_are_not_linked(
    chain: tuple[list[EntryRecord], int],
) -> None:
    entries, place = chain
    edited = list(entries)
    forged = replace(entries[place - 1], actor="eve")
    edited[place - 1] = replace(forged, hash=forged.digest())
    # the last one is held by the head alone
    assert told(edited, entries) == [(min(place + 1, len(entries)), "exchanged")]


@given(chains())
def test_a_removed_entry_is_missing(chain: tuple[list[EntryRecord], int]) -> None:
    entries, place = chain
    assert told([*entries[: place - 1], *entries[place:]], entries) == [(place, "missing")]


@given(chains())
def test_a_cut_end_is_missing(chain: tuple[list[EntryRecord], int]) -> None:
    entries, place = chain
    (fault,) = faults_of(entries[: place - 1], entries)
    assert (fault.seq, fault.kind, fault.what) == (place, "missing", "missing: the end was cut off")


@given(chains(at_least=2), st.data())
def test_entries_in_each_others_places_are_recognized(
    chain: tuple[list[EntryRecord], int], data: st.DataObject
) -> None:
    entries, one = chain
    other = data.draw(st.integers(1, len(entries)).filter(lambda place: place != one))
    swapped = list(entries)
    swapped[one - 1] = replace(entries[other - 1], seq=one)
    swapped[other - 1] = replace(entries[one - 1], seq=other)
    assert {(fault.seq, fault.what) for fault in faults_of(swapped, entries)} == {
        (one, f"moved: this is entry {other}"),
        (other, f"moved: this is entry {one}"),
    }


@given(chains())
def test_an_added_entry_is_found(chain: tuple[list[EntryRecord], int]) -> None:
    entries, place = chain
    # at the end, linked as it should be
    assert told(relinked([*entries, entries[place - 1]], len(entries) + 1), entries) == [(len(entries) + 1, "added")]
    # a second one of a position
    assert (place, "repeated") in told([*entries, entries[place - 1]], entries)


@given(chains())
def test_an_entry_moved_to_a_free_position_is_recognized(chain: tuple[list[EntryRecord], int]) -> None:
    entries, place = chain
    moved = list(entries)
    moved[place - 1] = replace(entries[place - 1], seq=len(entries) + 1)
    found = faults_of(moved, entries)
    assert (place, "missing") in [(fault.seq, fault.kind) for fault in found]
    assert f"moved: this is entry {place}" in [fault.what for fault in found]


def test_several_missing_entries_are_one_fault() -> None:
    entries = chain_of([{}] * 9)
    (fault,) = faults_of([*entries[:3], *entries[6:]], entries)
    assert (fault.seq, fault.what) == (4, "missing, and so are the ones up to 6")


@pytest.mark.parametrize("seq", [0, -4, 0.0, -4.0])
def test_what_is_no_position_is_told(seq: int) -> None:
    entries = chain_of([{}] * 3)
    assert told([replace(entries[0], seq=seq), *entries], entries) == [(seq, "misplaced")]


def test_a_head_that_was_moved_is_found() -> None:
    entries = chain_of([{}] * 3)
    assert [f.kind for f in check(entries, (), 2, entries[1].hash).faults] == ["added"]
    assert [f.kind for f in check(entries, (), 3, entries[1].hash).faults] == ["exchanged"]


def test_a_flood_of_faults_is_cut() -> None:
    entries = chain_of([{"i": i} for i in range(300)])
    found = faults_of([replace(entry, actor="eve") for entry in entries], entries)
    assert len(found) == 100
    assert found[0].seq == 1
