"""Takes jobs that wait, and begins a process for each."""

import contextlib
import json
import logging
import subprocess
import sys
import threading

from auditor.core.errors import AuditorError, NotFound
from auditor.web.jobs.repository import Job, Jobs
from auditor.web.service import Service

_LOG = logging.getLogger("auditor.web")
_LOOK = 1.0
_PATIENCE = 10.0


class JobRunner:
    """Runs jobs of a store, some at a time.

    Parameters
    ----------
    service : Service
    most : int, optional
        How many at a time.
    """

    def __init__(self, service: Service, *, most: int = 2) -> None:
        self._service, self._most = service, most
        self._running: list[tuple[Job, subprocess.Popen[str]]] = []
        self._woken, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Begin to look for jobs."""
        self._thread.start()

    def wake(self) -> None:
        """Look at once: there is a job, or one was cancelled."""
        self._woken.set()

    def stop(self) -> None:
        """End the processes; their jobs are interrupted, and can be resumed."""
        self._over.set()
        self._woken.set()
        if self._thread.is_alive():
            # it may wait for a store that hangs; nothing of it is needed any more
            self._thread.join(_PATIENCE)
        for _, process in self._running:
            if process.stdin is not None:
                # what is at it knows by that
                with contextlib.suppress(OSError):
                    process.stdin.close()
        for _, process in self._running:
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._count_ended()
                while len(self._running) < self._most and not self._over.is_set():
                    taken = Jobs(self._service.store).take()
                    if taken is None:
                        break
                    self._running.append((taken, self._begun(taken)))
            except (AuditorError, OSError) as error:
                _LOG.error("jobs: %s", type(error).__name__)
            self._woken.wait(_LOOK)
            self._woken.clear()

    def _count_ended(self) -> None:
        for job, process in [*self._running]:
            if process.poll() is not None:
                with contextlib.suppress(NotFound):
                    self._service.metrics.count_job(job.kind, Jobs(self._service.store).show(job.id).state)
                self._running.remove((job, process))

    def _begun(self, job: Job) -> subprocess.Popen[str]:
        service = self._service
        settings = service.settings.model_dump(mode="json")
        # its own text, not the stars that are shown of it; the pipe is read by the process alone
        for name, log_in in (("store", service.settings.store), ("graph", service.settings.graph)):
            settings[name] |= {"password": log_in.read_password(), "password_file": None}
        # a job logs nobody in
        del settings["oidc"]
        given = {
            "job": job.id,
            "claim": job.claim,
            "settings": settings,
            "policy": service.policy.text(),
            "exports": str(service.folder),
        }
        command = [sys.executable, "-m", "auditor.web.jobs.process"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert process.stdin is not None
        process.stdin.write(json.dumps(given) + "\n")
        process.stdin.flush()
        return process
