"""What all routes are given: the store, the policy, and how the service is reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fastapi import Request

from auditor.operating.metrics import Metrics
from auditor.operating.readiness import ReadinessProbe
from auditor.web.overview import OverviewCache
from auditor.web.parsing import ParseLimits
from auditor.web.security.streams import Streams

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.operating.logs import Log
    from auditor.policy import Policy
    from auditor.store import Store
    from auditor.web.jobs.runner import JobRunner


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything the service takes."""

    body: int = 1 << 20
    """Bytes of a request."""
    upload: int = 256 << 20
    """Bytes of a request that brings a network or a table."""
    parsing: ParseLimits = field(default_factory=ParseLimits)
    """What a network or a table that was brought may take while it is read."""
    per_second: float = 50.0
    """Requests of one token, or, without a valid one, of one address."""
    burst: int = 200
    """How many of them at once."""
    logins: int = 10
    """Failed attempts to log in from one address, within :attr:`logins_within`."""
    logins_within: timedelta = timedelta(minutes=5)
    streams: int = 8
    """Streams of events that one token has open at a time."""
    session: timedelta = timedelta(hours=8)
    """How long one is logged in."""


@dataclass(slots=True)
class Service:
    """One service; :attr:`fastapi.FastAPI.state` has it as ``service``."""

    store: Store
    policy: Policy
    """What requests, audits and exports from here are decided under, and who may approve and waive."""
    settings: Settings
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]", "testserver")
    """Names under which it may be asked: a page of another name that leads here is refused."""
    secure: bool = False
    """Whether it is reached over TLS: cookies go over TLS alone then."""
    limits: Limits = field(default_factory=Limits)
    runner: JobRunner | None = None
    """Who does long work; without it, work waits for another service of the store."""

    log: Log | None = None
    metrics: Metrics = field(default_factory=Metrics)
    exports: Path | None = None
    """Folder of the files that are made from here; they are downloaded through the service alone."""
    overview: OverviewCache = field(init=False)
    streams: Streams = field(init=False)
    readiness: ReadinessProbe = field(init=False)

    def __post_init__(self) -> None:
        self.overview = OverviewCache(self.store)
        self.streams = Streams(self.limits.streams)
        self.readiness = ReadinessProbe(self.store)

    def wake(self) -> None:
        """Let whoever does jobs look at once."""
        if self.runner is not None:
            self.runner.wake()

    @property
    def folder(self) -> Path:
        """The folder of :attr:`exports`, by default one beside the local store."""
        return self.exports if self.exports is not None else self.settings.home / "served"


def service_of(request: Request) -> Service:
    """Return the service of a request."""
    return cast(Service, request.app.state.service)
