"""Entries of the ledger as sentences: every kind has one, and it names who did it."""

from __future__ import annotations

import pytest

from auditor.ledger.chain import EntryRecord, canonical_json
from auditor.ledger.kinds import entry_kinds, find_entry_kind
from auditor.ledger.sentences import entry_in_words, fields_of, tell_entry


def entry(kind: str, /, subject: str | None = "table:survey", **payload: object) -> EntryRecord:
    return EntryRecord(1, "2026-01-05T06:00:00.000000Z", "ann", kind, subject, canonical_json(payload), "", "")


@pytest.mark.parametrize("kind", entry_kinds())
def test_every_kind_has_a_sentence(kind: str) -> None:
    found = find_entry_kind(kind)
    assert found is not None
    assert "who" in fields_of(found.sentence)
    given = {name: f"<{name}>" for name in fields_of(found.sentence) - {"who", "what"}}
    words = entry_in_words(entry(kind, **given))
    assert words.startswith("ann ")
    assert not set("[]{}") & set(words), "a bracket that is not closed"
    assert words[-1] not in ".,: ", "sentences stand in a list, without a full stop"
    pieces = tell_entry(entry(kind, **given))
    assert "".join(piece.text for piece in pieces) == words


def test_parts_without_a_value_are_left_out() -> None:
    told = entry_in_words(entry("table_request", answer="refuse", by="ann", marginal=["age", "sex"], rules=[]))
    assert told == "ann requested age, sex of table:survey: refuse"
    told = entry_in_words(entry("table_request", answer="refuse", by="rob", marginal=[], rules=["hide_small"]))
    assert told == "ann requested the total of table:survey for rob: refuse (hide_small)"


def test_conditions_choose_between_words() -> None:
    told = [entry_in_words(entry("table_kinship", linked=linked, other="census")) for linked in (True, False)]
    assert told == [
        "ann declared that table:survey and census have respondents in common",
        "ann declared that table:survey and census have no respondents in common",
    ]


def test_a_day_is_shown_as_a_day() -> None:
    given = {"rule": "k", "until": "2026-03-01T00:00:00.000000Z", "reason": "old data"}
    assert entry_in_words(entry("waiver", **given)) == "ann waived k of table:survey until 2026-03-01: old data"


def test_what_this_version_cannot_tell_is_told_by_its_kind() -> None:
    assert entry_in_words(entry("from_tomorrow")) == "from_tomorrow: ann, table:survey"
    assert entry_in_words(entry("waiver", rule="k")) == "a finding was waived until a date: ann, table:survey"
