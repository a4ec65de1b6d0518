"""What a file is taken for by a look at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.kinds import kinds, part
from cli.start.looking import look_at
from cli.start.records import _proposed

ROWS = {
    "ties.csv": ("source,target\n" + "a,b\nb,c\n", "network"),
    "bare.tsv": ("1\t2\n2\t3\n", "network"),
    "weighed.csv": ("from,to,weight\na,b,1\nb,c,2\n", "network"),
    "cells.csv": ("sex,smoking,count\nf,yes,3\nm,no,4\n", "table"),
    "staff.csv": ("age,income,tenure,hours\n30,2000,3,40\n31,2100,4,38\n", "microdata"),
    "named.csv": ("who,age\n" + "".join(f"p{place},{place}\n" for place in range(30)), "microdata"),
    "emails.csv": (
        "Absender,Empfaenger,Anzahl,Seit\n"
        + "".join(f"Ada {place},Ada {place * 7 % 40},3,2020-01-01\n" for place in range(40)),
        "network",
    ),
    "born.csv": (
        "born,lives,age,hours,wage\n"
        + "".join(f"land {place % 5},land {place % 3},{place % 60},40,9\n" for place in range(600)),
        "microdata",
    ),
    "clinic.csv": (
        "district,sex,age,illness,patients\n"
        + "".join(
            f"area {d},{s},{a},{i},{7 * d}\n" for d in range(1, 4) for s in "fm" for a in ("0-17", "18+") for i in "xyz"
        ),
        "table",
    ),
    "net.graphml": ("<graphml/>", "network"),
    "letter.doc": ("Dear Ada", None),
}


@pytest.mark.parametrize("name", list(ROWS))
def test_a_file_looks_like_what_it_is(name: str, tmp_path: Path) -> None:
    text, expected = ROWS[name]
    path = tmp_path / name
    path.write_text(text)
    looked = look_at(path, EdgeTableSettings())
    likeness = {kind.name: part(kind.guide)().likeness(looked) for kind in kinds() if kind.guide}
    best = max(likeness.values())
    # ties go to the kind that comes first
    found = next(kind for kind, value in likeness.items() if value == best) if best else None
    assert found == expected, likeness


def test_names_of_records_are_told_from_groups_and_measures_of_them(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = "".join(
        f"p{place},g{place % 7},{5000 + place},{place * 1009 % 100003},{place / 3}\n" for place in range(300)
    )
    path.write_text("person,group,number,wage,share\n" + rows)
    values = look_at(path, EdgeTableSettings()).values
    assert values.naming == ("person", "number")
    assert [values.is_rare(name, 5) for name in ("group", "wage")] == [False, True]


def test_a_proposal_leaves_nothing_that_singles_out_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = "".join(
        f"{place},Ada {place // 2},{place % 3},{place * place},{place / 7},{'xy'[place % 2]},{place % 20}\n"
        for place in range(210)
    )
    path.write_text("no,who,sex,income,weight_kg,diagnosis,wage\n" + rows)
    roles = _proposed(look_at(path, EdgeTableSettings()), 5)
    assert (roles.identifiers, roles.left_out, roles.sensitive) == (("no",), ("who",), ("diagnosis",))
    assert roles.quasi_identifiers == ("sex", "income", "weight_kg", "wage")
