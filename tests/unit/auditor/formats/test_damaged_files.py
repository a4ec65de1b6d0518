"""Whatever happens to the bytes of a file, a reader gives a canonical network or refuses in one line; never hangs."""

from __future__ import annotations

import faulthandler
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.formats.networks import known_formats
from tests.support.damaged_files import SPLINTERS, ValidFile, check_reading, valid_files

FILES = valid_files()


@pytest.fixture(autouse=True)
def never_hangs() -> Iterator[None]:
    """A reader that loops for ever ends the run with a traceback instead."""
    faulthandler.dump_traceback_later(300, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@st.composite
def damages(draw: st.DrawFn, content: bytes) -> bytes:
    found = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(found)))
        end = min(len(found), begin + draw(st.integers(0, 30)))
        found[begin:end] = draw(
            st.one_of(
                st.just(b""),
                st.sampled_from(SPLINTERS),
                st.binary(max_size=4),
                st.just(bytes(found[begin:end]) * 2),
            )
        )
    return bytes(found)


@pytest.mark.parametrize("format", [info.name for info in known_formats()])
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_read(format: str, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from([file for file in FILES if file.format == format]))
    if file.vertices is not None and data.draw(st.booleans()):
        file = replace(file, vertices=data.draw(damages(file.vertices)))
    else:
        file = replace(file, content=data.draw(damages(file.content)))
    with tempfile.TemporaryDirectory() as folder:
        check_reading(Path(folder), file)


@pytest.mark.parametrize("format", [info.name for info in known_formats()])
@settings(max_examples=30, deadline=None)
@given(content=st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(format: str, content: bytes) -> None:
    suffix = next(info.suffixes[0] for info in known_formats() if info.name == format)
    with tempfile.TemporaryDirectory() as folder:
        check_reading(Path(folder), ValidFile(format, f"x{suffix}", content, None))


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(
        st.sampled_from(["#", "%", "*", " ", "\n", "graph", "[", "creator", "*vertices 3", "1", ",", "<", "{"])
    )
)
def test_any_content_without_a_suffix_is_refused_or_read(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_reading(Path(folder), ValidFile("", "x", "".join(words).encode(), None))


@pytest.mark.parametrize(
    "content", ["#" * 20_000, "%" * 20_000, "# " * 9_000, "creator " * 5_000, "\n%" * 9_000, "[" * 9_000]
)
def test_content_that_could_be_split_in_many_ways_does_not_hang(content: str, tmp_path: Path) -> None:
    for suffix in ("", *(info.suffixes[0] for info in known_formats())):
        check_reading(tmp_path, ValidFile("", f"x{suffix}", content.encode(), None))
        check_reading(tmp_path, ValidFile("", f"x{suffix}", f"*vertices 1\n{content}".encode(), None))


@pytest.mark.parametrize("format", [info.name for info in known_formats()])
def test_a_file_cut_off_at_any_byte_is_refused_or_read(format: str, tmp_path: Path) -> None:
    for file in [file for file in FILES if file.format == format][:2]:
        for size in range(0, len(file.content), 1 + len(file.content) // 60):
            check_reading(tmp_path, replace(file, content=file.content[:size]))


@pytest.mark.slow
@pytest.mark.parametrize("format", [info.name for info in known_formats()])
def test_thousands_of_damaged_files(format: str) -> None:
    # a process of its own: should a parser in C crash, this test fails and the others go on
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.support.damaged_files", "20261121", "2500", format]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=900, cwd=Path(__file__).parents[4], check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
