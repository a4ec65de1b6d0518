"""Approvals and others at the same moment, and approvals that are killed: nothing goes out twice, or by one person."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from auditor.approvals.deciding import approve
from auditor.approvals.repository import Approvals
from auditor.config import Settings
from auditor.core.errors import Refused
from auditor.exports.destination import Destination
from auditor.exports.repository import Exports
from auditor.policy import ExportPolicy, Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store, open_store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.cube import add_unrelated, cube
from tests.support.emptying import emptied
from tests.support.processes import in_child
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

TWO = Policy(
    network=NetworkPolicy(k=2), exports=ExportPolicy(marginal_approval="second-person", approval="second-person")
)
ROUNDS = 5
MANY, AT_ONCE = 25, 25
"""Of a long race, and those in one store: a table that is added is compared with all that are there."""
Outcome = tuple[str, int, str]


def ask(store: Store, name: str, names: str, policy: Policy) -> tuple[str, str | None]:
    answer = answer_request(store, MarginalRequest(name, names, policy, by="G", actor="ann"), clock=time.monotonic)
    return answer.recorded.answer, answer.recorded.approval


def _wanted(store: Store, name: str, names: str) -> str:
    answer, id = ask(store, name, names, TWO)
    assert (answer, id is not None) == ("pending", True)
    return str(id)


def _approved(store: Store, id: str, actor: str) -> str:
    try:
        return approve(store, id, actor=actor, clock=time.monotonic).approval.state
    except Refused:
        return "told"


def _approver(settings: Settings, ids: list[str], barrier: Barrier, results: Queue[Outcome], actor: str) -> None:
    with open_store(settings) as store:
        for round, id in enumerate(ids):
            barrier.wait(120)
            results.put((actor, round, _approved(store, id, actor)))


def _requester(settings: Settings, ids: list[str], barrier: Barrier, results: Queue[Outcome], actor: str) -> None:
    """Ask, under a policy that lets out at once, for what is unsafe together with what is being approved."""
    with open_store(settings) as store:
        for round in range(len(ids)):
            barrier.wait(120)
            results.put((actor, round, ask(store, f"t{round}", "BC", Policy())[0]))


def _race(settings: Settings, ids: list[str], first: object, second: object) -> list[tuple[str, str]]:
    """Let two processes do their part of every round at once; return what became of both, round by round."""
    processes = multiprocessing.get_context("fork")
    barrier, results = processes.Barrier(2), processes.Queue()
    both = [
        processes.Process(target=work, args=(settings, ids, barrier, results, actor))  # type: ignore[arg-type]
        for work, actor in ((first, "bob"), (second, "eve"))
    ]
    for process in both:
        process.start()
    found = {
        (actor, round): outcome for actor, round, outcome in (results.get(timeout=120) for _ in range(2 * len(ids)))
    }
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    return [(found["bob", round], found["eve", round]) for round in range(len(ids))]


def _race_of_approvers(store: Store, settings: Settings, rounds: int) -> None:
    ids = []
    for round in range(rounds):
        add_unrelated(store, f"t{round}", cube(round))
        ids.append(_wanted(store, f"t{round}", "AB"))
    for pair in _race(settings, ids, _approver, _approver):
        assert sorted(pair) == ["approved", "told"]
    assert [Approvals(store).show(id).state for id in ids] == ["approved"] * rounds
    kinds = [entry.kind for entry in store.ledger.show(10 * rounds)]
    assert kinds.count("approved") == rounds
    assert all(len(Tables(store).released(f"t{round}")) == 1 for round in range(rounds))
    assert store.ledger.verify().intact


def _race_with_a_request(store: Store, settings: Settings, rounds: int) -> None:
    ids = []
    for round in range(rounds):
        add_unrelated(store, f"t{round}", cube(round))
        assert ask(store, f"t{round}", "AB", Policy())[0] == "release"
        ids.append(_wanted(store, f"t{round}", "AC"))
    for pair in _race(settings, ids, _approver, _requester):
        assert pair in (("approved", "refuse"), ("overtaken", "release"))
    assert all(len(Tables(store).released(f"t{round}")) == 2 for round in range(rounds))
    assert store.ledger.verify().intact


def test_of_two_that_approve_at_once_one_does_and_the_other_is_told(store: Store, neo4j_settings: Settings) -> None:
    _race_of_approvers(store, neo4j_settings, ROUNDS)


def test_an_approval_and_a_request_that_are_unsafe_together_are_never_both_out(
    store: Store, neo4j_settings: Settings
) -> None:
    _race_with_a_request(store, neo4j_settings, ROUNDS)


@pytest.mark.slow
def test_of_two_that_approve_at_once_one_does_every_time(store: Store, neo4j_settings: Settings) -> None:
    for _ in range(MANY // AT_ONCE):
        _race_of_approvers(emptied(store.connection), neo4j_settings, AT_ONCE)


@pytest.mark.slow
def test_an_approval_and_a_request_are_never_both_out_in_many_rounds(store: Store, neo4j_settings: Settings) -> None:
    for _ in range(MANY // AT_ONCE):
        _race_with_a_request(emptied(store.connection), neo4j_settings, AT_ONCE)


def test_of_two_that_approve_an_export_at_once_one_does(store: Store, neo4j_settings: Settings, tmp_path: Path) -> None:
    Networks(store).add("n", random_network(1, n=12, m=14), source="f", actor="ada")
    network = StoredNetwork(store, Networks(store).show("n"))
    ids = []
    for round in range(ROUNDS):
        done = export_network(network, ExportRequest(2, Destination(tmp_path / f"{round}.csv"), TWO, "ann"))
        assert done.published is not None
        ids.append(str(done.published.approval))
    for pair in _race(neo4j_settings, ids, _approver, _approver):
        assert sorted(pair) == ["approved", "told"]
    out = [f"{round}.csv{end}" for round in range(ROUNDS) for end in ("", ".manifest.json")]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(out)
    assert {export.state for export in Exports(store).list()} == {"published"}
    assert store.ledger.verify().intact


def _approve_and_die(store: Store, id: str, moment: str) -> None:
    """Approve, and be killed before, inside or after the transaction that lets it out."""
    write = Connection.write

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def watched(self: Connection, work: object) -> object:
        if moment == "before":
            die()

        def inside(tx: object) -> object:
            done = work(tx)  # type: ignore[operator]
            if moment == "inside":
                die()
            return done

        done = write(self, inside)
        die()
        return done

    Connection.write = watched  # type: ignore[assignment,method-assign]
    approve(store, id, actor="bob", clock=time.monotonic)


@pytest.mark.parametrize("moment", ["before", "inside", "after"])
def test_an_approval_that_is_killed_is_done_or_still_to_do(store: Store, neo4j_settings: Settings, moment: str) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    id = _wanted(store, "t", "AB")
    assert in_child(neo4j_settings, _approve_and_die, id, moment) == -signal.SIGKILL
    is_out = moment == "after"
    assert len(Tables(store).released("t")) == is_out
    assert Approvals(store).show(id).state == ("approved" if is_out else "pending")
    assert _approved(store, id, "bob") == ("told" if is_out else "approved")
    assert [entry.kind for entry in store.ledger.show(20)].count("approved") == 1
    # whoever asked gets what is out
    assert ask(store, "t", "AB", TWO)[0] == "release"
    assert store.ledger.verify().intact
