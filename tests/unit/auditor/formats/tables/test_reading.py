"""Tables from files: what is in the file is in the table, whatever it is written in."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.core.errors import BadInput
from auditor.core.zstd import zstd
from auditor.formats.tables import LoadedTable, TableOptions, counting, preparing, read_table
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

SMOKING = "age,smoking,count\n<3,no,2\n<3,yes,0\n≥3,no,7\n≥3,yes,1\n"


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def cells_of(table: ContingencyTable) -> dict[tuple[str, ...], int]:
    """The counts by the names of their categories."""
    names = [
        tuple(variable.categories[code] for variable, code in zip(table.variables, codes, strict=True))
        for codes in table.codes().T.tolist()
    ]
    return dict(zip(names, table.counts.tolist(), strict=True))


def test_a_file_of_counts(counter: Any, tmp_path: Path) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", SMOKING))
    assert loaded.table.variables == (Variable("age", ("<3", "≥3")), Variable("smoking", ("no", "yes")))
    assert loaded.table.dense().tolist() == [[2, 0], [7, 1]]
    assert loaded.table.cells.size == 3, "a count of 0 is known, and not stored"
    assert loaded.notes.remarks == ()


@pytest.mark.parametrize("name", ["count", "n", "freq", "Freq", "N"])
def test_the_column_of_counts_is_known_by_its_name(counter: Any, tmp_path: Path, name: str) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", f"{name},a\n3,x\n"))
    assert (loaded.table.names, loaded.table.total) == (("a",), 3)


@pytest.mark.parametrize(
    ("other", "count"), [("N", "count"), ("n", "Count"), ("freq", "simulated_count"), ("n", "COUNT")]
)
def test_a_column_n_beside_the_counts_is_a_variable(counter: Any, tmp_path: Path, other: str, count: str) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", f"a,{other},{count}\nx,1,3\nx,2,4\n"))
    assert (loaded.table.names, loaded.table.total) == (("a", other), 7)
    said = "say --count COLUMN, or call it count and no other column so"
    assert f"column {other} was read as a variable; if it holds counts, {said}" in loaded.notes.remarks


def test_any_column_may_hold_the_counts(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,people,n\nx,3,1\nx,4,2\n")
    loaded = read_table(counter, path, TableOptions(count="people"))
    assert loaded.table.names == ("a", "n")
    assert cells_of(loaded.table) == {("x", "1"): 3, ("x", "2"): 4}


def test_records_are_counted(counter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("f", "yes"), ("m", "no"), ("f", "yes"), ("f", "no")] * 5
    path = written(tmp_path / "t.csv", "sex,ill\n" + "".join(f"{a},{b}\n" for a, b in rows))
    loaded = read_table(counter, path, TableOptions(records=True))
    assert cells_of(loaded.table) == dict(Counter(rows))


def test_records_with_counts_are_said(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "sex,n\nf,2\n")
    loaded = read_table(counter, path, TableOptions(records=True))
    assert loaded.table.names == ("sex", "n")
    said = "leave out --records (on the page: 'a cell, with its count')"
    assert loaded.notes.remarks == (f"column n was read as a variable; if it holds counts, {said}",)
    chosen = read_table(counter, path, TableOptions(records=True, variables=("sex",)))
    assert chosen.notes.remarks == ()


def test_some_columns_in_another_order(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,a,b\n1,x,u\n2,x,v\n3,y,v\n")
    loaded = read_table(counter, path, TableOptions(records=True, variables=("b", "a")))
    assert loaded.table.names == ("b", "a")
    assert cells_of(loaded.table) == {("u", "x"): 1, ("v", "x"): 1, ("v", "y"): 1}


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (["10", "9", "-1", "9.5"], ("-1", "9", "9.5", "10")),
        (["b", "a", "10"], ("b", "a", "10")),
        (["1e3", "20"], ("20", "1e3")),
        (["2", "1", "<1", ">2"], ("<1", "1", "2", ">2")),
        (["60+", "20-39", "not known", "0-19", "100+"], ("0-19", "20-39", "60+", "100+", "not known")),
        (["60+", "?", "20-39", "not known"], ("60+", "?", "20-39", "not known")),
        (["2nd", "10th", "1st"], ("1st", "2nd", "10th")),
        (["2024-10", "2024-9", "2023-11"], ("2023-11", "2024-9", "2024-10")),
        ([" b ", "a"], ("b", "a")),
    ],
)
def test_categories_are_in_order(counter: Any, tmp_path: Path, values: list[str], categories: tuple[str, ...]) -> None:
    path = written(tmp_path / "t.csv", "a,n\n" + "".join(f"{value},1\n" for value in values))
    assert read_table(counter, path).table.variables[0].categories == categories


def test_repeated_cells_are_added_up_where_that_is_said(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,b,n\nx,1,3\ny,1,1\nx,2,4\n")
    loaded = read_table(counter, path, TableOptions(variables=("a",), sum=True))
    assert cells_of(loaded.table) == {("x",): 7, ("y",): 1}


def test_missing_categories_get_a_name(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,n\n,1\n  ,2\nunknown,4\nx,8\n")
    loaded = read_table(counter, path, TableOptions(missing="unknown", sum=True))
    assert cells_of(loaded.table) == {("unknown",): 7, ("x",): 8}


def test_names_of_rows_are_left_out(counter: Any, tmp_path: Path) -> None:
    for first in ("", '""', "rownames"):
        loaded = read_table(counter, written(tmp_path / "t.csv", f"{first},sex,Freq\n1,f,3\n2,m,4\n"))
        assert loaded.table.names == ("sex",)
        assert len(loaded.notes.remarks) == 1


@pytest.mark.parametrize(
    "text",
    [
        SMOKING,
        SMOKING.replace(",", ";"),
        SMOKING.replace(",", "\t"),
        SMOKING.replace(",", "|"),
        SMOKING.replace("\n", "\r\n"),
        "\ufeff" + SMOKING,
        "\n" + SMOKING.replace("\n≥3,no", "\n\n≥3,no"),
        SMOKING.rstrip("\n"),
        SMOKING.replace(",2", ",2.0").replace(",7", ", +7"),
        "".join(f'"{line.replace(",", chr(34) + "," + chr(34))}"\n' for line in SMOKING.splitlines()),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_the_way_it_is_written_changes_nothing(counter: Any, tmp_path: Path, text: str, pack: Any) -> None:
    # the name of the file says nothing about its compression, or about its delimiter
    loaded = read_table(counter, written(tmp_path / "t.csv", pack(text.encode())))
    plain = read_table(counter, written(tmp_path / "u.csv", SMOKING))
    assert loaded.table.variables == plain.table.variables
    assert loaded.checksum == plain.checksum


def test_one_variable_with_one_category_is_a_table(counter: Any, tmp_path: Path) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", "sex,n\nf,3\n"))
    assert (loaded.table.shape, loaded.table.total) == ((1,), 3)


def test_a_file_of_one_column_holds_records(counter: Any, tmp_path: Path) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", "my sex\nf\nm\nf\n"), TableOptions(records=True))
    assert cells_of(loaded.table) == {("f",): 2, ("m",): 1}


def test_rows_of_several_batches_are_numbered_on(counter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.formats.tables import parquet

    monkeypatch.setattr(parquet, "_ROWS", 3)
    rows = [str(number % 7) for number in range(20)]
    pq.write_table(pa.table({"a": rows}), tmp_path / "t.parquet")
    loaded = read_table(counter, tmp_path / "t.parquet", TableOptions(records=True))
    assert cells_of(loaded.table) == {(key,): value for key, value in Counter(rows).items()}


@pytest.mark.parametrize(
    ("column", "categories"),
    [
        (pa.array([3, 1, 2]), ("1", "2", "3")),
        (pa.array([3.0, 1.0, 2.0]), ("1", "2", "3")),
        (pa.array([0.5, 1.0, 0.25]), ("0.25", "0.5", "1")),
        (pa.array([True, False, True]), ("true", "false")),
        (pa.array(["b", "a", "b"]).dictionary_encode(), ("b", "a")),
        (pa.array(["b", "a", "c"], pa.large_string()), ("b", "a", "c")),
        (pa.array([1, 2, 3], pa.date32()), ("1970-01-02", "1970-01-03", "1970-01-04")),
        (pa.array([None, 1.0, 2.0]), ("1", "2", "unknown")),
        (pa.array([float("nan"), 1.0, 2.0]), ("1", "2", "unknown")),
        (pa.array([2**63, 1, 2], pa.uint64()), ("1", "2", str(2**63))),
    ],
)
def test_parquet_columns_become_text(
    counter: Any, tmp_path: Path, column: pa.Array, categories: tuple[str, ...]
) -> None:
    pq.write_table(pa.table({"a": column, "n": pa.array([1, 1, 1])}), tmp_path / "t[1].parquet")
    loaded = read_table(counter, tmp_path / "t[1].parquet", TableOptions(missing="unknown", sum=True))
    assert loaded.table.variables[0].categories == categories


@pytest.mark.parametrize("kind", [pa.int32(), pa.float64(), pa.string(), pa.decimal128(25, 2), pa.uint64()])
def test_parquet_counts_may_be_of_any_kind(counter: Any, tmp_path: Path, kind: pa.DataType) -> None:
    counts = pa.array([3, 4]).cast(kind)
    pq.write_table(pa.table({"a": ["x", "y"], "n": counts}), tmp_path / "t.parquet")
    assert read_table(counter, tmp_path / "t.parquet").table.counts.tolist() == [3, 4]


def test_the_database_forgets_the_rows(counter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_FEW", 0)
    before = counter.sql("SHOW ALL TABLES").fetchall()
    read_table(counter, written(tmp_path / "t.csv", SMOKING))
    assert counter.sql("SHOW ALL TABLES").fetchall() == before


@pytest.mark.parametrize("options", [TableOptions(records=True), TableOptions(sum=True)])
def test_few_rows_are_counted_as_the_database_counts_them(
    counter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: TableOptions
) -> None:
    rng = np.random.default_rng(2)
    lines = [f"{'xyz'[a]},{'uv'[b]},{c}" for a, b, c in zip(*rng.integers(0, [[3], [2], [9]], (3, 400)), strict=True)]
    path = written(tmp_path / "t.csv", "\n".join(["a,b,count", *lines, ""]))
    few = read_table(counter, path, options).table
    monkeypatch.setattr(counting, "_FEW", 0)
    many = read_table(counter, path, options).table
    assert few.variables == many.variables
    assert np.array_equal(few.cells, many.cells)
    assert np.array_equal(few.counts, many.counts)


def test_the_rows_of_a_file_are_streamed(counter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.formats import text_table

    monkeypatch.setattr(text_table, "_BLOCK", 1 << 14)
    monkeypatch.setattr(counting, "_FEW", 0)
    sizes: list[int] = []
    prepared = preparing.prepared_batches

    def watched(*arguments: Any) -> Any:
        for batch in prepared(*arguments):
            sizes.append(batch.num_rows)
            yield batch

    monkeypatch.setattr("auditor.formats.tables.reading.prepared_batches", watched)
    path = written(tmp_path / "t.csv", "a\n" + "yes\nno\n" * 30_000)
    assert read_table(counter, path, TableOptions(records=True)).table.counts.tolist() == [30_000, 30_000]
    assert len(sizes) > 10


names = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=6).filter(
    lambda text: text == text.strip() and text.isprintable() and text.lower() not in ("n", "rownames")
)


@st.composite
def tables(draw: st.DrawFn) -> ContingencyTable:
    labels = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    variables = tuple(
        Variable(label, tuple(draw(st.lists(names, min_size=1, max_size=3, unique=True)))) for label in labels
    )
    shape = tuple(variable.size for variable in variables)
    counts = draw(st.lists(st.integers(0, 5), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    counts[draw(st.integers(0, len(counts) - 1))] = draw(st.integers(1, 2**50))
    return ContingencyTable.from_dense(np.array(counts).reshape(shape), variables)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables(), data=st.data())
def test_what_was_written_is_read(counter: Any, tmp_path: Path, table: ContingencyTable, data: st.DataObject) -> None:
    rows = [
        (*cell, count)
        for cell, count in zip(
            itertools.product(*(variable.categories for variable in table.variables)),
            table.dense().reshape(-1).tolist(),
            strict=True,
        )
    ]
    text = io.StringIO()
    delimiter = data.draw(st.sampled_from(",;\t"))
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([(*table.names, "n"), *data.draw(st.permutations(rows))])
    path = written(tmp_path / "t.csv", text.getvalue())
    loaded = read_table(counter, path, TableOptions(count="n", delimiter=delimiter))
    assert loaded.table.names == table.names
    assert cells_of(loaded.table) == cells_of(table)
    assert [set(variable.categories) for variable in loaded.table.variables] == [
        set(variable.categories) for variable in table.variables
    ]
    assert loaded.checksum == LoadedTable(table).checksum


def test_categories_are_in_the_order_that_is_said(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "risk,n\nhigh,1\nunknown,2\nlow,3\nmedium,4\n")
    found = read_table(counter, path, TableOptions(order=(("risk=low", "medium", "high"),)))
    assert found.table.variables[0].categories == ("low", "medium", "high", "unknown")
    assert found.table.dense().tolist() == [3, 4, 1, 2]
    with pytest.raises(BadInput, match="'risk' has no category 'middle'"):
        read_table(counter, path, TableOptions(order=(("risk=low", "middle"),)))
    with pytest.raises(BadInput, match="there is no variable 'danger'; the table has risk"):
        read_table(counter, path, TableOptions(order=(("danger=low", "high"),)))


def test_names_with_equals_signs_are_ordered(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "=risk,a=b,a,n\nhigh,x,y,1\nlow,y=z,x,2\n")
    order = (("=risk=low", "high"), ("a=b=y=z", "x"), ("a=x", "y"))
    found = read_table(counter, path, TableOptions(order=order)).table
    assert [variable.categories for variable in found.variables] == [("low", "high"), ("y=z", "x"), ("x", "y")]
    with pytest.raises(BadInput, match="there is no variable 'rsk'; did you mean '=risk'"):
        read_table(counter, path, TableOptions(order=(("rsk=low", "high"),)))
    for twice in ((("=risk=low", "low"),), (("=risk=low", "high"), ("=risk=high", "low"))):
        with pytest.raises(BadInput, match="twice"):
            read_table(counter, path, TableOptions(order=twice))


def test_counts_of_a_simulated_table_are_read_and_said(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,simulated_count\nx,3\ny,4\n")
    loaded = read_table(counter, path)
    assert cells_of(loaded.table) == {("x",): 3, ("y",): 4}
    assert len(loaded.notes.remarks) == 1
    # not where the file is: who uploads it is told as well
    assert loaded.notes.remarks[0].startswith("t.csv holds the counts of a simulated table")
    assert read_table(counter, path, TableOptions(count="simulated_count")).notes == loaded.notes


def test_records_that_are_numbered_are_said(counter: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "id,sex\n" + "".join(f"{i},{'fm'[i % 2]}\n" for i in range(10)))
    said = "column 'id' has another category in (nearly) every row; leave it out (of the file, or with --variables)"
    assert read_table(counter, path, TableOptions(records=True)).notes.remarks == (said,)
    assert read_table(counter, path, TableOptions(records=True, variables=("id",))).notes.remarks == ()
    counts = written(tmp_path / "counts.csv", "age,n\n" + "".join(f"{i},1\n" for i in range(10)))
    assert read_table(counter, counts).notes.remarks == ()


CLINIC = "district,sex,patients\nN,f,5\nN,m,6\nS,f,7\nS,m,2\nW,f,1\nW,m,9\n"


def test_a_likely_name_of_counts_is_taken_where_no_other_is_one_and_said(counter: Any, tmp_path: Path) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", CLINIC))
    assert (loaded.table.names, loaded.table.total) == (("district", "sex"), 30)
    assert ["column patients was read as the counts" in remark for remark in loaded.notes.remarks] == [True]
    both = read_table(counter, written(tmp_path / "b.csv", "patients,n\n1,3\n2,4\n"))
    assert (both.table.names, both.notes.remarks) == (("patients",), ())


@pytest.mark.parametrize("name", ["patients", "weight"])
def test_counts_that_are_read_as_records_are_remarked_on(counter: Any, tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "t.csv", CLINIC.replace("patients", name))
    loaded = read_table(counter, path, TableOptions(records=True))
    (remark,) = loaded.notes.remarks
    assert name in remark
    assert "leave out --records" in remark
    assert "'a cell, with its count'" in remark
    # people who are seen twice, or who differ because of many columns, are no cells
    for people in (CLINIC + "W,m,3\n", "a,b,age\n1a,x,30\n2a,y,40\n3a,z,30\n1a,u,50\n2a,v,30\n"):
        told = read_table(
            counter, written(tmp_path / "p.csv", people.replace("patients", "age")), TableOptions(records=True)
        )
        assert not any("leave out --records" in remark for remark in told.notes.remarks)


@pytest.mark.parametrize(
    ("rows", "variables"),
    [
        ("N,f,3\nN,m,4\nS,f,2\nS,m,5\nTotal,Total,14\n", "district, sex:"),
        ("N,f,3\nS,f,2\nN,Alle Personen,3\nS,Alle Personen,2\n", "sex:"),
        ("N,f,3\nS,f,2\nO,f,4\nX,f,9\n", "district:"),
        ("N,f,3\nS,f,2\nX,f,5\n", None),
        ("N,f,3\nS,f,2\nTotal,m,6\n", None),
    ],
)
def test_rows_of_totals_are_remarked_on(counter: Any, tmp_path: Path, rows: str, variables: str | None) -> None:
    loaded = read_table(counter, written(tmp_path / "t.csv", f"district,sex,count\n{rows}"))
    found = [remark.partition(" one category")[0] for remark in loaded.notes.remarks]
    assert found == ([] if variables is None else [variables])
