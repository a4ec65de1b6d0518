"""Structured logs of the processes that go on running: one event a line, as JSON or for people.

What may be said is fixed here: an event has a name and fields of :class:`Fields`, which hold names, ids, times and
durations. There is no field for free text, a count of data, a label or a request's body, and of an error only its class
and, where it is one of ours, its message are written. So no protected value gets into a log by construction, and a new
field is a decision that is made in this file.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Literal, TextIO, TypedDict, Unpack, get_args

from auditor.config import LogFormat, LogLevel
from auditor.core.clock import Clock, time_text, utc_now
from auditor.core.errors import reason_of
from graphkit.errors import BrokenClaim

Event = Literal[
    "started",
    "ended",
    "tick",
    "message",
    "messages-later",
    "trouble",
    "pruned",
    "request",
    "job",
    "login",
    "logout",
]
"""``tick``: what became of a due time; ``message``: of a message; ``messages-later``: the store is away, they wait;
``trouble``: something failed and is tried again; ``pruned``: what is kept for a while only was deleted; the others
belong to the web service."""

EVENTS: tuple[Event, ...] = get_args(Event)
_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)


class Fields(TypedDict, total=False):
    """What an event may say."""

    process: str
    """Which one: ``schedule``, ``notify``, ``serve``."""
    version: str
    worker: str
    """Host and process number."""
    schedule: str
    """Name."""
    due: datetime | None
    status: str
    """What became of it, one of a few fixed words."""
    verdicts: Mapping[str, str]
    """By subject."""
    subject: str
    channel: str
    notice: str
    """What a message tells of, such as ``finding-new``."""
    message: str
    """Id."""
    job: str
    """Id."""
    kind: str
    """Of a job or of what was pruned, one of a few fixed words."""
    person: str
    """Whose token it is."""
    token: str
    """Id."""
    request: str
    """Id."""
    method: str
    route: str
    """As it is written in the program, with placeholders: never the path that somebody asked for."""
    answer: int
    """HTTP status."""
    seconds: float
    retry_at: datetime | None
    number: int | None
    """How many messages, ticks, …: never of data."""
    reason: str | None
    """Made by :func:`auditor.core.errors.reason_of`, or kept with a run or a message, which were made so, too."""


class Log:
    """Writes events to a stream, a line each; may be used by several threads.

    Parameters
    ----------
    stream : text stream
        Such as ``sys.stderr``.
    format : {"auto", "json", "text"}
        ``auto`` is text where the stream is a terminal.
    level : {"debug", "info", "warning", "error"}
        What is below it is not written.
    clock : callable
        Tells the time.

    Examples
    --------
    >>> import sys
    >>> from datetime import UTC
    >>> log = Log(sys.stdout, format="json", clock=lambda: datetime(2026, 3, 1, tzinfo=UTC))
    >>> log.write("info", "message", channel="office", status="sent")
    {"time":"2026-03-01T00:00:00.000000Z","level":"info","event":"message","channel":"office","status":"sent"}
    """

    def __init__(
        self, stream: TextIO, *, format: LogFormat = "auto", level: LogLevel = "info", clock: Clock = utc_now
    ) -> None:
        self._stream, self._clock = stream, clock
        text = format == "text" or (format == "auto" and stream.isatty())
        self._line: Callable[[Mapping[str, object]], str] = _text_line if text else _json_line
        self._lowest = _LEVELS.index(level)
        self._lock = threading.Lock()

    def write(
        self, level: LogLevel, event: Event, *, error: BaseException | None = None, **fields: Unpack[Fields]
    ) -> None:
        """Write an event; an error of the stream itself is no reason to end the work.

        Parameters
        ----------
        level : {"debug", "info", "warning", "error"}
        event : str
            One of :data:`EVENTS`.
        error : exception, optional
            Its class is written, and its message if it is one of ours.
        **fields
            Of :class:`Fields`; None is left out.

        Raises
        ------
        BrokenClaim
            If there is no such event or field.
        """
        unknown = set(fields) - set(Fields.__annotations__)
        if event not in EVENTS or unknown:
            raise BrokenClaim(f"a log has no event {event!r} with the fields {sorted(unknown)}")
        if _LEVELS.index(level) < self._lowest:
            return
        values: dict[str, object] = {"time": time_text(self._clock()), "level": level, "event": event}
        values |= {name: _plain(value) for name, value in fields.items() if value is not None}
        if error is not None:
            values |= {"error": type(error).__name__, "reason": reason_of(error)}
        line = self._line(values)
        with self._lock:
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                # full or closed: what is logged is also in the store
                return


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, float):
        return round(value, 6)
    return dict(value) if isinstance(value, Mapping) else value


def _json_line(values: Mapping[str, object]) -> str:
    # in ASCII: a name may hold codes that a terminal obeys
    return json.dumps(values, separators=(",", ":"))


def _text_line(values: Mapping[str, object]) -> str:
    rest = list(values.items())[3:]
    parts = [f"{str(values['time'])[:19].replace('T', ' ')}Z", f"{values['level']!s:<7}", str(values["event"])]
    return " ".join([*parts, *_pairs(rest)])


def _pairs(items: Iterable[tuple[str, object]]) -> Iterable[str]:
    for name, value in items:
        if isinstance(value, Mapping):
            yield from _pairs(value.items())
        else:
            yield f"{_quoted(name)}={_quoted(str(value))}"


def _quoted(text: str) -> str:
    bare = text and text.isprintable() and not set(text) & set(' "=')
    return text if bare else json.dumps(text)
