"""What is wrong with Spark is told in a line, before anything is read."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import auditor.core.extras as extras
from cli.app import run

SPARK = ("--engine", "spark")


@pytest.fixture
def ties(tmp_path: Path) -> str:
    file = tmp_path / "ties.parquet"
    pq.write_table(pa.table({"a": [1, 2], "b": [2, 3]}), file)
    return str(file)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int) -> str:
    assert run(list(arguments)) == code
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--edge-table", "--engine", "flink"), 2, "must be duckdb or spark"),
        (("--edge-table", "--spark-master", "local"), 2, "--spark-master is for --engine spark"),
        (("--edge-table", *SPARK, "--spark-master", "here"), 2, "must be the address of a Spark: local[N]"),
        (("--edge-table", *SPARK, "--memory", "much"), 2, "--memory must be a number with k, m or g"),
        (SPARK, 2, "--engine is for --edge-table alone"),
        (("--edge-table", *SPARK, "--spark-master", "spark://127.0.0.1:1"), 3, "nobody answers at spark://127.0.0.1:1"),
        (
            ("--edge-table", *SPARK, "--spark-master", "sc://127.0.0.1:1/;token=secret"),
            3,
            "at sc://127.0.0.1:1/; check",
        ),
    ],
)
def test_a_wrong_address_or_option_is_told(
    ties: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], code: int, words: str
) -> None:
    line = told(capsys, "network", "audit", ties, "--k", "2", *options, code=code)
    assert words in line
    assert "secret" not in line


def test_a_machine_without_java_or_with_another_one_is_told(
    ties: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("network", "audit", ties, "--k", "2", "--edge-table", *SPARK)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "has no bin/java" in told(capsys, *command, code=3)
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\nexit 1\n")
    java.chmod(0o700)
    assert "it needs Java 17 or 21" in told(capsys, *command, code=3)
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("auditor.formats.spark.java.find_spec", lambda name: None)
    assert "Spark needs a Java runtime" in told(capsys, *command, code=3)


def test_a_missing_extra_is_told(
    ties: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "pyspark" else find(name))
    line = told(capsys, "network", "audit", ties, "--k", "2", "--edge-table", *SPARK, code=3)
    assert "pip install 'disclosure-auditor[spark]'" in line


@pytest.mark.parametrize("kind", ["microaggregate", "generalize"])
def test_a_spark_that_does_not_answer_is_told_before_records_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age\n1\n2\n3\n4\n")
    command = ("microdata", kind, str(file), "--attribute", "age", "--k", "2", "--dry-run", *SPARK)
    assert "nobody answers" in told(capsys, *command, "--spark-master", "spark://127.0.0.1:1", code=3)
