"""Lists of vertices by label: what is read, and that a wrong line is named without its content."""

from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import BadFile
from auditor.formats.networks.label_list import read_label_list, read_label_pairs

NAMES = np.array(["ann", "bob, the first", "#3", " dee"], dtype=object)
NUMBERS = np.array([10, 20, 30], dtype=np.int64)


def test_labels_come_out_as_vertices_once_each(tmp_path: Path) -> None:
    path = tmp_path / "only.txt"
    path.write_bytes("\ufeff#3\r\n\r\nann\r\nbob, the first\r\n  \nann".encode())
    assert read_label_list(path, NAMES).tolist() == [0, 1, 2]


def test_blanks_belong_to_a_label_where_there_is_such_a_label(tmp_path: Path) -> None:
    path = tmp_path / "only.txt"
    path.write_text(" dee\n ann \n", encoding="utf-8")
    assert read_label_list(path, NAMES).tolist() == [0, 3]


def test_numbers_are_labels_too(tmp_path: Path) -> None:
    path = tmp_path / "only.txt"
    path.write_text("30\n10\n", encoding="utf-8")
    assert read_label_list(path, NUMBERS).tolist() == [0, 2]


def test_an_empty_file_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "only.txt"
    path.write_text("\n", encoding="utf-8")
    assert read_label_list(path, NUMBERS).shape == (0,)
    assert read_label_pairs(path, NUMBERS).shape == (0, 2)


def test_pairs_with_comma_tab_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text('#3,ann\n"bob, the first",ann\nbob, the first\t#3\n', encoding="utf-8")
    assert read_label_pairs(path, NAMES).tolist() == [[0, 2], [0, 1], [1, 2]]


QUOTING = np.array(['Müller, "Jörg"', '"quoted"', "quoted", "plain"], dtype=object)


def test_an_id_may_be_quoted_as_in_csv_or_stand_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "list"
    as_csv = ['"Müller, ""Jörg"""', '"""quoted"""', "quoted", '"plain"']
    path.write_text("\n".join(as_csv), encoding="utf-8")
    assert read_label_list(path, QUOTING).tolist() == [0, 1, 2, 3]
    path.write_text("\n".join(QUOTING), encoding="utf-8")
    assert read_label_list(path, QUOTING).tolist() == [0, 1, 2, 3]
    for ids, between in ((as_csv, ","), (as_csv, "\t"), (QUOTING, "\t")):
        path.write_text(f"{ids[0]}{between}{ids[1]}\n{ids[3]}{between}{ids[2]}\n", encoding="utf-8")
        assert read_label_pairs(path, QUOTING).tolist() == [[0, 1], [2, 3]]


def test_a_quote_that_is_not_closed_is_no_quoting(tmp_path: Path) -> None:
    path = tmp_path / "list"
    for text in ('"plain', 'plain"', '"pl"ain"', '"'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadFile, match="line 1: no vertex"):
            read_label_list(path, QUOTING)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann,#3\n\nann,zebulon\n", "line 3: no vertex"),
        ("ann\n", "line 1: there must be two ids"),
        ("ann,#3,zebulon\n", "line 1: there must be two ids"),
        ("ann,ann\n", "line 1: an edge joins two different"),
    ],
)
def test_a_wrong_line_is_named_without_what_stands_there(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=message) as raised:
        read_label_pairs(path, NAMES)
    assert "zebulon" not in str(raised.value)
    assert "ann" not in str(raised.value).removeprefix(str(path))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "only.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not text in UTF-8"):
        read_label_list(path, NAMES)
    with pytest.raises(BadFile, match="cannot be read"):
        read_label_list(tmp_path / "none.txt", NAMES)
