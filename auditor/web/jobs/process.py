"""The process of one job. It lives as long as the service that began it, and as long as the job is its own.

Started as ``python -m auditor.web.jobs.process``; what it is to do comes on standard input, which stays open.
"""

import contextlib
import json
import os
import sys
import threading
from pathlib import Path
from typing import IO, Any

from auditor.config import Settings
from auditor.core.errors import StoreError, reason_of
from auditor.core.spans import span
from auditor.operating.tracing import traced
from auditor.policy import parse_policy
from auditor.store import Store, open_store
from auditor.web.jobs.kinds import JobPorts, kind_of
from auditor.web.jobs.repository import Jobs

_BEAT = 2.0
_TOLD = 0.5
_LONGEST_REASON = 300
# as a process that was ended
_ENDED = 143


class _Progress:
    """Gives signs of life in a thread, with what was last told; ends the process when the job is not its own."""

    def __init__(self, store: Store, job: str, claim: str) -> None:
        self._store, self._job, self._claim = store, job, claim
        self._now: dict[str, Any] = {}
        self._changed, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def report(self, phase: str, done: int, total: int) -> None:
        now = {"phase": phase, "done": int(done), "total": int(total)}
        if now != self._now:
            self._now = now
            self._changed.set()

    def stop(self) -> None:
        self._over.set()
        self._changed.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._changed.wait(_BEAT)
            self._changed.clear()
            if self._over.is_set():
                return
            # the store may be away for a moment, and the next sign of life arrive
            with contextlib.suppress(StoreError):
                if not Jobs(self._store).beat(self._job, self._claim, **self._now):
                    os._exit(_ENDED)
            self._over.wait(_TOLD)


def main() -> None:
    """Do the job that standard input names."""
    given = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()
    settings = Settings.model_validate(given["settings"])
    with traced(settings.telemetry), open_store(settings) as store:
        job = Jobs(store).show(given["job"])
        progress = _Progress(store, job.id, given["claim"])
        policy = parse_policy(json.loads(given["policy"]), where="policy of the service")
        ports = JobPorts(store, policy, Path(given["exports"]), job.person, job.origin, progress.report)
        outcome: dict[str, Any]
        with span("job", {"kind": job.kind}) as told:
            try:
                outcome = {"state": "done", "result": kind_of(job.kind).work(ports, job.parameters)}
            except Exception as error:
                outcome = {"state": "failed", "reason": reason_of(error)[:_LONGEST_REASON]}
            told["outcome"] = str(outcome["state"])
        progress.stop()
        Jobs(store).end(job.id, given["claim"], **outcome)


def _end_with(stream: IO[str]) -> None:
    """End when the service that began this process ends."""
    stream.read()
    os._exit(_ENDED)


if __name__ == "__main__":
    main()
