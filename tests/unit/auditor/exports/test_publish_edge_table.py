"""A protected edge table appears complete and verified, under fresh ids, or not at all."""

from __future__ import annotations

import csv
import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import auditor.subjects.networks.exports.spark_edge_table as of_spark
from auditor.config import EdgeTableSettings
from auditor.core.digests import file_digest
from auditor.core.errors import AlreadyExists, BadInput, NotDelivered, VerificationFailed
from auditor.exports.destination import Destination
from auditor.exports.manifest import manifest_path
from auditor.exports.publishing import publish_release
from auditor.formats.edge_tables import open_database
from auditor.formats.networks import read_network
from auditor.subjects.networks.exports.edge_table import EdgeTableRelease, check_edge_table_destination
from auditor.subjects.networks.exports.spark_edge_table import SparkEdgeTableRelease
from graphkit.networks.driver import anonymize
from graphkit.networks.edge_table import EdgeTable, normalise
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.edge_tables import edge_table, edges_of

K = 4


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Any]:
    """An open database."""
    with open_database(EdgeTableSettings(memory="64m", threads=1), tmp_path) as opened:
        yield opened


@pytest.fixture(params=[EdgeTableRelease, SparkEdgeTableRelease], ids=["by the database", "here"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[EdgeTableRelease]:
    """Both ways of writing and verifying; in the one of Spark, DuckDB gives the edges."""

    def pieces(connection: Any, edges: Any, folder: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        rows = np.array(edges_of(connection, edges), dtype=np.int64).reshape(-1, 2)[::-1]
        for begin in range(0, len(rows), 16):
            yield rows[begin : begin + 16, 0], rows[begin : begin + 16, 1]

    monkeypatch.setattr(of_spark, "edges_of_spark", pieces)
    return request.param  # type: ignore[no-any-return]


def sample(connection: Any, n: int | None = 60) -> EdgeTable:
    """Ids are multiples of 7, or with a number of vertices 0 to n-1, some of them without edges."""
    edges = np.random.default_rng(8).integers(0, 40, (90, 2))
    return normalise(connection, edge_table(connection, edges if n else 7 * edges), n)


def published(
    graph: EdgeTable, path: Path, way: type[EdgeTableRelease] = EdgeTableRelease, **options: Any
) -> tuple[Any, tuple[Path, ...], np.ndarray]:
    view = graph.view()
    answer = anonymize(view, K, seed=1)
    done = publish_release(way(graph, view, answer, Destination(path, **options)))
    return done.manifest, done.files, answer.edges


@pytest.mark.parametrize("n", [60, None], ids=["isolated vertices", "arbitrary ids"])
def test_what_appears_is_the_original_and_the_added_edges_under_the_key(
    connection: Any, tmp_path: Path, n: int | None, way: type[EdgeTableRelease]
) -> None:
    graph = sample(connection, n)
    key = tmp_path / "key.csv"
    manifest, files, added = published(graph, tmp_path / "out.parquet", way, key_file=key)
    names = ["out.parquet", *(["out.vertices.csv"] if n else []), "out.parquet.manifest.json"]
    assert [file.name for file in files] == names
    assert {file.name: file_digest(file) for file in files[:-1]} == manifest.files
    assert json.loads(manifest_path(files[0]).read_text()) == json.loads(manifest.text())
    released = read_network(files[0])
    assert released.graph.n == graph.vertex_count
    assert np.unique(released.graph.degrees(), return_counts=True)[1].min() >= K
    assert key.stat().st_mode & 0o777 == 0o600
    with key.open(newline="") as stream:
        ids = {int(row["original"]): int(row["published"]) for row in csv.DictReader(stream)}
    called = dict(edges_of(connection, graph.ids.select("vertex", "id"))) if graph.ids is not None else None
    moved = np.array([ids[v if called is None else called[v]] for v in range(graph.vertex_count)])
    assert sorted(moved.tolist()) == list(range(graph.vertex_count))
    whole = np.concatenate((np.array(edges_of(connection, graph.edges)), added))
    assert released.graph.edges.tolist() == SimpleGraph.from_edges(moved[whole], released.graph.n).edges.tolist()


def test_rows_are_in_the_order_of_the_fresh_ids_and_ids_differ_each_time(
    connection: Any, tmp_path: Path, way: type[EdgeTableRelease]
) -> None:
    graph = sample(connection)
    first = pq.read_table(published(graph, tmp_path / "a.parquet", way)[1][0])
    second = pq.read_table(published(graph, tmp_path / "b.parquet", way)[1][0])
    assert first.column_names == ["source", "target"]
    rows = list(zip(*(column.to_pylist() for column in first.columns), strict=True))
    assert rows == sorted(rows)
    assert first != second


def writing(way: type[EdgeTableRelease], changed: Callable[[np.ndarray], np.ndarray]) -> type[EdgeTableRelease]:
    """Return that way of writing with a fault."""

    class Faulty(way):  # type: ignore[misc, valid-type]
        def write_edges(self, path: Path) -> None:
            super().write_edges(path)
            rows = changed(np.column_stack([column.to_numpy() for column in pq.read_table(path).columns]))
            pq.write_table(pa.table({"source": rows[:, 0], "target": rows[:, 1]}), path)

    return Faulty


def test_nothing_appears_when_the_check_fails(connection: Any, tmp_path: Path, way: type[EdgeTableRelease]) -> None:
    before = set(tmp_path.iterdir())
    with pytest.raises(VerificationFailed, match="size"):
        published(
            sample(connection),
            tmp_path / "out.parquet",
            writing(way, lambda rows: rows[:-1]),
            key_file=tmp_path / "key.csv",
        )
    assert set(tmp_path.iterdir()) == before


def test_a_swapped_edge_is_found(connection: Any, tmp_path: Path, way: type[EdgeTableRelease]) -> None:
    with pytest.raises(VerificationFailed, match="contains the original"):
        published(sample(connection), tmp_path / "out.parquet", writing(way, _switched))


@pytest.mark.parametrize("edges", [True, False], ids=["edges", "no edges"])
def test_a_relabelling_that_is_not_one_to_one_is_found(
    connection: Any, tmp_path: Path, way: type[EdgeTableRelease], edges: bool
) -> None:
    class Merging(SparkEdgeTableRelease):
        def write_edges(self, path: Path) -> None:
            super().write_edges(path)
            self.published[0] = self.published[1]

    empty = normalise(connection, edge_table(connection, np.empty((0, 2), dtype=np.int64)), 8)
    with pytest.raises(VerificationFailed, match="contains the original"):
        published(sample(connection) if edges else empty, tmp_path / "out.parquet", Merging)


def _switched(pairs: np.ndarray) -> np.ndarray:
    """Two edges exchange ends many times: every degree stays, hardly an edge does."""
    present = {tuple(pair) for pair in pairs.tolist()}
    rng = np.random.default_rng(1)
    for _ in range(200):
        (a, b), (c, d) = (sorted(present)[i] for i in rng.choice(len(present), 2, replace=False))
        new = {(min(a, d), max(a, d)), (min(c, b), max(c, b))}
        if len({a, b, c, d}) == 4 and not new & present:
            present = (present - {(a, b), (c, d)}) | new
    return np.array(sorted(present))


def test_a_file_that_is_there_is_replaced_only_by_force(connection: Any, tmp_path: Path) -> None:
    graph = sample(connection)
    _, files, _ = published(graph, tmp_path / "out.parquet")
    digest = file_digest(files[0])
    with pytest.raises(AlreadyExists):
        published(graph, files[0])
    assert file_digest(files[0]) == digest
    # without isolated vertices the vertex file of the earlier release goes
    published(sample(connection, None), files[0], force=True)
    assert not (tmp_path / "out.vertices.csv").exists()
    assert read_network(files[0]).graph.n == sample(connection, None).vertex_count


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("out.csv", {}, "must be a Parquet file"),
        ("out.parquet.gz", {}, "must be a Parquet file"),
        ("out.csv", {"format": "parquet"}, "must be a Parquet file"),
        ("in.parquet", {"force": True}, "is part of the original"),
    ],
)
def test_other_destinations_are_refused(tmp_path: Path, name: str, options: dict[str, Any], message: str) -> None:
    (tmp_path / "in.parquet").touch()
    with pytest.raises(BadInput, match=message):
        check_edge_table_destination(Destination(tmp_path / name, **options), [tmp_path / "in.parquet"])


def test_a_disk_without_room_is_told(connection: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    class Full(EdgeTableRelease):
        def write_edges(self, path: Path) -> None:
            raise duckdb.IOException("No space left on device")

    with pytest.raises(NotDelivered, match="could not be written"):
        published(sample(connection), tmp_path / "out.parquet", Full)

    def full(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "canary")

    monkeypatch.setattr(of_spark, "write_edges", full)
    with pytest.raises(NotDelivered, match=r"out\.parquet could not be written: the disk is full"):
        published(sample(connection), tmp_path / "out.parquet", SparkEdgeTableRelease)
    assert not (tmp_path / "out.parquet").exists()
