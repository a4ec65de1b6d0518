"""Versions of one population: what is out of earlier data cannot be made forgotten by changing the variables."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.audits.running import run_audit
from auditor.core.errors import BadInput
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy, parse_policy
from auditor.store.opening import Store
from auditor.subjects.tables.releases.lattice import decided_lattice, read_lattice
from auditor.subjects.tables.releases.mapping import VersionMap, declare_variables, read_map
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.variable_link import VariableLink

pytestmark = pytest.mark.neo4j

CUBE = np.array([1, 7, 7, 8, 9, 10, 6, 1]).reshape(2, 2, 2)


def loaded(counts: NDArray[np.int64], *names: str, categories: dict[str, tuple[str, ...]] | None = None) -> LoadedTable:
    variables = [
        Variable(name, (categories or {}).get(name) or ("no", "yes", "maybe", "never")[:size])
        for name, size in zip(names, counts.shape, strict=True)
    ]
    return LoadedTable(ContingencyTable.from_dense(counts, variables))


def ask(store: Store, *names: str, policy: Policy | None = None) -> str:
    answer = answer_request(
        store, MarginalRequest("t", names, policy or Policy(), by="bob", actor="ada"), clock=lambda: 0.0
    )
    return answer.recorded.answer


@pytest.fixture
def asked(store: Store) -> Store:
    """Two of three pairs are out, the third one is refused."""
    Tables(store).add("t", loaded(CUBE, "A", "B", "C"), source="f", actor="ada")
    assert [ask(store, *pair) for pair in ("AB", "AC", "BC")] == ["release", "release", "refuse"]
    return store


def later(store: Store, table: LoadedTable) -> None:
    Tables(store).add("t", table, source="f", actor="ada", new_version=True)


def declare(store: Store, *links: VariableLink, version: int | None = None) -> VersionMap:
    return declare_variables(store, "t", links, actor="ada", version=version)


def rules_of(
    store: Store, *names: str, merged: dict[str, list[list[str]]] | None = None
) -> tuple[str, tuple[str, ...]]:
    answer = answer_request(
        store, MarginalRequest("t", names, Policy(), by="bob", actor="ada", merged=merged or {}), clock=lambda: 0.0
    )
    return answer.recorded.answer, answer.recorded.rules


UNDECLARED = ("undecided", ("earlier_data",))


def test_variables_that_are_renamed_and_in_another_order_are_not_guessed(asked: Store) -> None:
    # A is Z now, B is X, and their columns have changed places: the first one with the same categories is the wrong one
    later(asked, loaded(CUBE.transpose(1, 2, 0), "X", "C", "Z"))
    assert rules_of(asked, "X", "C") == UNDECLARED
    assert rules_of(asked, "X") == UNDECLARED
    known = read_map(asked, "t")
    assert [(one.version, [v.name for v in one.variables]) for one in known.undeclared] == [(1, ["A", "B"])]
    half = declare(asked, VariableLink("A", ("Z",)))
    assert [[v.name for v in one.variables] for one in half.undeclared] == [["B"]]
    assert rules_of(asked, "X", "C") == UNDECLARED
    assert declare(asked, VariableLink("B", ("X",))).undeclared == ()
    assert rules_of(asked, "X", "C") == ("refuse", ("min_width",))
    assert ask(asked, "X", "Z") == ask(asked, "Z", "C") == "release"


def test_a_variable_and_its_categories_that_are_renamed_are_not_forgotten(asked: Store) -> None:
    german = {"Bn": ("ja", "nein")}
    later(asked, loaded(CUBE[:, ::-1], "A", "Bn", "C", categories=german))
    assert rules_of(asked, "Bn", "C") == UNDECLARED
    with pytest.raises(InvalidInput, match="other categories"):
        declare(asked, VariableLink("B", ("Bn",)))
    declare(asked, VariableLink("B", ("Bn",), (("no", "nein"), ("yes", "ja"))))
    assert ask(asked, "Bn", "C") == "refuse"
    assert ask(asked, "A", "Bn") == "release"


def test_a_category_more_makes_another_variable(asked: Store) -> None:
    more = np.concatenate([CUBE, np.zeros((2, 1, 2), dtype=np.int64)], axis=1)
    later(asked, loaded(more, "A", "B", "C", categories={"B": ("no", "yes", "unknown")}))
    assert rules_of(asked, "B", "C") == UNDECLARED
    with pytest.raises(InvalidInput, match="which category of 'B' the category 'unknown'"):
        declare(asked, VariableLink("B", ("B",), (("no", "no"), ("yes", "yes"))))
    declare(asked, VariableLink("B", ("B",), (("no", "no"), ("yes", "yes"), (None, "unknown"))))
    assert ask(asked, "B", "C") == "refuse"


def test_a_variable_made_of_two_does_not_get_the_third_pair_out(asked: Store) -> None:
    categories = {"AB": ("nono", "noyes", "yesno", "yesyes")}
    later(asked, loaded(CUBE.reshape(4, 2), "AB", "C", categories=categories))
    third = {"AB": [["nono", "yesno"], ["noyes", "yesyes"]]}
    assert rules_of(asked, "AB", "C", merged=third) == UNDECLARED
    rows = {"A": ("no", "no", "yes", "yes"), "B": ("no", "yes", "no", "yes")}
    made = [VariableLink(name, ("AB",), tuple(zip(old, categories["AB"], strict=True))) for name, old in rows.items()]
    declare(asked, *made)
    # the groupings of AB by A and by B cross: both are out, or asked for
    assert rules_of(asked, "AB", "C", merged=third) == ("refuse", ("min_width",))
    assert ask(asked, "AB", "C") == "refuse"
    assert ask(asked, "AB") == "release"
    again = {"AB": [["nono", "noyes"], ["yesno", "yesyes"]]}
    assert rules_of(asked, "AB", "C", merged=again)[0] == "release"


def test_a_variable_that_is_split_is_made_of_both(store: Store) -> None:
    categories = {"AB": ("nono", "noyes", "yesno", "yesyes")}
    Tables(store).add("t", loaded(CUBE.reshape(4, 2), "AB", "C", categories=categories), source="f", actor="ada")
    # AB, and A beside C
    assert ask(store, "AB") == "release"
    halves = {"AB": [["nono", "noyes"], ["yesno", "yesyes"]]}
    assert rules_of(store, "AB", "C", merged=halves)[0] == "release"
    later(store, loaded(CUBE, "A", "B", "C"))
    assert rules_of(store, "B", "C") == UNDECLARED
    rows = (("nono", "no", "no"), ("noyes", "no", "yes"), ("yesno", "yes", "no"), ("yesyes", "yes", "yes"))
    declare(store, VariableLink("AB", ("A", "B"), rows))
    assert ask(store, "B", "C") == "refuse"
    assert ask(store, "A", "B") == "release"


def test_a_variable_that_is_left_out_is_not_forgotten(asked: Store) -> None:
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert rules_of(asked, "B", "C") == UNDECLARED
    declare(asked, VariableLink("A"))
    assert ask(asked, "B", "C") == "refuse"
    assert ask(asked, "B") == "release"


def test_finer_categories_are_not_forgotten(store: Store) -> None:
    fine = np.array([4, 4, 8, 0, 7, 5, 0, 0, 0, 4, 4, 7, 1, 7, 0, 5]).reshape(2, 4, 2)
    names = {"F": ("r1", "r2", "r3", "r4")}
    Tables(store).add("t", loaded(fine, "A", "F", "C", categories=names), source="f", actor="ada")
    assert [ask(store, *pair) for pair in ("AF", "FC")] == ["release", "release"]
    coarse = fine.reshape(2, 2, 2, 2).sum(axis=2)
    later(store, loaded(coarse, "A", "F", "C", categories={"F": ("N", "S")}))
    assert rules_of(store, "A", "C") == UNDECLARED
    declare(store, VariableLink("F", ("F",), (("r1", "N"), ("r2", "N"), ("r3", "S"), ("r4", "S"))))
    assert ask(store, "A", "C") == "refuse"


def test_what_was_declared_step_by_step_holds_for_all_steps(asked: Store) -> None:
    later(asked, loaded(CUBE, "A", "b", "C"))
    declare(asked, VariableLink("B", ("b",)))
    later(asked, loaded(CUBE + (CUBE == 10), "A", "b", "c"))
    known = read_map(asked, "t")
    assert [(one.version, [v.name for v in one.variables]) for one in known.undeclared] == [(1, ["C"])]
    declare(asked, VariableLink("C", ("c",)), version=2)
    assert read_map(asked, "t").undeclared == ()
    assert ask(asked, "b", "c") == "refuse"


def test_a_new_variable_does_not_make_a_refused_marginal_harmless(asked: Store) -> None:
    half = np.stack([CUBE // 2, CUBE - CUBE // 2], axis=-1)
    later(asked, loaded(half, "A", "B", "C", "D"))
    assert ask(asked, "B", "C") == "refuse"


def test_what_is_declared_is_in_the_ledger_and_makes_decisions_begin_anew(asked: Store) -> None:
    later(asked, loaded(CUBE, "A", "b", "C"))
    before = Tables(asked).show("t").revision
    declare(asked, VariableLink("B", ("b",)))
    assert Tables(asked).show("t").revision == before + 1
    entry = asked.ledger.of_subject("table", "t")[-1]
    assert (entry.kind, entry.actor) == ("table_mapped", "ada")
    payload = json.loads(entry.payload)
    assert payload["variables"] == [{"old": "B", "new": ["b"], "rows": []}]
    assert (payload["earlier"], payload["version"]) == (1, 2)
    assert asked.ledger.verify().intact


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (VariableLink("X", ("b",)), "earlier version has no variable 'X'"),
        (VariableLink("B", ("x",)), "this version has no variable 'x'"),
        (VariableLink("B", ("b",), (("no", "perhaps"),)), "has no category 'perhaps'"),
        (VariableLink("B", ("b",), (("no", "no"), ("no", "yes"), ("yes", "yes"))), "neither 'B' follows"),
    ],
)
def test_what_does_not_fit_is_said(asked: Store, link: VariableLink, said: str) -> None:
    later(asked, loaded(CUBE, "A", "b", "C"))
    with pytest.raises(InvalidInput, match=said):
        declare(asked, link)
    with pytest.raises(BadInput, match="no version 7"):
        declare(asked, VariableLink("B", ("b",)), version=7)
    assert asked.ledger.of_subject("table", "t")[-1].kind == "table_added"


def test_groupings_that_cross_are_decided_or_stay_open(store: Store) -> None:
    counts = np.array([[12, 9], [8, 7], [11, 14], [9, 6]])
    Tables(store).add("t", loaded(counts, "A", "B"), source="f", actor="ada")
    assert rules_of(store, "A", "B", merged={"A": [["no", "yes"]]})[0] == "release"
    # nothing is small: whoever knew all categories would learn nothing that must not be known
    assert rules_of(store, "A", "B", merged={"A": [["yes", "maybe"]]})[0] == "release"


def test_frontier_and_audit_know_of_earlier_data(asked: Store) -> None:
    lax = parse_policy({"table": {"min_width": 1, "hide_small": False}})
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    audit = run_audit(asked, "table:t", Policy(), trigger="test", actor="ada")
    assert (audit.verdict, [finding.rule for finding in audit.findings]) == ("undecided", ["earlier_data"])
    declare(asked, VariableLink("A"))
    known = read_lattice(asked, "t")
    found = decided_lattice(asked, known, Policy(), actor="ada", time_limit=None, clock=lambda: 0.0)
    assert found.frontier is not None
    assert found.frontier.minimal_unreleasable == ((0, 1),)
    assert found.frontier.maximal_releasable == ()
    assert run_audit(asked, "table:t", Policy(), trigger="test", actor="ada").verdict == "passed"
    assert ask(asked, "B", "C", policy=lax) == "release"
    audit = run_audit(asked, "table:t", Policy(), trigger="test", actor="ada")
    assert audit.verdict == "violated"
    assert {finding.where for finding in audit.findings} == {"what is out, version 1 of the data"}


def test_counts_that_are_gone_keep_answers_back(asked: Store) -> None:
    Tables(asked).remove("t", actor="ada")
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    declare(asked, VariableLink("A"))
    assert ask(asked, "B", "C") == "undecided"
    # the counts come back with the data, and with them the answers
    Tables(asked).add("t", loaded(CUBE, "A", "B", "C"), source="f", actor="ada", new_version=True)
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    assert ask(asked, "B", "C") == "refuse"


def test_an_answer_that_must_be_no_function_of_the_counts_is_not_given(asked: Store) -> None:
    later(asked, loaded(CUBE.sum(axis=0), "B", "C"))
    declare(asked, VariableLink("A"))
    assert ask(asked, "B", "C", policy=parse_policy({"table": {"refusals": "sampled"}})) == "undecided"


def test_the_same_variables_are_held_against_the_present_alone(asked: Store) -> None:
    later(asked, loaded(CUBE * 10, "C", "B", "A"))
    assert ask(asked, "B", "C") == "release"
