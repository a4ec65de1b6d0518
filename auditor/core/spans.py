"""Spans: what took how long, for traces. Nothing is measured until a process says who takes them.

What a span may say is fixed here, as that of logs is: a name of the program's own and fields of :class:`SpanFields`,
which hold fixed words, routes as they are written in the program, and numbers of HTTP. There is no field for a name, a
path that somebody asked for, a query or its parameters, so that no label, value or person gets into a trace.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Literal, Protocol, TypedDict

SpanName = Literal["request", "job", "store"]


class SpanFields(TypedDict, total=False):
    """What a span may say."""

    method: str
    """Of HTTP."""
    route: str
    """As it is written in the program, with placeholders."""
    answer: int
    """HTTP status."""
    kind: str
    """Of a job."""
    outcome: str
    """Of a job: one of a few fixed words."""
    access: str
    """Of a transaction: ``read`` or ``write``."""
    tries: int
    """How often a transaction was run."""
    error: str
    """Class of an error; never its message."""


class SpanTaker(Protocol):
    """Takes spans: :class:`auditor.operating.tracing.Tracing`."""

    def span(self, name: SpanName, fields: SpanFields) -> AbstractContextManager[SpanFields]:
        """Measure a block; what it adds to the fields is said, too."""


class _Taker:
    now: SpanTaker | None = None


def take_spans(taker: SpanTaker | None) -> None:
    """Let somebody take the spans of this process from now on; nobody with None."""
    _Taker.now = taker


@contextmanager
def span(name: SpanName, fields: SpanFields) -> Iterator[SpanFields]:
    """Measure a block, if anybody takes spans; an error that leaves it is said by its class.

    Parameters
    ----------
    name : {"request", "job", "store"}
    fields : SpanFields
        The block may add to what it is given.

    Examples
    --------
    >>> with span("store", {"access": "read"}) as told:
    ...     told["tries"] = 1
    """
    taker = _Taker.now
    if taker is None:
        yield fields
        return
    with taker.span(name, fields) as told:
        try:
            yield told
        except BaseException as error:
            told["error"] = type(error).__name__
            raise
