"""Commands in Spark, on a cluster of two executors of this machine: what DuckDB answers, also when one is killed."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import auditor.formats.edge_tables.reading as edge_tables
import auditor.formats.spark.exchange as records
from auditor.config import SparkSettings
from auditor.formats.spark import open_spark
from auditor.subjects.networks.exports.edge_table import EdgeTableRelease
from benchmarks.executors import executors, kill_executor
from cli.app import run
from tests.support.spark import SharedSpark

pytestmark = pytest.mark.slow
SPARK = ["--engine", "spark", "--spark-master", "local-cluster[2,1,1024]"]


@pytest.fixture(scope="module")
def cluster(shared_spark: SharedSpark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session for all commands; what it takes to start is most of what they take."""
    shared_spark.close()
    with open_spark(SparkSettings(master=SPARK[-1]), tmp_path_factory.mktemp("spark")) as connection:
        yield connection
    assert executors() == []


@pytest.fixture
def one_session(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def opened(settings: SparkSettings, folder: Path, *, is_long: bool = False) -> Iterator[Any]:
        assert settings.master == SPARK[-1]
        yield cluster

    for module in (edge_tables, records):
        monkeypatch.setattr(module, "open_spark", opened)


def key_of(path: Path) -> dict[int, int]:
    """Originals by what they were published as."""
    with path.open(newline="") as stream:
        return {int(row["published"]): int(row["original"]) for row in csv.DictReader(stream)}


def test_edges_are_added_as_by_duckdb_though_an_executor_is_killed(
    one_session: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = 7 * np.random.default_rng(8).integers(0, 300, (900, 2))
    pq.write_table(pa.table({"a": ends[:, 0], "b": ends[:, 1]}), tmp_path / "ties.parquet")
    killed: list[int] = []
    write = EdgeTableRelease.write

    def losing_one(release: EdgeTableRelease, aside: Path) -> list[Path]:
        if release.graph.connection.name == "pyspark":
            # with it go tables that were kept, and files of exchanges
            killed.append(kill_executor())
        return write(release, aside)

    monkeypatch.setattr(EdgeTableRelease, "write", losing_one)

    def released(name: str, *options: str) -> set[tuple[int, ...]]:
        out, key = tmp_path / f"{name}.parquet", tmp_path / f"{name}.csv"
        command = ["network", "anonymize", tmp_path / "ties.parquet", "--edge-table", "--k", "9", "--effort", "1"]
        command += ["--seed", "3"]
        assert run([*map(str, command), "--out", str(out), "--key-file", str(key), *options]) == 0
        original = key_of(key)
        rows = zip(*(column.to_pylist() for column in pq.read_table(out).columns), strict=True)
        return {tuple(sorted(map(original.__getitem__, pair))) for pair in rows}

    by_duckdb = released("duckdb")
    assert (
        released("spark", *SPARK) == by_duckdb > {tuple(sorted(pair)) for pair in ends.tolist() if pair[0] != pair[1]}
    )
    assert len(killed) == 1


def test_records_are_protected_as_by_duckdb(
    one_session: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(3)
    rows = np.column_stack((rng.integers(18, 80, 400), rng.normal(50, 9, 400).round(3), rng.integers(0, 5, 400)))
    file = tmp_path / "people.csv"
    file.write_text("age,income,place\n" + "".join(f"{a:g},{b},p{c:g}\n" for a, b, c in rows.tolist()))

    def answer(*command: object) -> dict[str, Any]:
        assert run(["--json", "microdata", *map(str, command)]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    def grouped(name: str, *options: str) -> list[list[str]]:
        out, key = tmp_path / f"{name}.csv", tmp_path / f"{name}-key.csv"
        columns = ["--attribute", "age,income", "--k", 4, "--effort", 0.05, "--seed", 2]
        answer("microaggregate", file, *columns, "--out", out, "--key-file", key, *options)
        original, written = key_of(key), list(csv.reader(out.open()))[1:]
        return [row for _, row in sorted((original[number], row) for number, row in enumerate(written))]

    assert grouped("by-spark", *SPARK) == grouped("by-duckdb", "--large")

    def lost(name: str, *options: str) -> float:
        columns = ["--attribute", "age,place", "--k", 4, "--effort", 0.05, "--seed", 2]
        return float(
            answer("generalize", file, *columns, "--out", tmp_path / f"{name}.csv", *options)["information_loss"]
        )

    assert lost("spark", *SPARK) == lost("duckdb", "--large")
