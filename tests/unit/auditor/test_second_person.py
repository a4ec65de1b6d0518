"""Persons by token and at a provider: who could be the same human does not approve."""

from __future__ import annotations

import pytest

from auditor.access.second_person import LogIn, check_second_person
from auditor.core.errors import Refused

ANN = LogIn("https://id.example", ("Ann Lee", "Ann Ray"), named_here=False)
BOB = LogIn("https://id.example", ("Bob",), named_here=False)
NAMED = LogIn("https://id.example", ("Ann Lee", "ann"), named_here=True)
ELSEWHERE = LogIn("https://other.example", ("Carl",), named_here=False)
EVERYBODY = (ANN, BOB, ELSEWHERE)


@pytest.mark.parametrize(
    ("actor", "requester"),
    [("bob smith", "ann"), ("Bob", "Ann Lee"), ("ANN RAY", "Bob")],
    ids=["two tokens", "two subjects", "another spelling"],
)
def test_two_persons_are_two(actor: str, requester: str) -> None:
    check_second_person(actor, [requester], EVERYBODY)


@pytest.mark.parametrize(
    ("actor", "requester"),
    [
        ("Ann Ray", "Ann Lee"),
        ("ann lee", "Ann Ray"),
        ("Ann Lee", "\u0410nn Ray"),
        ("Ann Lee", "ann"),
        ("ann", "Ann Ray"),
        ("Bob", "bob smith"),
        ("Carl", "Ann Lee"),
    ],
    ids=["old name", "new name", "look-alike of another name", "token", "by token", "any token", "two providers"],
)
def test_who_could_be_one_human_is_refused(actor: str, requester: str) -> None:
    for pair in ((actor, requester), (requester, actor)):
        with pytest.raises(Refused):
            check_second_person(pair[0], ["zoe", pair[1]], EVERYBODY)


def test_whom_the_settings_name_is_that_person_and_no_other() -> None:
    check_second_person("Ann Lee", ["bob smith"], [NAMED])
    check_second_person("bob smith", ["Ann Lee"], [NAMED])
    for one, other in (("Ann Lee", "ann"), ("ann", "Ann Lee")):
        with pytest.raises(Refused, match="yourself"):
            check_second_person(one, [other], [NAMED])


def test_every_requester_counts() -> None:
    with pytest.raises(Refused):
        check_second_person("Bob", ["Ann Lee", "ann"], EVERYBODY)
