"""What `auditor table map` is told, in words and in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.core.errors import BadInput
from cli.table.declaring import declared_links
from graphkit.hierarchies.variable import Variable
from graphkit.tables.versions.variable_link import VariableLink

THEN = [Variable("A", ("no", "yes")), Variable("AB", ("nono", "noyes")), Variable("x=y", ("1", "2"))]
NOW = [Variable("A", ("no", "yes")), Variable("B, b", ("no", "yes")), Variable("z", ("1", "2"))]


def test_rows_of_one_variable_belong_together() -> None:
    rows = [("AB=nono", "A=no", "B, b=no"), ("AB=noyes", "A=no", "B, b=yes"), ("AB=", "A=yes", "B, b=no")]
    (link,) = declared_links(THEN, NOW, categories=rows)
    assert link.new == ("A", "B, b")
    assert link.rows == (("nono", "no", "no"), ("noyes", "no", "yes"), (None, "yes", "no"))


def test_names_may_have_equals_signs() -> None:
    assert declared_links(THEN, NOW, renamed=["x=y=z"], gone=["A"]) == (
        VariableLink("A"),
        VariableLink("x=y", ("z",)),
    )
    assert declared_links(THEN, NOW, categories=[("x=y=1", "z=2")])[0].rows == (("1", "2"),)


def test_a_file_has_the_same_in_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('x=y,"B, b"\n1,no\n,yes\n', encoding="utf-8")
    assert declared_links(THEN, NOW, files=[path]) == (VariableLink("x=y", ("B, b",), (("1", "no"), (None, "yes"))),)
    path.write_text("x=y\n1\n", encoding="utf-8")
    with pytest.raises(BadInput, match="must have a header"):
        declared_links(THEN, NOW, files=[path])
    with pytest.raises(BadInput, match="cannot be read"):
        declared_links(THEN, NOW, files=[tmp_path / "none.csv"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"renamed": ["A"]}, "OLD=NEW"),
        ({"renamed": ["A=Q"]}, "OLD=NEW"),
        ({"categories": [("Q=no", "A=no")]}, "names no variable"),
        ({"categories": [("A=no",)]}, "OLD=X,NEW=Y"),
        ({"categories": [("A=no", "A=no"), ("A=yes", "z=1")]}, "declared twice"),
        ({"gone": ["A"], "renamed": ["A=A"]}, "declared twice"),
    ],
)
def test_what_says_nothing_is_refused(given: dict[str, list[str]], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        declared_links(THEN, NOW, **given)  # type: ignore[arg-type]
