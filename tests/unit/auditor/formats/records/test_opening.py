from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import AuditorError, BadFile, BadInput, NotFound
from auditor.core.zstd import zstd
from auditor.formats.records import open_records
from auditor.formats.records.exposed import exposed_classes
from auditor.formats.records.opening import OpenRecords
from auditor.formats.source import unpacking_at_most
from graphkit.microdata.risk.classes import equivalence_classes
from graphkit.microdata.risk.coded import CodedRecords

SETTINGS = EdgeTableSettings(threads=1)
TEXT = b"age,sex,wage\n41,f,3.5\n35,m,\n41,f,2\n"


def read(path: Path, *columns: str, numbers: tuple[str, ...] = ()) -> tuple[OpenRecords, CodedRecords]:
    with open_records(path, SETTINGS) as opened:
        return opened, opened.read(columns, numbers)


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("r.csv", bytes),
        ("r.csv.gz", gzip.compress),
        ("r.bz2", bz2.compress),
        ("r.zst", zstd.compress),
        ("r.tsv", lambda text: text.replace(b",", b"\t")),
        ("semicolons.csv", lambda text: text.replace(b",", b";")),
        ("windows.csv", lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")),
    ],
)
def test_text_is_read_whatever_it_is_packed_with(tmp_path: Path, name: str, pack: object) -> None:
    path = tmp_path / name
    path.write_bytes(pack(TEXT))  # type: ignore[operator]
    opened, records = read(path, "age", "sex", "wage")
    assert [(column.name, column.type) for column in opened.columns] == [
        ("age", "BIGINT"), ("sex", "VARCHAR"), ("wage", "DOUBLE"),
    ]  # fmt: skip
    assert (records.n, opened.rows, opened.format) == (3, 3, "text")
    assert records.columns["age"].codes.tolist() == [1, 0, 1]
    assert records.columns["wage"].codes.tolist() == [1, 2, 0]
    assert records.columns["wage"].has_missing
    assert sorted(os.listdir(tmp_path)) == [name]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_parquet_is_read(tmp_path: Path, pack: object) -> None:
    table = pa.table(
        {"a'b": pa.array(["x", "y", None]).dictionary_encode(), "w": pa.array([1, 2, 3], pa.decimal128(5, 2))}
    )
    pq.write_table(table, tmp_path / "plain.parquet")
    path = tmp_path / "r.parquet"
    path.write_bytes(pack((tmp_path / "plain.parquet").read_bytes()))  # type: ignore[operator]
    opened, records = read(path, "a'b", numbers=("w",))
    assert opened.format == "parquet"
    assert records.columns["a'b"].size == 3
    assert records.numbers["w"].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(("suffix", "format"), [(".dta", "stata"), (".sav", "spss")])
def test_files_of_stata_and_spss_are_read(tmp_path: Path, suffix: str, format: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [41.0, 35.0, 41.0], "sex": ["f", "m", "f"]})
    path = tmp_path / f"r{suffix}"
    (pyreadstat.write_dta if suffix == ".dta" else pyreadstat.write_sav)(frame, str(path))
    opened, records = read(path, "age", "sex")
    assert opened.format == format
    assert records.columns["age"].codes.tolist() == [1, 0, 1]
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(BadFile, match="cannot be read as a file of"):
        read(path, "age")


