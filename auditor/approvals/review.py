"""What a second person sees of a request: each kind describes its own, in the same parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to know of a request."""

    name: str
    value: str
    url: str | None = None
    """The page about it."""


@dataclass(frozen=True, slots=True)
class Out:
    """What was released of the same subject before: releases can be combined."""

    name: str
    at: datetime | None
    what: str = ""
    """What it claims, in short."""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeField:
    """What of a request a second person may ask to be changed."""

    name: str
    label: str
    sort: Literal["number", "choices", "lines"]
    """A whole number; some of the options; or a line for each group of categories."""
    hint: str = ""
    least: int | None = None
    most: int | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A request as a second person reads it, without anything protected."""

    facts: Sequence[Fact]
    out: Sequence[Out]
    """Newest first."""
    fields: Sequence[ChangeField] = ()
    gone: bool = False
    """Whether what it is about is not in the store any more."""


@dataclass(frozen=True, slots=True)
class RiskRow:
    """One measure, before the release and after it."""

    measure: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """What a release changes. Protected: a view of it is recorded."""

    rows: Sequence[RiskRow] = ()
    charts: Sequence[Any] = ()
    """:class:`auditor.reports.charts.drawing.Chart`, before and after."""
    remark: str = ""
    """What could not be measured, and why."""
    picture: Any = None
    """A drawing of what changes, as its `template` shows it; None where there is none."""
    template: str = ""
    """Name of the template of its kind."""
