"""Compressed files, NumPy archives and Parquet that hold no network: one line, never a traceback, never a bomb."""

# a table reads best with one case a line

from __future__ import annotations

import gzip
import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from auditor.formats import source as source_module
from auditor.formats.networks import known_formats, read_network
from tests.support.refusals import SECRET, refusal


def compressed(kind: str, data: bytes) -> bytes:
    import bz2

    from auditor.core.zstd import zstd

    return {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstd.compress}[kind](data)


EVERY_COMPRESSION = pytest.mark.parametrize("kind", ["gz", "bz2", "zst"])
LINES = b"".join(b"hannelore%d,%d\n" % (number, number * 7919 % 1000) for number in range(4000))


class TestCompressedFiles:
    @EVERY_COMPRESSION
    def test_cut_anywhere(self, kind: str, tmp_path: Path) -> None:
        whole = compressed(kind, LINES)
        path = tmp_path / f"x.csv.{kind}"
        for size in (16, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:size])
            assert "too early" in refusal(path)

    @EVERY_COMPRESSION
    @pytest.mark.parametrize("suffix", [info.suffixes[0] for info in known_formats()])
    def test_cut_in_every_format(self, kind: str, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"x{suffix}.{kind}"
        path.write_bytes(compressed(kind, LINES)[:-30])
        assert "too early" in refusal(path) or suffix != ".csv"

    @EVERY_COMPRESSION
    def test_damaged(self, kind: str, tmp_path: Path) -> None:
        whole = bytearray(compressed(kind, LINES))
        whole[len(whole) // 2 : len(whole) // 2 + 40] = bytes(40)
        path = tmp_path / f"x.csv.{kind}"
        path.write_bytes(whole)
        refusal(path)

    @EVERY_COMPRESSION
    def test_recognized_by_content_whatever_the_name(self, kind: str, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_bytes(compressed(kind, b"1,2\n"))
        assert read_network(tmp_path / "x.csv").graph.m == 1
        (tmp_path / f"y.csv.{kind}").write_bytes(b"1,2\n")
        assert read_network(tmp_path / f"y.csv.{kind}").graph.m == 1

    @EVERY_COMPRESSION
    def test_two_archives_in_a_row_are_read_as_one(self, kind: str, tmp_path: Path) -> None:
        path = tmp_path / f"x.csv.{kind}"
        path.write_bytes(compressed(kind, b"1,2\n") + compressed(kind, b"2,3\n"))
        assert read_network(path).graph.m == 2

    @EVERY_COMPRESSION
    def test_bomb(self, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source_module, "ALWAYS_ALLOWED_BYTES", 1 << 16)
        for suffix, head in {"csv": b"", "graphml": b"<graphml>", "json": b"", "npz": b"", "parquet": b""}.items():
            path = tmp_path / f"x.{suffix}.{kind}"
            path.write_bytes(compressed(kind, head + b"1,2\n" * 400_000))
            assert "times when decompressed" in refusal(path)

    def test_empty_archive(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b""))
        assert "is empty" in refusal(tmp_path / "x.csv.gz")


class TestNumPyArchives:
    def save(self, path: Path, **arrays: object) -> Path:
        np.savez(path, **arrays)  # type: ignore[arg-type]
        return path

    @pytest.mark.parametrize(
        ("arrays", "message"),
        [
            ({"n": 3}, "no array 'edges'"),
            ({"edges": [[0.5, 1.0]], "n": 3}, "must hold integers"),
            ({"edges": [[0, 1, 2]], "n": 3}, "two columns"),
            ({"edges": [0, 1], "n": 3}, "two columns"),
            ({"edges": [[0, 3]], "n": 3}, "outside"),
            ({"edges": [[0, -1]], "n": 3}, "outside"),
            ({"edges": [[0, 1]], "n": [3, 4]}, "one number"),
            ({"edges": [[0, 1]], "n": -1}, "claims|outside"),
            ({"edges": [[0, 1]], "n": 10**12}, "claims"),
            ({"edges": np.array([[0, 2**63]], dtype=np.uint64)}, "larger than"),
            ({"edges": np.array([["hannelore", "b"]])}, "must hold integers"),
        ],
    )
    def test_arrays_that_are_no_network(self, arrays: dict[str, object], message: str, tmp_path: Path) -> None:
        import re

        assert re.search(message, refusal(self.save(tmp_path / "x.npz", **arrays)))

    def test_pickles_are_never_opened(self, tmp_path: Path) -> None:
        class Trap:
            def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
                return os.mkdir, (str(tmp_path / "sprung"),)

        path = self.save(tmp_path / "x.npz", edges=np.array([[Trap(), 1]], dtype=object), n=2)
        refusal(path)
        assert not (tmp_path / "sprung").exists()

    def test_archive_that_claims_a_huge_array(self, tmp_path: Path) -> None:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<i8", "fortran_order": False, "shape": (10**15, 2)})
        with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
            archive.writestr("edges.npy", header.getvalue())
        refusal(tmp_path / "x.npz")

    def test_bomb_inside(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source_module, "ALWAYS_ALLOWED_BYTES", 1 << 20)
        np.savez_compressed(tmp_path / "x.npz", edges=np.zeros((2_000_000, 2), dtype=np.int64), n=1)
        assert "too large" in refusal(tmp_path / "x.npz")


class TestParquet:
    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"a": [1, 2]}, "at least two columns"),
            ({"a": [1, None], "b": [1, 2]}, "null"),
            ({"a": [1.5, 2.0], "b": [1, 2]}, "fraction"),
            ({"a": [1.0, float("nan")], "b": [1, 2]}, "NaN"),
            ({"a": [SECRET, ""], "b": [SECRET, "c"]}, "empty"),
            ({"a": [[1], [2]], "b": [1, 2]}, "integers or text"),
            ({"a": [True, False], "b": [1, 2]}, "integers or text"),
        ],
    )
    def test_columns_that_are_no_ids(self, columns: dict[str, list[object]], message: str, tmp_path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), tmp_path / "x.parquet")
        assert message in refusal(tmp_path / "x.parquet")