@pytest.mark.parametrize(
    ("early", "late", "type"),
    [
        ("1000", "1006.6", "DOUBLE"),
        ("1000", "2.5e0", "DOUBLE"),
        ("1000", "01006", "VARCHAR"),
        ("1.5", "007", "VARCHAR"),
        ("true", "1", "VARCHAR"),
        ("2020-01-01", "2020-01-01 10:00:00", "TIMESTAMP"),
        ("10:00:00", "2020-01-01 10:00:00", "VARCHAR"),
    ],
)
def test_a_late_value_that_the_type_of_the_first_rows_would_change_is_kept(
    tmp_path: Path, early: str, late: str, type: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b\n" + f"{early},x\n" * 60_000 + f"{late},x\n")
    opened, records = read(path, "a")
    assert opened.named("a").type == type
    assert (records.n, records.columns["a"].size) == (60_001, 2)


@pytest.mark.parametrize(
    "values",
    [
        [str(2**63 + step) for step in range(4)],
        [str(-(2**64) - step) for step in range(4)],
        ["1.5", str(2**53), str(2**53 + 1), "2"],
        [str(10**40 + step) for step in range(4)],
        ["-01", "-1", "16", "0x10"],
    ],
)
def test_codes_that_a_number_would_merge_are_text(tmp_path: Path, values: list[str]) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b\n" + "".join(f"{value},x\n" for value in values))
    opened, records = read(path, "a")
    assert (opened.named("a").type, records.columns["a"].size) == ("VARCHAR", len(values))


def test_whole_numbers_that_a_decimal_holds_exactly_stay_numbers(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"a,b\n{2**60},0.5\n{2**70},1\n-0.0,0\n,1e3\n")
    opened, _ = read(path, "a")
    assert [column.type for column in opened.columns] == ["DOUBLE", "DOUBLE"]


def test_a_type_that_a_late_row_contradicts_is_that_of_all_rows(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"a,w\n" + b"1,2\n" * 30_000 + b"none,3\n")
    opened, records = read(path, "a", numbers=("w",))
    assert opened.named("a").type == "VARCHAR"
    assert (records.n, records.columns["a"].size) == (30_001, 2)
    path.write_bytes(b"a,w\n" + b"1,2\n" * 30_000 + b"1,secret\n")
    with pytest.raises(BadFile, match="'w' holds something else than numbers") as raised:
        read(path, "a", numbers=("w",))
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "only blank lines"),
        (b"a,b\n", "has no records below its header"),
        (b"1,2\n3,4\n", "has numbers where the names"),
        (b"a,\n1,2\n", "no name for column 2"),
        (b"a,b,A\n1,2,3\n", "names column 'a' more than once"),
        (b"a,b\n1,Mildred,2\n", "line 2: the line has another number of columns"),
        (b"a,b,c\n1,Mildred\n", "line 2: the line has another number of columns"),
        (b"a,b\n1,2\n3,Mildred,5\n", "line 3: the line has another number of columns"),
        (b"a,b\n" + b"1,2\n" * 30_000 + b"3,Mildred,5\n", "line 30002: the line has another number of columns"),
        (b'a,b\n1,2\n"Mildred,4\n', "line 3: the line has a quotation mark that is not closed"),
        (b"a,b\n1,Mildr\xe9d\n", "line 2: the text is not UTF-8"),
        (b"a,gr\xf6\xdfe\n1,2\n", "line 1: the text is not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16"),
        (b"a,b\n1,\0Mildred\n", "neither text nor a Parquet file"),
        (b"PAR1 Mildred", "cannot be read as records"),
        (gzip.compress(TEXT, mtime=0)[:-9], "truncated"),
    ],
)
def test_bad_files_get_one_line_without_a_value(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=said) as raised:
        read(path, "a")
    message = str(raised.value)
    assert "Mildr" not in message
    assert "\n" not in message
    assert message.startswith(str(path))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read(tmp_path / "no.csv")
    with pytest.raises(BadFile, match="directory"):
        read(tmp_path)
    path = tmp_path / "r[1].csv"
    path.write_bytes(TEXT)
    with pytest.raises(BadInput, match="pattern"):
        read(path)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(TEXT * 10_000))
    with unpacking_at_most(1000), pytest.raises(BadFile, match="too much"):
        read(path)


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(TEXT)
    with open_records(path, SETTINGS) as opened:
        path.write_bytes(TEXT + b"1,f,1\n")
        with pytest.raises(BadFile, match="changed while it was read"):
            opened.read(["age"])


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(TEXT)
    with open_records(path, SETTINGS) as opened, pytest.raises(AuditorError, match="has no column 'w'; it has 'age', "):
        opened.read((), ("w",))


def test_exposed_classes_are_those_that_the_figures_count(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    ages = pa.array([1.5, float("nan"), None, 1.5, 2.5, 1.5], pa.float32())
    pq.write_table(pa.table({"age": ages, "sex": ["f", "f", "f", "f", "m", "f"]}), path)
    with open_records(path, SETTINGS) as opened:
        found = exposed_classes(opened, ["age", "sex"], 3, 10)
        classes = equivalence_classes(opened.read(["age", "sex"]), ["age", "sex"])
    assert [(one.values, one.records) for one in found] == [(("2.5", "m"), 1), ((None, "f"), 2)]
    assert classes.risk(3).classes_below_k == len(found)


def test_dates_that_are_written_otherwise_are_dates(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"d,t\n31/12/2020,2020-01-01 10:00:00\n01/02/2021,\n01/02/2021,2020-01-02 10:00:00\n")
    opened, records = read(path, "d", "t")
    assert [column.type for column in opened.columns] == ["DATE", "TIMESTAMP"]
    assert records.columns["d"].codes.tolist() == [0, 1, 1]
    assert records.columns["t"].codes.tolist() == [0, 2, 1]


def test_the_order_of_the_records_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"w": pa.array(range(400_000), pa.float64())}), path, row_group_size=10_000)
    with open_records(path, EdgeTableSettings(threads=4)) as opened:
        assert opened.read((), ("w",)).numbers["w"].tolist() == list(range(400_000))
