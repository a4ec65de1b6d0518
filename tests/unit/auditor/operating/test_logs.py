"""The log of a process that goes on running: one line an event, and only what an event may say."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.errors import NotFound, reason_of
from auditor.operating.logs import EVENTS, Fields, Log
from graphkit.errors import BrokenClaim, InvalidInput

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
LABEL = "Ada Lovelace 4711"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(stream: io.StringIO, **how: Any) -> Log:
    return Log(stream, clock=lambda: AT, **how)


def test_a_line_is_one_object() -> None:
    stream = io.StringIO()
    log = written(stream)
    log.write("info", "tick", schedule="weekly", due=AT, status="done", verdicts={"network:n": "passed"}, seconds=0.5)
    log.write("error", "trouble", error=NotFound("there is no network 'n'"))
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first == {
        "time": "2026-03-01T12:00:00.000000Z",
        "level": "info",
        "event": "tick",
        "schedule": "weekly",
        "due": "2026-03-01T12:00:00.000000Z",
        "status": "done",
        "verdicts": {"network:n": "passed"},
        "seconds": 0.5,
    }
    assert (second["error"], second["reason"]) == ("NotFound", "there is no network 'n'")


def test_on_a_terminal_it_is_text() -> None:
    stream = Terminal()
    written(stream).write(
        "warning", "tick", schedule="w", verdicts={"network:my friends": "passed"}, reason='a "b"', retry_at=None
    )
    assert stream.getvalue() == (
        '2026-03-01 12:00:00Z warning tick schedule=w "network:my friends"=passed reason="a \\"b\\""\n'
    )
    for how, is_json in (({"format": "json"}, True), ({"format": "text"}, False)):
        stream = Terminal()
        written(stream, **how).write("info", "started")
        assert stream.getvalue().startswith("{") is is_json


def test_what_is_below_the_level_is_not_written() -> None:
    stream = io.StringIO()
    log = written(stream, level="warning")
    log.write("info", "started")
    log.write("debug", "started")
    log.write("warning", "trouble")
    log.write("error", "trouble")
    assert len(stream.getvalue().splitlines()) == 2


def test_what_an_error_quotes_is_not_written() -> None:
    stream = io.StringIO()
    log = written(stream)
    for error in (KeyError(LABEL), ValueError(LABEL), RuntimeError(LABEL), OSError(2, LABEL), MemoryError(LABEL)):
        log.write("error", "trouble", error=error)
    assert LABEL not in stream.getvalue()
    assert "internal error (KeyError)" in stream.getvalue()
    assert reason_of(InvalidInput("k (1) must be at least 2")) == "k (1) must be at least 2"


def test_there_is_no_field_for_anything_else() -> None:
    log = written(io.StringIO())
    with pytest.raises(BrokenClaim):
        log.write("info", "tick", label=LABEL)  # type: ignore[call-arg]
    with pytest.raises(BrokenClaim):
        log.write("info", LABEL)  # type: ignore[arg-type]
    # whoever adds one has to look here
    assert not {"text", "body", "value", "count", "label", "path", "address", "url"} & set(Fields.__annotations__)


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
@given(text=st.text())
def test_any_name_stays_on_its_line(stream: type[io.StringIO], text: str) -> None:
    out = stream()
    written(out).write("info", EVENTS[0], subject=text, schedule=text, verdicts={text: text})
    assert out.getvalue().count("\n") == 1
    assert out.getvalue()[:-1].isprintable()


def test_a_stream_that_is_full_ends_nothing() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    written(Full()).write("info", "started")
    closed = io.StringIO()
    closed.close()
    Log(closed, format="json").write("info", "started")
