"""Files that are no tables: one line each, that names file and line and no count."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.core.errors import BadFile, BadInput, NotFound
from auditor.formats.tables import TableOptions, read_table

SECRET = "4711"
"""A count that must not come back in a message."""

RECORDS = TableOptions(records=True)

BAD = {
    "negative": (f"a,n\nx,{SECRET}\ny,-{SECRET}\n", "line 3: a negative count"),
    "fraction": (f"a,n\nx,{SECRET}.5\n", "line 2: a count that is no whole number"),
    "exponent": (f"a,n\nx,{SECRET}e2\n", "line 2: a count that is no whole number"),
    "missing": (f"a,n\nx,{SECRET}\ny,\n", "line 3: no count"),
    "NA": (f"a,n\nx,{SECRET}\ny,NA\n", "line 3: no count"),
    "NaN": (f"a,n\nx,{SECRET}\ny,NaN\n", "line 3: a count that is not a number (NaN)"),
    "word": (f"a,n\nx,about {SECRET}\n", "line 2: a count that is no number"),
    "thousands": (f'a,n\nx,"{SECRET},000"\n', "line 2: a count that is no number"),
    "after a blank line": (f'a,n\n"x\ny",{SECRET}\n\nz,-{SECRET}\n', "line 5: a negative count"),
    "too many": (f"a,n\nx,{SECRET}{'0' * 13}\n", "a total of 2^53 or more"),
    "far too many": (f"a,n\nx,{SECRET}{'0' * 40}\n", "line 2: a count of 2^53 or more"),
    "too many in all": (f"a,n\nx,{2**53 - 4711}\ny,{SECRET}\n", "a total of 2^53 or more"),
    "no rows": ("a,n\n", "has no rows below its header"),
    "nobody": ("a,n\nx,0\n", "holds nobody"),
    "nothing": ("", "is empty; give a file that holds a table"),
    "blank lines": ("\n\n", "holds only blank lines"),
    "no counts": (f"a,b\nx,{SECRET}\n", "no column of counts"),
    "two counts": (f"a,n,freq\nx,1,{SECRET}\n", "the counts (n, freq); say --count COLUMN, or rename all but one"),
    "no variable": (f"n\n{SECRET}\n", "no column but the counts"),
    "same name": (f"a,a,n\nx,y,{SECRET}\n", "has two columns 'a'"),
    "no name": (f"a,,n\nx,y,{SECRET}\n", "column 2 has no name"),
    "no category": (f"a,n\n,{SECRET}\n", "line 2: no category of 'a'"),
    "total": (
        f"a,b,n\nx,y,{SECRET}\nx,,{SECRET}\n",
        "line 3: no category of 'b'; write one into the file, or name the missing ones "
        "with --missing NAME; if the row holds totals, remove it",
    ),
    "empty fields": (f"a,b,n\nx,y,{SECRET}\n,,\n", "line 3: all fields are empty; remove the line"),
    "line for spreadsheets": (f"sep=;\na;n\nx;{SECRET}\n", "line 1: the line tells a spreadsheet which delimiter"),
    "likely a number": (
        f"a,number\nx,{SECRET}\n",
        "call one so, or say --count number; where every row is a person, say --records ('a person' on the page)",
    ),
    "same cell": (
        f"a,b,n\nx,1,{SECRET}\ny,1,1\nx,1,2\n",
        "line 4: the same categories as in a row before; say --records ('a person' on the page)",
    ),
    "same cell of zeros": (f"a,n\nx,0\nx,0\ny,{SECRET}\n", "line 3: the same categories"),
    "short line": (f"a,b,n\nx,y,{SECRET}\nx,{SECRET}\n", "line 3: 2 columns"),
    "open quote": (f'a,n\nx,{SECRET}\n"y,{SECRET}\n', "line 3: a quotation mark is never closed"),
    "old Mac": (f"a,n\rx,{SECRET}\r", "carriage return"),
    "Latin-1 header": ("gr\u00f6\u00dfe,n\nx,1\n".encode("latin-1"), "line 1: the text is not UTF-8"),
    "Latin-1": ("a,n\nx,1\nß,2\n".encode("latin-1"), "line 3: the text is not UTF-8"),
    "UTF-16": ("a,n\nx,1\n".encode("utf-16"), "is UTF-16"),
    "binary": (b"\x7fELF\0\0\0", "is neither text nor a Parquet file"),
    "late NUL": (b"a,n\n" + b"x" * 5000 + b",1\ny\0,2\n", "line 3: the file holds a NUL byte"),
    "no Parquet": (b"PAR1 and then nothing", "cannot be read as a Parquet file"),
    "cut": (gzip.compress(b"a,n\nx,1\n" * 500)[:-20], "ends too early"),
}


@pytest.mark.parametrize(("content", "reason"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_refused(counter: Any, tmp_path: Path, content: str | bytes, reason: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadFile) as caught:
        read_table(counter, path)
    message = str(caught.value)
    assert reason in message
    assert "bad.csv" in message
    assert "\n" not in message
    assert SECRET not in message


def test_too_many_cells(counter: Any, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    rows = [[f"v{number}" for number in range(63)], ["no"] * 63, ["yes"] * 63]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    with pytest.raises(BadFile, match=r"more than 2\^62 cells; remove columns, or choose fewer variables"):
        read_table(counter, path, RECORDS)
    fewer = TableOptions(records=True, variables=tuple(f"v{number}" for number in range(62)))
    assert read_table(counter, path, fewer).table.size == 2**62


def test_unknown_columns_are_named(counter: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,n\nx,y,1\n")
    for options in (TableOptions(count="c"), TableOptions(variables=("a", "c"))):
        with pytest.raises(BadInput, match=r"no column 'c'; it has a, b, n"):
            read_table(counter, path, options)
    with pytest.raises(BadInput, match="named twice"):
        read_table(counter, path, TableOptions(variables=("a", "a")))
    with pytest.raises(BadInput, match="holds the counts"):
        read_table(counter, path, TableOptions(count="n", variables=("a", "n")))


@pytest.mark.parametrize(
    "options",
    [{"records": True, "count": "n"}, {"records": True, "sum": True}, {"missing": " "}],
)
def test_options_that_exclude_each_other(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        TableOptions(**options)


@pytest.mark.parametrize("delimiter", ["ab", '"', "\n", "ä", ""])
def test_a_delimiter_is_one_character(counter: Any, tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,n\nx,1\n")
    with pytest.raises(BadInput, match="delimiter"):
        read_table(counter, path, TableOptions(delimiter=delimiter))


def test_a_file_that_is_not_there(counter: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_table(counter, tmp_path / "no.csv")
    with pytest.raises(BadFile):
        read_table(counter, tmp_path)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"a": ["x", None], "n": [1, 2]}, "row 2: no category of 'a'"),
        ({"a": ["x", "y"], "n": [1, None]}, "row 2: no count"),
        ({"a": ["x", "y"], "n": [1, -2]}, "row 2: a negative count"),
        ({"a": ["x", "y"], "n": [1.0, 2.5]}, "row 2: a count that is no whole number"),
        ({"a": ["x", "x"], "n": [1, 2]}, "row 2: the same categories"),
        ({"a": [[1], [2]], "n": [1, 2]}, "column 'a' holds neither text nor numbers"),
    ],
)
def test_a_bad_parquet_file_names_the_row(counter: Any, tmp_path: Path, columns: dict[str, Any], reason: str) -> None:
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    with pytest.raises(BadFile) as caught:
        read_table(counter, tmp_path / "t.parquet")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_in_parquet_is_utf8(counter: Any, tmp_path: Path) -> None:
    latin = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xdf"]).buffers())
    pq.write_table(pa.table({"a": latin, "n": [1]}), tmp_path / "t.parquet")
    with pytest.raises(BadFile, match="UTF-8"):
        read_table(counter, tmp_path / "t.parquet")


def test_after_a_refusal_the_database_goes_on(counter: Any, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.csv", tmp_path / "good.csv"
    bad.write_text("a,n\nx,-1\n")
    good.write_text("a,n\nx,1\n")
    with pytest.raises(BadFile):
        read_table(counter, bad)
    assert read_table(counter, good).table.total == 1
