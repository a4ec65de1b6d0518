"""Names on a command line and in sentences: any character may be in one."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.core.errors import BadInput
from auditor.formats.tables.words import categories_in_words, in_words
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.representations.requests import way_on
from auditor.subjects.tables.stored.recorded_answers import MarginalNames, RecordedAnswer
from cli.table.names import categories_of, merged_categories, named_lists
from cli.table.request_answer import next_request
from cli.terminal.names import as_argument, as_names
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable

VARIABLES = [
    Variable("=risk", ("low", "middle", "high")),
    Variable("a", ("1", "b=1", "2")),
    Variable("a=b", ("1", "2", "3")),
    Variable("1. illness", ('HIV, "acute"', "flu", "none")),
    Variable("income", ("x", "y", "x + y", "z")),
]
# blanks around a name do not belong to it
NAME = st.text(st.sampled_from("ab ,\"'=-+;()$\\\n"), min_size=1).map(str.strip).filter(bool)


@given(st.lists(NAME, min_size=1))
def test_a_list_that_is_written_reads_back(names: list[str]) -> None:
    (word,) = shlex.split(as_argument(names))
    assert as_names(word) == tuple(names)
    assert not word.startswith("-")


@pytest.mark.parametrize(
    ("text", "merged"),
    [
        ("=risk=low,middle", {"=risk": (("low", "middle"),)}),
        ("a=b=2,3", {"a=b": (("2", "3"),)}),
        ("a=b=1,2", {"a=b": (("1", "2"),)}),
        ("a=1,2", {"a": (("1", "2"),)}),
        ("a=b=1,b=1", None),
        ('"1. illness=HIV, ""acute""",flu', {"1. illness": (('HIV, "acute"', "flu"),)}),
    ],
)
def test_the_variables_of_the_table_tell_what_is_merged(text: str, merged: object) -> None:
    lists = named_lists("--merge", [text])
    if merged is None:
        with pytest.raises(InvalidInput, match="merged twice"):
            merged_categories(lists, VARIABLES)
    else:
        assert merged_categories(lists, VARIABLES) == merged


def test_a_misspelt_variable_is_told_with_the_nearest() -> None:
    with pytest.raises(BadInput, match="there is no variable 'incme'; did you mean 'income'") as told:
        merged_categories(named_lists("--merge", ["incme=x,y"]), VARIABLES)
    assert "\n" not in str(told.value)
    with pytest.raises(BadInput, match='no variable \'height\'; the table has "=risk", a, "a=b"'):
        merged_categories(named_lists("--merge", ["height=x,y"]), VARIABLES)


def test_a_merged_name_that_is_taken_is_bad_input() -> None:
    with pytest.raises(InvalidInput, match="the name of another category"):
        merged_categories([("income=x", "y")], VARIABLES)


@pytest.mark.parametrize("text", ['"illness=HIV, acute,flu', "age", "age=", "=,x", "age=x"])
def test_what_cannot_be_read_is_told_with_an_example(text: str) -> None:
    with pytest.raises(BadInput, match=r"illness=HIV, .*acute"):
        named_lists("--merge", [text])


def test_quotes_round_the_category_alone_are_told() -> None:
    with pytest.raises(BadInput, match=r"no category '\"HIV'; it has .*; quotes go round name and category together"):
        merged_categories(named_lists("--merge", ['1. illness="HIV, acute",flu']), VARIABLES)


def test_names_that_could_be_several_are_quoted_in_sentences() -> None:
    assert in_words(["sex", "Alter, Jahre"], {"Alter, Jahre": [["60-79", "80+"], ["a + b", "c;d"]]}) == (
        'sex, "Alter, Jahre" (60-79 + 80+; "a + b" + "c;d")'
    )
    assert categories_in_words({"sex": "f", "Alter, Jahre": "0-19"}) == 'sex=f, "Alter, Jahre"=0-19'
    assert categories_of(Variable("v", ("a, b", "c", "d (e)"))) == '"a, b", c, "d (e)"'


def answered(proposal: MarginalNames | None) -> RecordedAnswer:
    return RecordedAnswer("", None, "City of G", "", ("sex",), {}, "coarsen", (), proposal, "", False, 1)  # type: ignore[arg-type]


def test_a_refusal_names_the_way_on() -> None:
    variables = [Variable("age", ("0-19", "20-59", "60+")), Variable("sex", ("f", "m"))]
    plain, coarsen = TablePolicy(), TablePolicy(answers=("release", "refuse", "coarsen"))
    told = way_on("refuse", ["age", "sex"], variables, plain)
    assert told is not None
    assert "merge categories of age, or request fewer variables" in told
    assert "coarsen" in told
    # two categories merged are none, and where a proposal was looked for there is none
    assert way_on("refuse", ["sex"], variables, plain) == "request fewer variables"
    assert way_on("refuse", ["age"], variables, coarsen) == (
        "no coarser marginal was found that may be released; request fewer variables"
    )
    assert way_on("coarsen", ["age"], variables, coarsen) is way_on("release", ["age"], variables, plain) is None


def test_a_proposal_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path
    from types import SimpleNamespace
    from typing import Any

    proposal = MarginalNames(("sex", "1. illness"), {"1. illness": (('HIV, "acute"', "flu"),), "sex": (("f", "m"),)})
    answer: Any = SimpleNamespace(recorded=answered(proposal))
    (line,) = next_request("my survey", answer, Path("my policy.toml"), None)
    assert line == (
        "Next: auditor table request 'my survey' 'sex,1. illness' "
        "--merge '\"1. illness=HIV, \"\"acute\"\"\",flu' --merge sex=f,m --by 'City of G' --policy 'my policy.toml'"
    )
    assert next_request("s", answer, None, "public")[0].endswith(" --preset public")
    waits: Any = SimpleNamespace(recorded=replace(answered(None), answer="pending", approval="id"))
    assert next_request("s", waits, None, None, out=Path("a.csv"))[0].endswith("approval approve id --out a.csv")
    (kept,) = next_request("s", answer, None, None, purpose="the press, 2026", out=Path("for a.csv"), force=True)
    assert kept.endswith("--by 'City of G' --purpose 'the press, 2026' --out 'for a.csv' --force")
    assert next_request("s", SimpleNamespace(recorded=answered(None)), None, None) == []  # type: ignore[arg-type]
