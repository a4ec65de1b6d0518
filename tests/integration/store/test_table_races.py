"""Tables and two processes at the same moment: they know of each other."""

from __future__ import annotations

import multiprocessing
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from typing import TYPE_CHECKING

import pytest

from auditor.config import Settings
from auditor.store.opening import Store, open_store
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored.history import read_history
from auditor.subjects.tables.stored.marginals import StoredMarginal, write_marginal
from auditor.subjects.tables.stored.releases import Releases
from auditor.subjects.tables.stored.rows import lock_table, read_counts
from tests.support.adding_races import winner_of_two
from tests.support.table_samples import loaded_table, same_table

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

pytestmark = pytest.mark.neo4j

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROUNDS = 20


def _decide(settings: Settings, axes: tuple[int, ...], barrier: Barrier) -> None:
    """Let a marginal go out if nothing is out yet: a decision that must not race."""

    def work(tx: ManagedTransaction) -> None:
        row = lock_table(tx, "t")
        if any(version.released for version in read_history(tx, row)):
            return
        counts = read_counts(tx, row).marginal(axes)
        write_marginal(tx, row, StoredMarginal(axes, "released", AT, counts.cells, counts.counts))

    with open_store(settings) as store:
        for _ in range(ROUNDS):
            barrier.wait(60)
            store.connection.write(work)
            barrier.wait(60)


def test_two_decisions_at_once_know_of_each_other(store: Store, neo4j_settings: Settings) -> None:
    Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    processes = multiprocessing.get_context("fork")
    barrier = processes.Barrier(3)
    both = [processes.Process(target=_decide, args=(neo4j_settings, axes, barrier)) for axes in ((0,), (1,))]
    for process in both:
        process.start()
    for _ in range(ROUNDS):
        store.connection.execute("MATCH (m:AuditorMarginal) DETACH DELETE m")
        barrier.wait(60)
        barrier.wait(60)
        assert len(Tables(store).released("t")) == 1
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]


def _add(store: Store, seed: int) -> None:
    Tables(store).add("t", loaded_table(seed), source=str(seed), actor="ada")


def test_of_two_processes_that_add_one_name_one_wins_and_the_other_is_told(
    store: Store, neo4j_settings: Settings
) -> None:
    winner = winner_of_two(neo4j_settings, _add, (1, 2))
    assert same_table(Releases(store).state("t").table, loaded_table(winner).table)
    assert store.ledger.verify().entries == 1
