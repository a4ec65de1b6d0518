"""What Spark says is told by its kind: no value of the data leaves with it."""

from pathlib import Path

import pytest

from auditor.core.errors import AuditorError, BadFile, EngineUnavailable, NotDelivered, RoomExhausted
from auditor.formats.edge_tables.errors import translated_errors

FILE = Path("ties.parquet")


def error_of(text: str) -> Exception:
    from pyspark.errors import PySparkException

    return PySparkException(text)


@pytest.mark.parametrize(
    ("text", "files", "kind"),
    [
        ("java.lang.OutOfMemoryError of 'Ada'", {}, RoomExhausted),
        ("Total size of results is bigger than spark.driver.maxResultSize 'Ada'", {}, RoomExhausted),
        ("cannot call methods on a stopped SparkContext. 'Ada'", {}, EngineUnavailable),
        ("StatusCode.UNAVAILABLE 'Ada'", {}, EngineUnavailable),
        ("[FAILED_READ_FILE.FILE_NOT_EXIST] 'Ada'", {"reading": FILE}, EngineUnavailable),
        ("ModuleNotFoundError: No module named 'graphkit' 'Ada'", {}, EngineUnavailable),
        ("file is not a Parquet file 'Ada'", {"reading": FILE}, BadFile),
        ("something of 'Ada'", {"writing": FILE}, NotDelivered),
        ("something of 'Ada'", {"reading": FILE}, AuditorError),
    ],
)
def test_an_error_of_spark_is_told_in_a_line(text: str, files: dict[str, Path], kind: type[AuditorError]) -> None:
    with pytest.raises(AuditorError) as told, translated_errors(**files):
        raise error_of(text)
    assert type(told.value) is kind
    assert "Ada" not in str(told.value)
    assert "\n" not in str(told.value)


def test_an_error_of_something_else_stays_what_it_is() -> None:
    with pytest.raises(KeyError), translated_errors():
        raise KeyError("Ada")
