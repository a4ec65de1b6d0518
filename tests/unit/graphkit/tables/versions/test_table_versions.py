"""How variables of versions go together: declared, step by step, never by guess."""

from __future__ import annotations

import pytest

from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.versions.table_versions import VersionedMarginal, Versions
from graphkit.tables.versions.translated_marginals import translate_marginals
from graphkit.tables.versions.variable_link import VariableLink, bound_link

NO_YES = ("no", "yes")


def named(*names: str) -> list[Variable]:
    return [Variable(name, NO_YES) for name in names]


def pair(version: int, *axes: int) -> VersionedMarginal:
    return VersionedMarginal(version, RecodedMarginal(axes, ((0, 1),) * len(axes)))


def test_a_variable_of_another_name_is_none_that_there_was() -> None:
    versions = Versions({1: named("A", "B"), 2: named("B", "X")})
    assert versions.unaccounted(1, 2) == ("A",)
    assert versions.image(1, 0, 2) is None
    assert not versions.is_accounted(pair(1, 0, 1), 2)
    assert versions.is_accounted(pair(1, 1), 2)


def test_what_was_declared_to_be_another_one_is_no_namesake() -> None:
    # A is called B now: the B of before is not this B
    versions = Versions({1: named("A", "B"), 2: named("B", "C")}, {(1, 2): [VariableLink("A", ("B",))]})
    assert versions.unaccounted(1, 2) == ("B",)


def test_declarations_hold_from_step_to_step_and_back() -> None:
    links = {(1, 2): [VariableLink("A", ("a",))], (2, 3): [VariableLink("a", ("x",), (("no", "yes"), ("yes", "no")))]}
    versions = Versions({1: named("A"), 2: named("a"), 3: named("x")}, links)
    there, back = versions.image(1, 0, 3), versions.image(3, 0, 1)
    assert there is not None
    assert back is not None
    assert there.codes.tolist() == back.codes.tolist() == [1, 0]
    assert versions.follows(1, 3)
    assert versions.follows(3, 1)


def test_a_variable_that_was_left_out_is_back_under_its_name() -> None:
    versions = Versions({1: named("A", "B"), 2: named("B"), 3: named("B", "A")})
    assert versions.unaccounted(1, 3) == ()
    # unless there was another one of that name in between
    other = Variable("A", ("f", "m"))
    assert Versions({1: named("A"), 2: [other], 3: named("A")}).unaccounted(1, 3) == ("A",)


def test_marginals_that_share_a_variable_that_is_gone_count_together() -> None:
    versions = Versions({1: named("A", "B", "C"), 2: named("B", "C")}, {(1, 2): [VariableLink("A")]})
    translated = translate_marginals(versions, [pair(1, 0, 1), pair(1, 0, 2)], 2)
    assert {one.axes for one in translated.upper} == {(0, 1)}
    assert {one.axes for one in translated.lower} == {(0,), (1,)}
    assert not translated.is_exact
    # one alone tells no more than what is left of it
    assert translate_marginals(versions, [pair(1, 0, 1)], 2).is_exact


def test_a_function_that_is_no_grouping_is_held_between_two_sides() -> None:
    rows = (("no", "no", "no"), ("yes", "no", "yes"), ("yes", "yes", "no"), ("yes", "yes", "yes"))
    versions = Versions({1: named("any"), 2: named("A", "B")}, {(1, 2): [VariableLink("any", ("A", "B"), rows)]})
    translated = translate_marginals(versions, [pair(1, 0)], 2)
    assert translated.upper == {RecodedMarginal((0, 1), ((0, 1), (0, 1)))}
    assert translated.lower == frozenset()


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (VariableLink("A", ("X", "X")), "same variable twice"),
        (VariableLink("A", (), (("no",),)), "no variable that it goes with"),
        (VariableLink("A", ("X",), (("no", "a"), ("yes", "b"))), "category 'c'"),
        (VariableLink("A", ("X",), (("no", "a"), ("yes", "b", "c"))), "3 categories are said together"),
        (VariableLink("A", ("X",)), "other categories"),
        (VariableLink("A", ("B",), (("no", "no"),)), "category 'yes'"),
    ],
)
def test_what_is_declared_must_be_complete(link: VariableLink, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        bound_link(link, named("A"), [Variable("X", ("a", "b", "c")), *named("B")])
