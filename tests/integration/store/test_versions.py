"""Versions of one population: what is out of earlier data cannot be made forgotten by changing the variables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.audits.running import run_audit
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy, parse_policy
from auditor.releases import answer_request
from auditor.releases.lattice import decided_lattice, read_lattice
from auditor.store.opening import Store
from graphkit.tables.contingency import ContingencyTable
from graphkit.tables.variable import Variable

pytestmark = pytest.mark.neo4j

CUBE = np.array([1, 7, 7, 8, 9, 10, 6, 1]).reshape(2, 2, 2)


def loaded(counts: NDArray[np.int64], *names: str, categories: dict[str, tuple[str, ...]] | None = None) -> LoadedTable:
    variables = [
        Variable(name, (categories or {}).get(name) or ("no", "yes", "maybe", "never")[:size])
        for name, size in zip(names, counts.shape, strict=True)
    ]
    return LoadedTable(ContingencyTable.from_dense(counts, variables))


def ask(store: Store, *names: str, policy: Policy | None = None) -> str:
    answer = answer_request(store, "t", names, policy or Policy(), by="bob", actor="ada", clock=lambda: 0.0)
    return answer.recorded.answer


@pytest.fixture
def asked(store: Store) -> Store:
    """Two of three pairs are out, the third one is refused."""
    store.tables.add("t", loaded(CUBE, "A", "B", "C"), source="f", actor="ada")
    assert [ask(store, *pair) for pair in ("AB", "AC", "BC")] == ["release", "release", "refuse"]
    return store


def later(store: Store, table: LoadedTable) -> None:
    store.tables.add("t", table, source="f", actor="ada", new_version=True)


def test_a_variable_that_is_left_out_is_not_forgotten(asked: Store) -> None:
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert ask(asked, "B", "C") == "refuse"
    assert ask(asked, "B") == "release"


def test_a_variable_that_is_renamed_is_not_forgotten(asked: Store) -> None:
    later(asked, loaded(CUBE, "a", "B", "C"))
    assert ask(asked, "B", "C") == "refuse"


def test_all_variables_that_are_renamed_are_not_forgotten(asked: Store) -> None:
    later(asked, loaded(CUBE, "x", "y", "z"))
    assert ask(asked, "y", "z") == "refuse"
    assert ask(asked, "x", "y") == "release"


def test_finer_categories_are_not_forgotten(store: Store) -> None:
    fine = np.array([4, 4, 8, 0, 7, 5, 0, 0, 0, 4, 4, 7, 1, 7, 0, 5]).reshape(2, 4, 2)
    names = {"F": ("r1", "r2", "r3", "r4")}
    store.tables.add("t", loaded(fine, "A", "F", "C", categories=names), source="f", actor="ada")
    assert [ask(store, *pair) for pair in ("AF", "FC")] == ["release", "release"]
    coarse = fine.reshape(2, 2, 2, 2).sum(axis=2)
    later(store, loaded(coarse, "A", "F", "C", categories={"F": ("N", "S")}))
    assert ask(store, "A", "C") == "refuse"


def test_frontier_and_audit_know_of_earlier_data(asked: Store) -> None:
    lax = parse_policy({"table": {"min_width": 1, "hide_small": False}})
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    known, state = read_lattice(asked, "t")
    found = decided_lattice(asked, known, state, Policy(), actor="ada", time_limit=None, clock=lambda: 0.0)
    assert found.frontier is not None
    assert found.frontier.minimal_unreleasable == ((0, 1),)
    assert found.frontier.maximal_releasable == ()
    assert run_audit(asked, "table:t", Policy(), trigger="test", actor="ada").verdict == "passed"
    assert ask(asked, "B", "C", policy=lax) == "release"
    audit = run_audit(asked, "table:t", Policy(), trigger="test", actor="ada")
    assert audit.verdict == "violated"
    assert {finding.where for finding in audit.findings} == {"what is out, version 1 of the data"}


def test_counts_that_are_gone_keep_answers_back(asked: Store) -> None:
    asked.tables.remove("t", actor="ada")
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert ask(asked, "B", "C") == "undecided"
    # the counts come back with the data, and with them the answers
    asked.tables.add("t", loaded(CUBE, "A", "B", "C"), source="f", actor="ada", new_version=True)
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert ask(asked, "B", "C") == "refuse"


def test_an_answer_that_must_be_no_function_of_the_counts_is_not_given(asked: Store) -> None:
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert ask(asked, "B", "C", policy=parse_policy({"table": {"refusals": "sampled"}})) == "undecided"


def test_the_same_variables_are_held_against_the_present_alone(asked: Store) -> None:
    later(asked, loaded(CUBE * 10, "C", "B", "A"))
    assert ask(asked, "B", "C") == "release"
