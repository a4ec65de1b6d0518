"""What numbers of values tell of the columns of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.formats.records import open_records
from auditor.formats.records.values import ValueCounts, count_values


def counted(tmp_path: Path, header: str, rows: list[str]) -> ValueCounts:
    path = tmp_path / "file.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    with open_records(path, EdgeTableSettings()) as opened:
        return count_values(opened)


def test_columns_that_name_each_record(tmp_path: Path) -> None:
    rows = [f"p{n},{n},{n * n},{n / 7},{n % 9}" for n in range(250)]
    assert counted(tmp_path, "who,number,wage,height,group", rows).naming == ("who", "number")
    # of few records ages may differ, too, and of very few all texts
    assert counted(tmp_path, "who,number,wage,height,group", rows[:100]).naming == ("who",)
    assert counted(tmp_path, "who,number,wage,height,group", rows[:20]).naming == ()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([f"p{n},p{(n + 1) % 30},1" for n in range(30)], True),
        ([f"p{n},q{n},1" for n in range(30)], False),
        # two columns of the same few categories
        ([f"c{n % 4},c{n % 5},1" for n in range(900)], False),
    ],
    ids=["ends", "apart", "categories"],
)
def test_ends_of_ties_share_values(tmp_path: Path, rows: list[str], expected: bool) -> None:
    assert counted(tmp_path, "one,other,weight", rows).has_shared_ends is expected


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        ("sex,place,people", [f"{s},{p},9" for s in "fm" for p in "xyz"], True),
        ("sex,place,people", [f"{s},{p},9" for s in "fm" for p in "xyzx"], False),
        ("who,place,age", [f"p{n},x,{n}" for n in range(6)], False),
        ("sex,people,year", [f"{s},9,{n}" for s in "fm" for n in range(3)], False),
    ],
    ids=["cells", "a cell twice", "names", "two numbers"],
)
def test_a_table_of_counts_has_each_cell_once(tmp_path: Path, header: str, rows: list[str], expected: bool) -> None:
    assert counted(tmp_path, header, rows).has_one_row_a_cell is expected


def test_a_rare_value_has_fewer_records_than_k(tmp_path: Path) -> None:
    values = counted(tmp_path, "a,b", [f"{n % 10},{n}" for n in range(50)])
    assert (values.records, [values.is_rare(name, 5) for name in "ab"], values.is_rare("a", 6)) == (
        50,
        [False, True],
        True,
    )
