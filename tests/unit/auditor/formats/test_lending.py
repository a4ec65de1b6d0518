"""Arrow's threads hold nothing of Python once a file is read: a command that did its work could abort at its end."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from auditor.core.errors import BadFile
from auditor.formats.lending import Lender, lent_to_arrow, readable_by_arrow
from auditor.formats.networks import read_network
from auditor.formats.source import Source

_ROOT = Path(__file__).parents[4]


def a_stream(content: bytes = b"1,2\n") -> io.BufferedReader[io.BytesIO]:  # type: ignore[type-var]
    return io.BufferedReader(io.BytesIO(content))  # type: ignore[type-var,arg-type]


def held_for(seconds: float, lent: list[object]) -> threading.Thread:
    """A thread that lets go of what it holds late, as those of Arrow do on a machine that is busy."""

    def hold() -> None:
        time.sleep(seconds)
        lent.clear()

    thread = threading.Thread(target=hold)
    thread.start()
    return thread


class TestWaiting:
    @pytest.mark.parametrize("what", ["the file", "what it gave"])
    def test_goes_on_until_everything_came_back(self, what: str) -> None:
        lent: list[object] = []
        with lent_to_arrow(a_stream()) as lender:
            lent.append(lender.lend() if what == "the file" else lender.read(4))
            thread = held_for(0.2, lent)
        assert lent == []
        thread.join()

    def test_is_over_at_once_where_all_is_back(self) -> None:
        begin = time.monotonic()
        with lent_to_arrow(a_stream()) as lender:
            assert bytes(lender.lend().read(3)) == b"1,2"
        assert time.monotonic() - begin < 1

    def test_is_for_no_failure(self) -> None:
        class Broken(io.RawIOBase):
            def readable(self) -> bool:
                return True

            def readinto(self, buffer: object) -> int:
                raise BadFile("broken")

        def reads(lender: Lender) -> None:
            assert len(lender.lend().read(3)) == 0

        begin = time.monotonic()
        with pytest.raises(BadFile, match="broken"), lent_to_arrow(io.BufferedReader(Broken())) as lender:
            reads(lender)
        assert time.monotonic() - begin < 1

    def test_is_for_no_damaged_file(self, tmp_path: Path) -> None:
        begin = time.monotonic()
        for content in (b"1,2\n" * 500_000 + b"1,\0\n", b"1,2\n" * 500_000 + b"1\n", b"1,2\n" * 500_000 + b"\xff,1\n"):
            (tmp_path / "x.csv").write_bytes(content)
            with pytest.raises(BadFile, match="line 500001"):
                read_network(tmp_path / "x.csv")
        assert time.monotonic() - begin < 20


@pytest.mark.parametrize("packed", [True, False])
def test_what_arrow_reads_all_over_is_memory_of_its_own(packed: bool, tmp_path: Path) -> None:
    import gzip

    import pyarrow as pa

    path = tmp_path / "x.parquet"
    path.write_bytes(gzip.compress(b"PAR1") if packed else b"PAR1")
    given = readable_by_arrow(Source(path))
    assert given.read() == b"PAR1" if packed else given == str(path)
    assert isinstance(given, pa.BufferReader if packed else str)


def test_nothing_else_gives_arrow_a_file_of_python() -> None:
    """Files are read by Arrow where all that is lent is counted, and nowhere else."""
    given = ("csv.read_csv(", "csv.open_csv(", "BufferReader(", "PythonFile(", "py_buffer(", "json.read_json(")
    found = {
        path.relative_to(_ROOT).as_posix()
        for folder in ("auditor", "graphkit", "cli")
        for path in (_ROOT / folder).rglob("*.py")
        if any(f"pa{name}" in (text := path.read_text()) or f"pa.{name}" in text for name in given)
    }
    assert found == {"auditor/formats/lending.py", "auditor/formats/text_table.py"}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(__import__("os"), "SCHED_IDLE"), reason="threads have no priorities of their own here")
def test_processes_end_well_while_arrows_threads_lag(tmp_path: Path) -> None:
    """Each child reads, and ends at once, while its other threads run only when nobody else wants to."""
    (tmp_path / "x.csv").write_text("1,2\n")
    script = f"""
import os, sys
import auditor.formats.networks as f
import auditor.formats.text_table, pyarrow.csv
busy = []
for core in sorted(os.sched_getaffinity(0)):
    if (child := os.fork()) == 0:
        os.sched_setaffinity(0, {{core}})
        while os.getppid() != 1:
            pass
        os._exit(0)
    busy.append(child)
ends = []
try:
    for _ in range(50):
        if (child := os.fork()) == 0:
            for _ in range(2):
                f.read_network({str(tmp_path / "x.csv")!r})
                for thread in set(os.listdir("/proc/self/task")) - {{str(os.getpid())}}:
                    os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))
            sys.exit(0)
        ends.append(os.waitpid(child, 0)[1])
finally:
    for child in busy:
        os.kill(child, 9)
assert not any(ends), "processes that aborted: %d" % sum(map(bool, ends))
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=300)
