"""Tables that look alike under other names: nothing goes out before it is known whether they are of the same people."""

from __future__ import annotations

import json

import numpy as np
import pytest

from auditor.core.errors import BadInput, NotFound, Refused
from auditor.formats.tables import LoadedTable
from auditor.policy import Policy
from auditor.store.opening import Store
from auditor.subjects.tables.releases.mapping import declare_variables, read_map
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.variable_link import VariableLink
from tests.support.cube import cube

pytestmark = pytest.mark.neo4j


def renamed(more: int = 1) -> LoadedTable:
    """The cube with more people, other names, other categories and another order of columns."""
    counts = cube(more).table.dense().transpose(2, 0, 1)[:, ::-1]
    return LoadedTable(ContingencyTable.from_dense(counts, [Variable(name, ("nein", "ja")) for name in "XYZ"]))


def ask(store: Store, name: str, *names: str) -> tuple[str, tuple[str, ...]]:
    answer = answer_request(store, MarginalRequest(name, names, Policy(), by="bob", actor="ada"), clock=lambda: 0.0)
    return answer.recorded.answer, answer.recorded.rules


HELD = ("undecided", ("population_overlap",))


@pytest.fixture
def asked(store: Store) -> Store:
    Tables(store).add("first", cube(), source="f", actor="ada")
    assert [ask(store, "first", *pair)[0] for pair in ("AB", "AC", "BC")] == ["release", "release", "refuse"]
    return store


def test_one_more_person_under_a_new_name_is_asked_about(asked: Store) -> None:
    Tables(asked).add("second", cube(1), source="f", actor="ada")
    (kinship,) = Tables(asked).kinships("second")
    assert (kinship.table, kinship.released) == ("first", True)
    assert kinship.marginals[0] == {"here": ("A", "B"), "there": ("A", "B")}
    assert "nearly the same counts by A, B; do they" in kinship.sentence
    assert ask(asked, "second", "B", "C") == HELD
    # nothing is out of the second one yet
    assert ask(asked, "first", "A") == ("release", ())


def test_linked_tables_have_one_history(asked: Store) -> None:
    Tables(asked).add("second", cube(1), source="f", actor="ada")
    info = Tables(asked).declare_kinship("second", "first", linked=True, actor="ada")
    assert info.population == Tables(asked).show("first").population
    assert (info.version, info.released) == (2, 2)
    assert Tables(asked).kinships("second") == []
    assert ask(asked, "second", "B", "C") == ("refuse", ("min_width",))
    assert ask(asked, "second", "A", "B")[0] == "release"
    entry = next(entry for entry in asked.ledger.of_subject("table", "first") if entry.kind == "table_kinship")
    assert json.loads(entry.payload)["linked"]
    with pytest.raises(Refused, match="cannot be undone"):
        Tables(asked).declare_kinship("second", "first", linked=False, actor="ada")
    with pytest.raises(BadInput, match="already"):
        Tables(asked).declare_kinship("second", "first", linked=True, actor="ada")
    # a third state of the data goes on from there
    Tables(asked).add("second", cube(2), source="f", actor="ada", new_version=True)
    assert Tables(asked).show("second").version == 3
    assert asked.ledger.verify().intact


def test_renamed_variables_are_found_and_then_declared(asked: Store) -> None:
    Tables(asked).add("second", renamed(), source="f", actor="ada")
    (kinship,) = Tables(asked).kinships("second")
    assert kinship.marginals[0]["here"] != kinship.marginals[0]["there"]
    assert ask(asked, "second", "Z", "X") == HELD
    Tables(asked).declare_kinship("second", "first", linked=True, actor="ada")
    assert ask(asked, "second", "Z", "X") == ("undecided", ("earlier_data",))
    plain, turned = (("no", "nein"), ("yes", "ja")), (("no", "ja"), ("yes", "nein"))
    links = [VariableLink("A", ("Y",), turned), VariableLink("B", ("Z",), plain), VariableLink("C", ("X",), plain)]
    declare_variables(asked, "second", links, actor="ada")
    assert read_map(asked, "second").undeclared == ()
    assert ask(asked, "second", "Z", "X") == ("refuse", ("min_width",))


def test_unrelated_tables_do_not_count_for_each_other(asked: Store) -> None:
    Tables(asked).add("second", cube(1), source="f", actor="ada")
    Tables(asked).declare_kinship("first", "second", linked=False, actor="ada")
    assert Tables(asked).kinships("second") == Tables(asked).kinships("first") == []
    assert ask(asked, "second", "B", "C")[0] == "release"
    with pytest.raises(BadInput, match="already"):
        Tables(asked).declare_kinship("second", "first", linked=False, actor="ada")
    # who finds out later that they are of the same people says so
    Tables(asked).declare_kinship("second", "first", linked=True, actor="ada")
    assert ask(asked, "second", "A", "C")[0] == "refuse"
    with pytest.raises(NotFound):
        Tables(asked).declare_kinship("second", "third", linked=True, actor="ada")


def test_a_removed_table_is_known_by_what_is_out_of_it(asked: Store) -> None:
    Tables(asked).remove("first", actor="ada")
    Tables(asked).add("second", renamed(), source="f", actor="ada")
    (kinship,) = Tables(asked).kinships("second")
    assert kinship.table == "first"
    assert ask(asked, "second", "Z", "X") == HELD


def test_what_was_found_alike_stays_so_when_populations_are_joined(store: Store) -> None:
    for name, more in (("a", 0), ("b", 1), ("c", 2)):
        Tables(store).add(name, cube(more), source="f", actor="ada")
    Tables(store).declare_kinship("b", "a", linked=True, actor="ada")
    assert [one.table for one in Tables(store).kinships("c")] == ["a"]
    assert [one.table for one in Tables(store).kinships("b")] == ["c"]
    Tables(store).declare_kinship("c", "b", linked=False, actor="ada")
    assert Tables(store).kinships("c") == Tables(store).kinships("a") == []


def test_other_counts_are_not_alike(asked: Store) -> None:
    other = np.array([31, 2, 17, 5, 11, 60, 23, 44]).reshape(2, 2, 2)
    table = ContingencyTable.from_dense(other, [Variable(name, ("no", "yes")) for name in "ABC"])
    Tables(asked).add("stranger", LoadedTable(table), source="f", actor="ada")
    assert Tables(asked).kinships("stranger") == []
    assert ask(asked, "stranger", "A")[0] == "release"
