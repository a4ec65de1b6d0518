"""Hierarchies: read from files, and made from categories."""

from pathlib import Path

import pytest

from auditor.core.errors import BadFile, BadInput, NotFound
from auditor.formats.records.hierarchies import made_hierarchy, read_hierarchy


@pytest.mark.parametrize("text", ["a;x;*\nb;x;*\n", "a,x,*\r\nb,x,*\r\n\r\n", "\ufeffa\tx\t*\nb\tx\t*"])
def test_a_file_in_any_of_the_usual_forms_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(text.encode())
    assert read_hierarchy(path).labels == ("a", "b", "x", "*")


def test_categories_keep_blanks_and_breaks_that_the_data_have(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(b' a ; x ;*\nb ;x;*\n"c\nd";x;*\n')
    assert read_hierarchy(path, {" a ", "b", "c\nd"}).labels == (" a ", "b", "c\nd", "x", "*")
    assert made_hierarchy("prefixes", [" 1", "2 "]).labels == (" 1", "2 ", " *", "*", "2*")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is no hierarchy"),
        ("é;x".encode("latin-1"), "line 1"),
        (b"a;x\n\nb;\n", "line 3: a category or group has no name"),
        (b'a;"x\n', "quote"),
    ],
)
def test_what_is_no_hierarchy_is_refused_without_a_category(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(data)
    with pytest.raises(BadFile, match=message):
        read_hierarchy(path)
    with pytest.raises(NotFound):
        read_hierarchy(tmp_path / "none.csv")


def test_intervals_hold_what_lies_in_them() -> None:
    tree = made_hierarchy("intervals:5:10", ["0", "4.5", "5", "-1"])
    above = {tree.labels[node]: tree.labels[tree.parents[node]] for node in range(len(tree.labels))}
    assert above == {
        "0": "0..<5",
        "4.5": "0..<5",
        "5": "5..<10",
        "-1": "-5..<0",
        "0..<5": "0..<10",
        "5..<10": "0..<10",
        "-5..<0": "-10..<0",
        "0..<10": "*",
        "-10..<0": "*",
        "*": "*",
    }


def test_dates_lie_in_months_and_years() -> None:
    tree = made_hierarchy("dates", ["2025-01-31", "2025-02-01 10:00:00"])
    assert tree.labels[2:] == ("2025-01", "2025", "*", "2025-02") or tree.labels[2:] == ("2025-01", "2025", "2025-02")


@pytest.mark.parametrize(
    "how", ["nothing", "intervals", "intervals:0", "intervals:5:7", "intervals:10:5", "prefixes:2", "dates:1"]
)
def test_an_unknown_way_is_refused(how: str) -> None:
    with pytest.raises(BadInput):
        made_hierarchy(how, ["1", "2"])


@pytest.mark.parametrize(("how", "category"), [("intervals:5", "old"), ("dates", "May"), ("intervals:5", "inf")])
def test_a_category_of_another_sort_is_refused_and_not_named(how: str, category: str) -> None:
    with pytest.raises(BadInput) as refused:
        made_hierarchy(how, [category])
    assert category not in str(refused.value).replace("interval", "")
