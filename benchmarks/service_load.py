"""The overview under load: a store with 200 subjects, 20 000 audits and 100 000 findings, 20 requests a second."""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.access.tokens import Tokens
from benchmarks.networks import private_store
from benchmarks.process import auditor
from benchmarks.row import Row
from benchmarks.service_first_view import first_views
from benchmarks.small_subjects import add_network

if TYPE_CHECKING:
    from auditor.store import Store

_SUBJECTS, _AUDITS, _FINDINGS = 200, 100, 5
_A_SECOND, _SECONDS = 20, 60

# write: as many runs of audits leave them
_FILL = """
UNWIND range(0, $audits - 1) AS n
MATCH (p:AuditorPolicy {hash: $policy})
CREATE (a:AuditorAudit {id: randomUUID(), at: toString(datetime('2026-01-01T00:00:00.000000Z') + duration({hours: n})),
                 subject: $key, key: $key, policy_hash: $policy, verdict: 'violated', trigger: 'schedule',
                 seconds: 0.1, actor: 'benchmark', repeats: true, gone: '[]'})
CREATE (a)-[:UNDER]->(p)
WITH a
UNWIND range(0, $findings - 1) AS place
CREATE (a)-[:FOUND]->(:AuditorFinding {id: a.id + '/' + place, place: place, rule: 'max_unique_vertices',
  where: 'rule ' + place, severity: 'violation', figure: place, threshold: 0, message: 'so many are alone',
  fingerprint: $key + '/' + place, change: 'same', waiver: null})
"""


def run_load(data_dir: Path | None) -> list[Row]:
    """Measure the overview, as a page and through the API, with the client on the same machine."""
    from auditor.config import load_settings
    from auditor.store import open_store

    with private_store() as environment:
        whole = {**os.environ, **environment}
        with open_store(load_settings(environ=whole)) as store:
            fill(store)
            _, secret = Tokens(store).create(
                person="benchmark",
                role="officer",
                expires_at=store.ledger.clock() + timedelta(days=1),
                actor="benchmark",
            )
        with served(whole) as port:
            cookie = log_in(port, secret)
            first = first_views(port, cookie, _SUBJECTS)
            times, errors = _asked(port, secret, cookie)
    if len(times) < _A_SECOND * _SECONDS * 0.99:
        raise RuntimeError(f"this is no figure: {len(times)} answers")
    ordered = sorted(times)
    work = f"service: overview and API listing, {_SUBJECTS * _AUDITS} audits, {_A_SECOND} requests a second"
    return [
        *first,
        Row(f"{work}: 95th percentile", 1000 * ordered[int(0.95 * len(ordered))], "ms", bar=150),
        Row(f"{work}: median", 1000 * statistics.median(ordered), "ms"),
        Row(f"{work}: errors", float(errors), "errors", bar=0),
    ]


def fill(store: Store) -> None:
    """Give a store subjects that were audited often."""
    from auditor.audits.running import run_audit
    from auditor.policy import Policy

    policy = Policy()
    for number in range(_SUBJECTS):
        name = f"network {number}"
        add_network(store, name)
        run_audit(store, f"network:{name}", policy, trigger="command", actor="benchmark")
        store.connection.execute(
            _FILL,
            key=f"network:{name}",
            policy=policy.digest(),
            audits=_AUDITS - 1,
            findings=_FINDINGS,
        )


@contextmanager
def served(environment: dict[str, str]) -> Iterator[int]:
    """Yield the port of a service of a store, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = subprocess.Popen(
        auditor("serve", "--port", str(port)), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def log_in(port: int, secret: str) -> str:
    """Return the cookie of a new session."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/login", f"token={secret}", {"Content-Type": "application/x-www-form-urlencoded"})
    response = connection.getresponse()
    cookie = response.getheader("Set-Cookie") or ""
    connection.close()
    return cookie.split(";")[0]


def _asked(port: int, secret: str, cookie: str) -> tuple[list[float], int]:
    """Ask at a fixed pace, whatever the answers take, and return how long each took and how many were errors."""
    times: list[float] = []
    errors = 0
    lock = threading.Lock()

    def ask(number: int) -> None:
        nonlocal errors
        path, headers = (
            ("/", {"Cookie": cookie})
            if number % 2
            else ("/api/v1/overview?limit=200", {"Authorization": f"Bearer {secret}"})
        )
        began = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            fine = response.status == 200 and len(response.read()) > 1000
            connection.close()
        except OSError:
            fine = False
        took = time.monotonic() - began
        with lock:
            times.append(took)
            errors += not fine

    began = time.monotonic()
    threads = []
    for number in range(_A_SECOND * _SECONDS):
        time.sleep(max(0.0, began + number / _A_SECOND - time.monotonic()))
        thread = threading.Thread(target=ask, args=(number,))
        thread.start()
        threads.append(thread)
    for thread in threads:
        thread.join()
    return times, errors
