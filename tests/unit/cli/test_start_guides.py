"""What a file is taken for by a look at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.kinds import kinds, part
from cli.start.looking import look_at

ROWS = {
    "ties.csv": ("source,target\n" + "a,b\nb,c\n", "network"),
    "bare.tsv": ("1\t2\n2\t3\n", "network"),
    "weighed.csv": ("from,to,weight\na,b,1\nb,c,2\n", "network"),
    "cells.csv": ("sex,smoking,count\nf,yes,3\nm,no,4\n", "table"),
    "staff.csv": ("age,income,tenure,hours\n30,2000,3,40\n31,2100,4,38\n", "microdata"),
    "named.csv": ("who,age\n" + "".join(f"p{place},{place}\n" for place in range(30)), "microdata"),
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


def test_names_of_records_are_told_from_groups_of_them(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("person,group\n" + "".join(f"p{place},g{place % 7}\n" for place in range(100)))
    assert look_at(path, EdgeTableSettings()).distinct == ("person",)
