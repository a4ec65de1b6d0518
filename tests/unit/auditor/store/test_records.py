"""Records: a dataclass is read from the store and written to it by its fields alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal

import pytest
from pydantic import Json

from auditor.core.errors import StoreCorrupt
from auditor.store.records import columns, decode, encode

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Part:
    name: str


@dataclass(frozen=True, slots=True)
class Sample:
    id: str
    at: datetime
    state: Literal["open", "closed"]
    what: Json[Mapping[str, Any]]
    ended_at: datetime | None
    parts: tuple[Part, ...] = ()
    figure: float | int = 0


STORED = {"id": "a", "at": "2026-03-01T12:00:00.000000Z", "state": "open", "what": '{"k":5}'}
SAMPLE = Sample("a", NOON, "open", {"k": 5}, None)


def test_what_a_node_lacks_is_the_default_or_none() -> None:
    assert decode(Sample, STORED) == SAMPLE
    assert decode(Sample, {**STORED, "ended_at": None, "parts": None}) == SAMPLE


def test_properties_that_are_no_fields_are_passed_over() -> None:
    assert decode(Sample, {**STORED, "locked": True}) == SAMPLE


def test_lists_become_tuples_of_records() -> None:
    assert decode(Sample, {**STORED, "parts": [{"name": "x"}, {"name": "y"}]}).parts == (Part("x"), Part("y"))


@pytest.mark.parametrize("figure", [3, 3.0])
def test_a_number_keeps_its_kind(figure: float) -> None:
    assert type(decode(Sample, {**STORED, "figure": figure}).figure) is type(figure)


@pytest.mark.parametrize("change", [{"state": "of tomorrow"}, {"at": "never"}, {"what": "{"}, {"id": None}])
def test_what_this_version_does_not_store_is_refused_without_a_word_of_it(change: dict[str, Any]) -> None:
    with pytest.raises(StoreCorrupt, match="Sample") as refused:
        decode(Sample, {**STORED, **change})
    assert "tomorrow" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_record_that_was_encoded_is_decoded_to_itself() -> None:
    assert decode(Sample, encode(SAMPLE)) == SAMPLE


def test_times_are_written_as_text_that_is_ordered() -> None:
    east = Sample("a", NOON.astimezone(timezone(timedelta(hours=5))), "open", {}, None)
    assert encode(east)["at"] == STORED["at"]


def test_what_is_written_can_have_more_than_the_fields() -> None:
    assert encode(Part("x"), name="y", digest="d") == {"name": "y", "digest": "d"}


def test_columns_name_every_field_once() -> None:
    assert columns(Part, "p") == "p {.name}"
    assert columns(Sample, "s", parts="[]") == "s {.id, .at, .state, .what, .ended_at, parts: [], .figure}"
