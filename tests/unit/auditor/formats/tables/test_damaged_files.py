"""Whatever happens to the bytes of a file, it is read as a table or refused in one line."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.core.errors import BadInput
from auditor.core.zstd import zstd
from auditor.formats.tables import TableOptions, read_table
from tests.support.damaged_files import SPLINTERS, damaged

TEXT = 'a,"b, c",n\nx,"line\nend",471\n"q""q",é,0\ny,,12\nz,007,5\n'.encode()
OPTIONS = (
    TableOptions(),
    TableOptions(records=True),
    TableOptions(missing="?", sum=True),
    TableOptions(variables=("a",), sum=True),
    TableOptions(delimiter=";"),
)


def parquet() -> bytes:
    columns = {"a": ["x", "y", None], "b": pa.array([1.0, 2.5, float("nan")]), "n": pa.array([471, 0, 3])}
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


FILES = {
    "csv": TEXT,
    "tsv": TEXT.replace(b",", b"\t"),
    "gz": gzip.compress(TEXT),
    "zst": zstd.compress(TEXT),
    "parquet": parquet(),
    "parquet.gz": gzip.compress(parquet()),
}


def check_reading(counter: Any, path: Path, options: TableOptions) -> None:
    try:
        loaded = read_table(counter, path, options)
    except BadInput as refusal:
        message = str(refusal).replace(str(path.parent), "")  # a folder's number may be that of the count
        assert "\n" not in message
        assert "471" not in message
        return
    assert loaded.table.total > 0
    assert loaded.checksum == loaded.checksum


@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_is_refused_or_read(counter: Any, tmp_path: Path, kind: str) -> None:
    rng = random.Random(kind)
    path = tmp_path / f"t.{kind}"
    for _ in range(150):
        path.write_bytes(damaged(FILES[kind], rng) or b"\n")
        check_reading(counter, path, rng.choice(OPTIONS))


@pytest.mark.parametrize("kind", FILES)
def test_a_file_cut_off_at_any_byte_is_refused_or_read(counter: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    for size in range(0, len(FILES[kind]), 1 + len(FILES[kind]) // 60):
        path.write_bytes(FILES[kind][:size])
        check_reading(counter, path, OPTIONS[0])


def test_splinters_alone_are_refused_or_read(counter: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for splinter in SPLINTERS:
        for content in (splinter, splinter * 3, b"a,n\n" + splinter + b",1\n", b"a,n\nx," + splinter + b"\n"):
            path.write_bytes(content)
            check_reading(counter, path, OPTIONS[0])
