"""Parquet edge tables are read in bounded memory, and what is none is refused in one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.config import EdgeTableSettings, load_settings
from auditor.core.errors import AuditorError, BadFile, BadInput, NotDelivered, NotFound, PolicyError, RoomExhausted
from auditor.formats.edge_tables import open_database, read_edge_table
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.edge_tables.reading import source_files
from auditor.formats.memory import half_of_memory
from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import Layout
from auditor.formats.networks.remarks import summary_of
from graphkit.networks.graphs.graph import DroppedEdges
from tests.support.edge_tables import edges_of


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Any]:
    """An open database with little memory; its temporary folder is gone afterwards."""
    with open_database(EdgeTableSettings(memory="64m", threads=1), tmp_path) as opened:
        yield opened
    assert list(tmp_path.glob(".auditor-*")) == []


def write(path: Path, **columns: list[Any]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_ends_are_found_by_their_names_and_other_columns_dropped(connection: Any, tmp_path: Path) -> None:
    file = write(tmp_path / "t.parquet", weight=[1.0, 2.0, 3.0], target=[5, 5, 5], source=[4, 4, 5])
    loaded = read_edge_table(connection, file)
    assert (loaded.graph.vertex_count, loaded.graph.edge_count) == (2, 1)
    assert loaded.notes.layout == Layout(("source", "target"))
    assert (loaded.notes.dropped, loaded.notes.dropped_columns) == (DroppedEdges(1, 1, 0), ("weight",))


@pytest.mark.parametrize("ids", [[0, 1, 2, 3, 4], [10, 20, 30, 40, 50], ["a", "b", "c", "d", "e"]])
def test_a_table_is_understood_as_without_the_database(connection: Any, tmp_path: Path, ids: list[Any]) -> None:
    rows = [(0, 1), (1, 0), (1, 0), (2, 2), (2, 0), (2, 0), (3, 3), (3, 3), (1, 4), (4, 1), (0, 4)]
    file = write(tmp_path / "t.parquet", a=[ids[one] for one, _ in rows], b=[ids[other] for _, other in rows])
    loaded = read_edge_table(connection, file)
    assert loaded.summary(loaded.graph.view()) == summary_of(read_network(file))
    assert loaded.notes.dropped == DroppedEdges(loops=3, duplicates=2, reversed=2)


@pytest.mark.parametrize("vertices", [None, "id\n", "id,name\n"])
def test_a_table_without_a_vertex_is_refused_as_without_the_database(
    connection: Any, tmp_path: Path, vertices: str | None
) -> None:
    nothing = pa.array([], type=pa.int64())
    file = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": nothing, "b": nothing}), file)
    if vertices is not None:
        (tmp_path / "t.vertices.csv").write_text(vertices)
    with pytest.raises(BadFile, match=r"t\.parquet holds no vertex and no edge"):
        read_network(file)
    with pytest.raises(BadFile, match=r"t\.parquet holds no vertex and no edge"):
        read_edge_table(connection, file)


def test_a_table_of_text_without_a_vertex_is_refused(connection: Any, tmp_path: Path) -> None:
    nothing = pa.array([], type=pa.string())
    pq.write_table(pa.table({"a": nothing, "b": nothing}), tmp_path / "t.parquet")
    with pytest.raises(BadFile, match="holds no vertex and no edge"):
        read_edge_table(connection, tmp_path / "t.parquet")


def test_the_parts_in_a_folder_are_one_table(connection: Any, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    write(parts / "part-0.parquet", a=[0], b=[1])
    write(parts / "part-1.parquet", a=[1], b=[2])
    (parts / "_SUCCESS").touch()
    graph = read_edge_table(connection, parts).graph
    assert edges_of(connection, graph.edges) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("named", [True, False])
def test_a_vertex_file_lists_vertices_without_edges(connection: Any, tmp_path: Path, named: bool) -> None:
    file = write(tmp_path / "t.parquet", a=[10], b=[9])
    companion = tmp_path / ("other.csv" if named else "t.vertices.csv")
    companion.write_text('"id","name"\n"9","x"\n"10","y"\n"11","z"\n')
    loaded = read_edge_table(connection, file, companion if named else None)
    assert loaded.graph.view().block_sequence().tolist() == [1, 2]
    assert loaded.notes.remarks == (f"vertices were read from {companion.name}",)
    ids = loaded.graph.ids
    assert ids is not None
    assert edges_of(connection, ids.select("vertex", "id")) == [(0, 9), (1, 10), (2, 11)]


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("t.parquet", b"not parquet at all", BadFile, "cannot be read as a Parquet edge table"),
        ("t.parquet", b"PAR1" + bytes(40) + b"PAR1", BadFile, "cannot be read as a Parquet edge table"),
        ("t.csv", b"a,b\n0,1\n", BadInput, "is not a Parquet file"),
        ("t*.parquet", b"", BadInput, "pattern"),
    ],
)
def test_a_file_that_is_none_is_refused(
    connection: Any, tmp_path: Path, name: str, content: bytes, error: type[Exception], message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=message):
        read_edge_table(connection, tmp_path / name)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1]}, "two columns"),
        ({"a": [1, None], "b": [2, 3]}, "an id is missing in 1 row;"),
        ({"a": [1.5], "b": [2.5]}, "integers or text"),
    ],
)
def test_a_table_without_ids_is_refused_by_its_name(
    connection: Any, tmp_path: Path, columns: dict[str, list[Any]], message: str
) -> None:
    file = write(tmp_path / "t.parquet", **columns)
    with pytest.raises(BadFile, match=f"t.parquet.*{message}"):
        read_edge_table(connection, file)


def test_an_unlisted_vertex_is_counted_not_named(connection: Any, tmp_path: Path) -> None:
    file = write(tmp_path / "t.parquet", a=["somebody"], b=["else"])
    (tmp_path / "t.vertices.csv").write_text("id\nelse\n")
    with pytest.raises(BadFile, match="1 vertex that is not listed") as raised:
        read_edge_table(connection, file)
    assert "somebody" not in str(raised.value)


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        source_files(tmp_path / "t.parquet")
    with pytest.raises(NotFound, match="no Parquet file"):
        source_files(tmp_path)
    file = write(tmp_path / "t.parquet", a=[0], b=[1])
    with pytest.raises(NotFound):
        source_files(file, tmp_path / "missing.csv")


def test_the_database_keeps_to_its_limits_and_fetches_nothing(tmp_path: Path) -> None:
    with open_database(EdgeTableSettings(memory="100m", threads=1), tmp_path) as connection:
        wanted = ["memory_limit", "threads", "autoinstall_known_extensions", "autoload_known_extensions"]
        found = [connection.raw_sql(f"SELECT current_setting('{name}')").fetchone()[0] for name in wanted]
        (folder,) = connection.raw_sql("SELECT current_setting('temp_directory')").fetchone()
        assert found == ["100.0 MiB", 1, False, False]
        assert Path(folder).is_relative_to(tmp_path)
        assert Path(folder).parent.stat().st_mode & 0o077 == 0


def test_half_of_the_memory_is_the_default() -> None:
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < half_of_memory() <= physical // 2


def test_errors_of_the_database_are_told_without_its_words(tmp_path: Path) -> None:
    import duckdb

    secret = "value 4711"
    for error, options, expected in [
        (duckdb.OutOfMemoryException(secret), {}, RoomExhausted),
        (duckdb.IOException(secret), {"writing": tmp_path}, NotDelivered),
        (duckdb.IOException(secret), {"reading": tmp_path}, BadFile),
        (duckdb.ConversionException(secret), {"reading": tmp_path}, BadFile),
        (duckdb.InternalException(secret), {}, AuditorError),
    ]:
        with pytest.raises(expected) as raised, translated_errors(**options):  # type: ignore[arg-type]
            raise error
        assert secret not in str(raised.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("AUDITOR_EDGE_TABLE_MEMORY", "much"),
        ("AUDITOR_EDGE_TABLE_THREADS", "0"),
        ("AUDITOR_EDGE_TABLE_FOLDER", "/does/not/exist"),
    ],
)
def test_settings_that_do_not_fit_are_refused(variable: str, value: str) -> None:
    with pytest.raises(PolicyError, match=variable):
        load_settings(environ={"HOME": "/home/ada", variable: value})


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    environ = {
        "HOME": "/home/ada",
        "AUDITOR_EDGE_TABLE_MEMORY": "2g",
        "AUDITOR_EDGE_TABLE_THREADS": "3",
        "AUDITOR_EDGE_TABLE_FOLDER": str(tmp_path),
    }
    settings = load_settings(environ=environ).edge_table
    assert (settings.memory_bytes, settings.threads, settings.folder) == (2 << 30, 3, tmp_path)


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), SystemExit(143)])
def test_a_signal_within_a_query_ends_the_command_as_elsewhere(raised: BaseException) -> None:
    with pytest.raises(type(raised)), translated_errors():
        raise RuntimeError("Query interrupted") from raised


def test_other_errors_pass_through() -> None:
    with pytest.raises(RuntimeError, match="ours"), translated_errors():
        raise RuntimeError("ours")
