"""Requests for marginals on the real database: what is out counts, whoever asks, and whoever asks at the same time."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable
from itertools import combinations
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import Any

import numpy as np
import pytest

from auditor.config import Settings
from auditor.core.errors import NotFound, StoreConflict
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy
from auditor.store.opening import Store, open_store
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases import deciding, recording, request
from auditor.subjects.tables.releases.lattice import read_lattice
from auditor.subjects.tables.releases.recording import RequestAnswer
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from auditor.subjects.tables.stored.releases import Releases
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.cube import add_unrelated
from tests.support.emptying import emptied

pytestmark = pytest.mark.neo4j

ROUNDS, AT_ONCE = 50, 25
"""Of a long race, and those in one store: a table that is added is compared with all that are there."""


def cube(more: int = 0) -> LoadedTable:
    """A 2×2×2 table: two of its pairs are safe, all three are not."""
    counts = np.array([1, 6, 7, 8, 9, 10 + more, 5, 1]).reshape(2, 2, 2)
    return LoadedTable(ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABC"]))


def ask(
    store: Store, names: Iterable[str], name: str = "t", *, policy: Policy | None = None, explain: bool = False
) -> RequestAnswer:
    return answer_request(
        store,
        MarginalRequest(name, names, policy or Policy(), by="ann", actor="ada", explain=explain),
        clock=time.monotonic,
    )


def test_a_third_pair_is_refused_and_stays_refused(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    assert ask(store, "AB").recorded.answer == ask(store, "CA").recorded.answer == "release"
    refused = ask(store, "BC")
    assert (refused.recorded.answer, refused.recorded.rules, refused.marginal) == ("refuse", ("min_width",), None)
    again = ask(store, "CB")
    assert (again.recorded.answer, again.recorded.rules, again.recorded.repeated) == ("refuse", ("min_width",), True)
    assert again.decision.violations == ()
    assert ask(store, "BC", explain=True).decision.violations
    released = ask(store, "BA")
    assert released.marginal is not None
    assert (released.recorded.repeated, released.decision.implied) == (True, True)
    assert released.marginal.dense().tolist() == cube().table.marginal("AB").dense().tolist()
    assert [marginal.names for marginal in Tables(store).released("t")] == [("A", "B"), ("A", "C")]
    answers = Releases(store).of_table("t")
    assert [answer.answer for answer in answers] == ["release", "release", "refuse", "refuse", "refuse", "release"]
    assert [answer.entry for answer in answers] == [2, 3, 4, 5, 6, 7]
    assert store.ledger.verify().intact


def test_what_follows_from_what_is_out_is_released(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    ask(store, "AB")
    implied = ask(store, "A")
    assert (implied.recorded.answer, implied.decision.implied, implied.recorded.repeated) == ("release", True, False)


def test_the_lattice_grows_with_the_requests(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    for names in ("A", "ABC", "BA", "BC", "B"):
        ask(store, names)
    found = store.connection.read("MATCH (a)-[:COVERS]->(b) RETURN a.axes AS above, b.axes AS below")
    covers = sorted((tuple(record["above"]), tuple(record["below"])) for record in found)
    pairs = [((0, 1), (0,)), ((0, 1), (1,)), ((0, 1, 2), (0, 1)), ((0, 1, 2), (1, 2)), ((1, 2), (1,))]
    assert covers == pairs


def test_neither_another_name_nor_a_removal_forgets(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    Tables(store).add("same", cube(), source="f", actor="ada")
    ask(store, "AB", "t")
    ask(store, "AC", "same")
    Tables(store).remove("t", actor="ada")
    Tables(store).remove("same", actor="ada")
    with pytest.raises(NotFound):
        ask(store, "BC", "t")
    Tables(store).add("third", cube(), source="f", actor="ada")
    assert ask(store, "BC", "third").recorded.answer == "refuse"


def test_what_is_out_of_an_earlier_version_counts(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    ask(store, "AB")
    ask(store, "AC")
    Tables(store).add("t", cube(1), source="f", actor="ada", new_version=True)
    assert ask(store, "BC").recorded.answer == "refuse"
    # the same marginal of the new data follows from nothing that is out, and is decided anew
    again = ask(store, "AB")
    assert (again.recorded.answer, again.decision.implied) == ("release", False)


def test_another_policy_is_another_question(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    for pair in ("AB", "AC", "BC"):
        ask(store, pair)
    lax = Policy(table=TablePolicy(min_width=1, hide_small=False))
    answered = ask(store, "BC", policy=lax)
    assert (answered.recorded.answer, answered.recorded.repeated) == ("release", False)


def test_undecided_is_asked_anew(store: Store) -> None:
    counts = np.array([1, 60, 70, 80, 90, 100, 50, 40]).reshape(2, 2, 2)
    table = ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABC"])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    ask(store, "AB")
    ask(store, "AC")
    runs = iter(range(0, 10**9, 10**6))
    slow = answer_request(
        store, MarginalRequest("t", "BC", Policy(), by="ann", actor="ada"), clock=lambda: float(next(runs))
    )
    assert (slow.recorded.answer, slow.marginal) == ("undecided", None)
    assert len(Tables(store).released("t")) == 2
    # what was asked for is undecided, what nobody asked for is open
    assert read_lattice(store, "t").rows()[-2:] == [((1, 2), "undecided"), ((0, 1, 2), "open")]
    assert ask(store, "BC").recorded.answer == "release"


SIMULATING = Policy(table=TablePolicy(answers=("release", "refuse", "simulate")))


def test_what_would_be_refused_is_simulated_and_all_that_follows_too(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    ask(store, "AB", policy=SIMULATING)
    ask(store, "AC", policy=SIMULATING)
    simulated = ask(store, "BC", policy=SIMULATING)
    assert (simulated.recorded.answer, simulated.recorded.rules) == ("simulate", ("min_width",))
    assert simulated.marginal is not None
    whole = ask(store, "ABC", policy=SIMULATING)
    assert whole.recorded.answer == "simulate"
    assert whole.marginal is not None
    # one table, with what went out before, whoever asks for what
    for pair in ("AB", "AC"):
        assert np.array_equal(whole.marginal.marginal(pair).dense(), cube().table.marginal(pair).dense())
    assert np.array_equal(whole.marginal.marginal("BC").dense(), simulated.marginal.dense())
    again = ask(store, "CB")
    assert again.marginal is not None
    assert np.array_equal(again.marginal.dense(), simulated.marginal.dense())
    assert [marginal.simulated for marginal in Tables(store).released("t")] == [False, False, True, True]
    # what was out before is what it was
    assert ask(store, "A").recorded.answer == "release"


def test_what_was_simulated_of_an_earlier_version_tells_nothing_of_this_one(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    for names in ("AB", "BC", "ABC"):
        ask(store, names, policy=SIMULATING)
    Tables(store).add("t", cube(1), source="f", actor="ada", new_version=True)
    assert ask(store, "AB").recorded.answer == "release"
    assert ask(store, "AC").recorded.answer in ("release", "refuse")


def test_the_simulated_table_survives_a_removal(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    for pair in ("AB", "AC"):
        ask(store, pair, policy=SIMULATING)
    first = ask(store, "BC", policy=SIMULATING).marginal
    Tables(store).remove("t", actor="ada")
    Tables(store).add("again", cube(), source="f", actor="ada")
    second = ask(store, "BC", "again", policy=SIMULATING).marginal
    assert first is not None
    assert second is not None
    assert np.array_equal(first.dense(), second.dense())


def test_a_sampled_decision_looks_at_the_table_once_and_then_at_drawn_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Policy(table=TablePolicy(refusals="sampled", time_limit=300.0))
    Tables(store).add("t", cube(), source="f", actor="ada")
    looked: list[str] = []
    by_itself, drawn = deciding.decide_by_itself, deciding.decide_drawn

    def first(table: ContingencyTable, *arguments: Any) -> Any:
        assert np.array_equal(table.dense(), cube().table.dense())
        looked.append("table")
        return by_itself(table, *arguments)

    def then(tables: tuple[ContingencyTable, ...], *arguments: Any) -> Any:
        assert not all(np.array_equal(one.dense(), cube().table.dense()) for one in tables)
        looked.append("drawn")
        return drawn(tables, *arguments)

    monkeypatch.setattr(deciding, "decide_by_itself", first)
    monkeypatch.setattr(deciding, "decide_drawn", then)
    assert ask(store, "AB", policy=policy).recorded.answer == "release"
    assert looked == ["table"]
    ask(store, "AC", policy=policy)
    assert looked == ["table", "table", "drawn"]


def test_a_marginal_that_shows_a_single_person_is_refused_in_every_mode(store: Store) -> None:
    illness = Variable("illness", ("none", "flu", "HIV"))
    table = ContingencyTable.from_dense([97, 20, 1], [illness])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    for section in (TablePolicy(), TablePolicy(refusals="sampled"), TablePolicy(inference="policy-aware")):
        assert ask(store, ["illness"], policy=Policy(table=section)).recorded.answer == "refuse"


def test_a_policy_aware_decision_knows_the_order_of_releases(store: Store) -> None:
    counts = np.array([2, 4, 1, 2, 3, 4, 0, 1, 0, 2, 1, 0, 0, 1, 2, 2]).reshape(2, 2, 2, 2)
    table = ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABCD"])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    aware = Policy(table=TablePolicy(inference="policy-aware"))
    for pair in ("AB", "AC", "AD", "BC", "BD"):
        assert ask(store, pair, policy=aware).recorded.answer == "release"
    refused = ask(store, "CD", policy=aware, explain=True)
    assert (refused.recorded.answer, refused.recorded.rules) == ("refuse", ("hide_small",))
    short = Policy(table=TablePolicy(inference="policy-aware", most_tables=10))
    assert ask(store, "CD", policy=short).recorded.answer == "undecided"
    assert ask(store, "CD").recorded.answer == "release"


def test_bad_requests_leave_no_trace(store: Store) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    with pytest.raises(InvalidInput, match="no variable 'X'"):
        ask(store, "AX")
    with pytest.raises(InvalidInput, match="twice"):
        ask(store, "AA")
    with pytest.raises(InvalidInput):
        ask(store, "")
    assert store.ledger.verify().entries == 1


def test_no_count_is_in_the_ledger(store: Store) -> None:
    # so long that no hash holds one by chance
    counts = np.array([[79190041, 15485863], [1, 32452843]])
    table = ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "AB"])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    for names in ("A", "B", "AB"):
        ask(store, names, explain=True)
    texts = " ".join(entry.payload for entry in store.ledger.show(100))
    sums = {counts.sum(), *counts.sum(axis=0), *counts.sum(axis=1), *counts.flat} - {1}
    assert len(sums) == 8
    for secret in sums:
        assert str(secret) not in texts


def test_an_answer_is_recorded_once_though_its_commit_was_not_heard_of(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    write = store.connection.write

    def deaf(work: object) -> object:
        write(work)  # type: ignore[arg-type]
        return write(work)  # type: ignore[arg-type]

    monkeypatch.setattr(store.connection, "write", deaf)
    assert ask(store, "AB").recorded.answer == "release"
    assert len(Releases(store).of_table("t")) == 1
    assert store.ledger.verify().entries == 2


def test_a_release_in_between_makes_the_decision_begin_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    Tables(store).add("t", cube(), source="f", actor="ada")
    ask(store, "AB")
    record, fallen = recording.record_answer, []

    def interrupted(*arguments: object, **named: object) -> object:
        if not fallen:
            fallen.append(True)
            ask(store, "AC")
        return record(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(request, "record_answer", interrupted)
    assert ask(store, "BC").recorded.answer == "refuse"
    assert [marginal.names for marginal in Tables(store).released("t")] == [("A", "B"), ("A", "C")]


def test_one_who_always_comes_too_late_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise StoreConflict("meanwhile")

    Tables(store).add("t", cube(), source="f", actor="ada")
    monkeypatch.setattr(request, "record_answer", late)
    with pytest.raises(StoreConflict, match="try again"):
        ask(store, "AB")


def _request(settings: Settings, names: str, barrier: Barrier, results: Queue[tuple[int, str]], rounds: int) -> None:
    with open_store(settings) as store:
        for round in range(rounds):
            barrier.wait(120)
            results.put((round, ask(store, names, f"t{round}").recorded.answer))


def _race(store: Store, settings: Settings, rounds: int) -> None:
    for round in range(rounds):
        # other counts: the same data would go on with what is out of it
        add_unrelated(store, f"t{round}", cube(round))
        ask(store, "AB", f"t{round}")
    processes = multiprocessing.get_context("fork")
    barrier, results = processes.Barrier(2), processes.Queue()
    both = [
        processes.Process(target=_request, args=(settings, names, barrier, results, rounds)) for names in ("AC", "BC")
    ]
    for process in both:
        process.start()
    answers: dict[int, list[str]] = {round: [] for round in range(rounds)}
    for _ in range(2 * rounds):
        round, answer = results.get(timeout=120)
        answers[round].append(answer)
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    assert {tuple(sorted(pair)) for pair in answers.values()} == {("refuse", "release")}
    assert store.ledger.verify().intact


def test_of_two_requests_at_once_that_are_unsafe_together_one_is_refused(
    store: Store, neo4j_settings: Settings
) -> None:
    _race(store, neo4j_settings, 10)


@pytest.mark.slow
def test_of_two_requests_at_once_one_is_refused_every_time(store: Store, neo4j_settings: Settings) -> None:
    for _ in range(ROUNDS // AT_ONCE):
        _race(emptied(store.connection), neo4j_settings, AT_ONCE)


def test_answers_are_quick_on_a_warm_store(store: Store) -> None:
    """Ten marginals of a 2^6 table are out: each further answer is one decision, one read and one write."""
    rng = np.random.default_rng(3)
    counts = rng.multinomial(1841, rng.dirichlet(np.ones(64))).reshape((2,) * 6)
    table = ContingencyTable.from_dense(counts, [Variable(name, ("no", "yes")) for name in "ABCDEF"])
    Tables(store).add("t", LoadedTable(table), source="f", actor="ada")
    answers = [ask(store, "".join(pair)).recorded.answer for pair in combinations("ABCDEF", 2)]
    assert answers.count("release") >= 10
