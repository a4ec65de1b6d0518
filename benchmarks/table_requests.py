"""Requests for marginals through a warm store: each decided, recorded in the ledger, answered."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from auditor.subjects.tables.repository import Tables
from benchmarks.networks import private_store
from benchmarks.row import Row
from benchmarks.tables import load_table
from graphkit.tables.structure.contingency import ContingencyTable

if TYPE_CHECKING:
    from auditor.store import Store

_OUT = 10
_MANY = 200
_SAMPLE = 50


def request_rows(data_dir: Path | None) -> Iterator[Row]:
    """Measure requests on a table of six variables with ten releases out, and two hundred on one of eight."""
    from auditor.config import load_settings
    from auditor.store import open_store

    small, large = load_table(data_dir, "autoworkers"), load_table(data_dir, "rochdale")
    assert small is not None
    assert large is not None
    with private_store() as environment:
        settings = load_settings(environ={**os.environ, **environment})
        with open_store(settings) as store:
            yield from _with_ten_out(store, small)
            yield from _many(store, large)


def _with_ten_out(store: Store, table: ContingencyTable) -> Iterator[Row]:
    _add(store, "autoworkers", table)
    seconds, released = [], 0
    for names in _marginals(table):
        took, _, answer = _request(store, "autoworkers", names)
        if released >= _OUT:
            seconds.append(took)
        released += answer == "release"
    work = f"tables: request → decision, autoworkers, {_OUT} or more releases out, warm store"
    yield Row(f"{work}: median", 1000 * median(seconds), "ms", 300.0, f"requests: {len(seconds)}")
    yield Row(f"{work}: longest", max(seconds), "s")


def _many(store: Store, table: ContingencyTable) -> Iterator[Row]:
    _add(store, "rochdale", table)
    rest = []
    for names in _marginals(table)[:_MANY]:
        took, deciding, _ = _request(store, "rochdale", names)
        rest.append(1000 * (took - deciding))
    first, last = median(rest[:_SAMPLE]), median(rest[-_SAMPLE:])
    work = f"tables: {_MANY} requests on rochdale, all but the decision itself"
    yield Row(f"{work}: median of the last {_SAMPLE}", last, "ms", peer=f"of the first {_SAMPLE}: {first:.3g}")
    yield Row(f"{work}: last {_SAMPLE} by first {_SAMPLE}", last / first, "times", 1.5)


def _marginals(table: ContingencyTable) -> Sequence[tuple[str, ...]]:
    """Return all marginals, the smallest first."""
    return list(chain.from_iterable(combinations(table.names, size) for size in range(1, len(table.names) + 1)))


def _add(store: Store, name: str, table: ContingencyTable) -> None:
    from auditor.formats.tables.loaded import LoadedTable

    Tables(store).add(name, LoadedTable(table), source="benchmark", actor="benchmark")


def _request(store: Store, name: str, names: tuple[str, ...]) -> tuple[float, float, str]:
    """Return the seconds of a request, those of its decision alone, and the answer."""
    from auditor.policy import Policy
    from auditor.subjects.tables.releases import request

    deciding = 0.0
    module = vars(request)
    find = module["find_answer"]

    def timed(*arguments: object, **options: object) -> object:
        nonlocal deciding
        began = time.perf_counter()
        found = find(*arguments, **options)
        deciding += time.perf_counter() - began
        return found

    module["find_answer"] = timed
    try:
        began = time.perf_counter()
        answer = request.answer_request(
            store,
            request.MarginalRequest(name, names, Policy(), by="benchmark", actor="benchmark"),
            clock=time.perf_counter,
        )
        took = time.perf_counter() - began
    finally:
        module["find_answer"] = find
    return took, deciding, answer.decision.answer
