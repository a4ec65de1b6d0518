"""A service that is killed (-9) in the middle of requests: none that it answered is lost, none is done twice."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import random
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.opening import Store, open_store
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored.releases import Releases
from tests.support.cube import cube
from tests.support.web_service import ServedStore, served

pytestmark = pytest.mark.neo4j

ROUNDS = 8
MARGINALS = ("AB", "AC", "BC")
"""Of a cube; any two of them may be out, all three not."""


def _serve(settings: Settings, folder: Path, port: int) -> None:
    import uvicorn

    with open_store(settings) as store:
        uvicorn.run(served(store, settings, folder).app, host="127.0.0.1", port=port, log_level="critical")


def _started(settings: Settings, folder: Path) -> tuple[ForkProcess, int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(settings, folder, port))
    process.start()
    for _ in range(600):
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process, port
        time.sleep(0.05)
    raise AssertionError("the service does not answer")


def _ask(port: int, secret: str, table: str, marginal: str) -> dict[str, object] | None:
    """Return the answer to a request; None if the service was killed over it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    with suppress(OSError, http.client.HTTPException):
        line.request("POST", f"/api/v1/tables/{table}/requests", json.dumps({"variables": [*marginal]}), headers)
        answer = line.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return dict(json.loads(text))
    return None


@pytest.mark.slow
def test_none_that_was_answered_is_lost_and_none_is_done_twice(
    store: Store, neo4j_settings: Settings, site: ServedStore, tmp_path: Path
) -> None:
    chance, secret = random.Random(7), site.secrets["officer"]
    told: dict[tuple[str, str], dict[str, object]] = {}
    for round in range(ROUNDS):
        table = f"t{round}"
        Tables(store).add(table, cube(round), source="f", actor="ada")
        process, port = _started(neo4j_settings, tmp_path)
        with ThreadPoolExecutor(len(MARGINALS)) as pool:
            asked = {marginal: pool.submit(_ask, port, secret, table, marginal) for marginal in MARGINALS}
            # as soon as so many were answered: the others are somewhere in between
            answered = round % len(MARGINALS)
            while sum(one.done() for one in asked.values()) < answered:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
            process.join()
        told |= {(table, name): answer for name, one in asked.items() if (answer := one.result()) is not None}
    assert 0 < len(told) < ROUNDS * len(MARGINALS), "neither before everything nor after it"
    recorded = {(one[0], "".join(one[1])): one[2] for one in _recorded(store)}
    assert max(Counter((table, "".join(names)) for table, names, _ in _recorded(store)).values()) == 1
    assert {key: answer["answer"] for key, answer in told.items()}.items() <= recorded.items()
    for round in range(ROUNDS):
        out = {"".join(one.names) for one in Tables(store).released(f"t{round}")}
        assert out == {
            name for (table, name), answer in recorded.items() if (table, answer) == (f"t{round}", "release")
        }
        assert len(out) < len(MARGINALS)
    assert store.ledger.verify().intact
    process, port = _started(neo4j_settings, tmp_path)
    try:
        for (table, name), first in recorded.items():
            again = _ask(port, secret, table, name)
            assert again is not None
            assert again["answer"] == first
    finally:
        process.kill()
        process.join()


def _recorded(store: Store) -> list[tuple[str, list[str], str]]:
    return [
        (f"t{round}", list(answer.names), answer.answer)
        for round in range(ROUNDS)
        for answer in Releases(store).of_table(f"t{round}")
    ]
