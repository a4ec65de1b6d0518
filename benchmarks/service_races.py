"""Two requests at the same moment, each safe alone and unsafe together: by two services, or a service and a command."""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.access.tokens import Tokens
from auditor.subjects.tables.repository import Tables
from benchmarks.networks import private_store
from benchmarks.process import auditor
from benchmarks.row import Row
from benchmarks.service_load import served

if TYPE_CHECKING:
    from auditor.store import Store

_ROUNDS = 200
# seconds after which a command comes to its decision
_COMMAND_STARTS = 0.4, 1.4

Ask = Callable[[str, str], str]


def run_races(data_dir: Path | None, rounds: int = _ROUNDS) -> list[Row]:
    """Count in how many rounds both requests were released; in every round one has to be."""
    from auditor.config import load_settings
    from auditor.store import open_store

    rows = []
    with private_store() as environment:
        whole = {**os.environ, **environment}
        with open_store(load_settings(environ=whole)) as store:
            until = store.ledger.clock() + timedelta(days=1)
            _, secret = Tokens(store).create(person="bench", role="officer", expires_at=until, actor="benchmark")
            with served(whole) as first, served(whole) as second:

                def through(port: int) -> Ask:
                    return lambda table, pair: _through_service(port, secret, table, pair)

                def by_command(table: str, pair: str) -> str:
                    return _by_command(whole, table, pair)

                chance = random.Random(1)

                def while_a_command_starts(table: str, pair: str) -> str:
                    time.sleep(0.0 if pair == "AB" else chance.uniform(*_COMMAND_STARTS))
                    return through(first)(table, pair)

                pairs = {
                    "API and API": (through(first), through(second)),
                    "API and CLI": (while_a_command_starts, by_command),
                }
                for place, (words, (one, other)) in enumerate(pairs.items()):
                    both = _raced(store, one, other, range(place * rounds, (place + 1) * rounds))
                    work = f"service: two requests at once, unsafe together, {rounds} rounds, {words}: both released"
                    rows.append(Row(work, float(both), "rounds", bar=0))
            if not store.ledger.verify().intact:
                raise RuntimeError("this is no figure: the ledger is not intact")
    return rows


def _raced(store: Store, one: Ask, other: Ask, rounds: range) -> int:
    both = 0
    for number in rounds:
        table = f"t{number}"
        _add_table(store, table, number)
        if one(table, "AB") != "release":
            raise RuntimeError("this is no figure: the first pair was not released")
        answers: dict[str, str] = {}
        barrier = threading.Barrier(2)

        def ask(
            how: Ask, pair: str, table: str = table, barrier: threading.Barrier = barrier, to: dict[str, str] = answers
        ) -> None:
            barrier.wait(60)
            to[pair] = how(table, pair)

        threads = [threading.Thread(target=ask, args=(how, pair)) for how, pair in ((one, "AC"), (other, "BC"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if sorted(answers.values()) not in (["refuse", "release"], ["release", "release"]):
            raise RuntimeError(f"this is no figure: {answers}")
        both += answers["AC"] == answers["BC"] == "release"
    return both


def _add_table(store: Store, name: str, seed: int) -> None:
    """Add a 2×2×2 table: two of its pairs are safe, all three are not."""
    import numpy as np

    from auditor.formats.tables import LoadedTable
    from graphkit.hierarchies.variable import Variable
    from graphkit.tables.structure.contingency import ContingencyTable

    # other categories, so that it is nobody else's table
    variables = [Variable(variable, (f"no {seed}", f"yes {seed}")) for variable in "ABC"]
    counts = np.array([1, 6, 7, 8, 9, 10, 5, 1]).reshape(2, 2, 2)
    Tables(store).add(name, LoadedTable(ContingencyTable.from_dense(counts, variables)), source="b", actor="benchmark")
    # the same counts again and again
    for kinship in Tables(store).kinships(name):
        Tables(store).declare_kinship(name, kinship.table, linked=False, actor="benchmark")


def _through_service(port: int, secret: str, table: str, pair: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/tables/{table}/requests", json.dumps({"variables": [*pair]}), headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return str(answer.get("answer", response.status))


def _by_command(environment: dict[str, str], table: str, pair: str) -> str:
    command = auditor("table", "request", table, ",".join(pair), "--by", "bench", "--json")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    return str(json.loads(done.stdout)["answer"])
