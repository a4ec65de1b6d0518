"""What Arrow's own threads read, and the certainty that they let go of all of it that is Python's."""

import io
import shutil
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from auditor.formats.source import Source

# they let go within microseconds, on a machine that is busy within milliseconds; then it is as if nobody waited
_PATIENCE = 30.0


def readable_by_arrow(source: Source) -> Any:
    """Return what Arrow's threads may read all over: the file's path, or its decompressed bytes in Arrow's memory."""
    import pyarrow as pa

    if not source.compression:
        return str(source.path)
    sink = pa.BufferOutputStream()
    with source.stream() as stream:
        shutil.copyfileobj(stream, sink, 1 << 20)
    return pa.BufferReader(sink.getvalue())


class Lender:
    """Gives a stream of Python to Arrow, and counts what came back.

    Parameters
    ----------
    stream : BufferedReader
    """

    def __init__(self, stream: "io.BufferedReader[Any]") -> None:
        self.stream = stream
        self._failure: Exception | None = None
        self._lent: list[weakref.ref[Any]] = []
        self._returned: list[weakref.ref[Any]] = []

    def lend(self) -> Any:
        """Return the stream as a file for Arrow, which nobody else may keep."""
        return self._counted(_Readable(self))

    def read(self, size: int) -> Any:
        """Return up to `size` bytes, as an array because one of bytes cannot be watched; none after a failure."""
        room = np.empty(size, dtype=np.uint8)
        try:
            count = self.stream.readinto(room.data)
        except Exception as error:
            # what is raised through Arrow would hold the file that it was lent
            self._failure, count = error, 0
        return self._counted(room[:count])

    def end(self) -> None:
        """Wait until Arrow's threads hold nothing any more, and raise what failed while they read."""
        end = time.monotonic() + _PATIENCE
        while len(self._returned) < len(self._lent) and time.monotonic() < end:
            time.sleep(0.0005)
        if self._failure is not None:
            raise self._failure

    def _counted(self, lent: Any) -> Any:
        # a method of C: between its end and the release of the interpreter's lock no other thread of Python runs
        self._lent.append(weakref.ref(lent, self._returned.append))
        return lent


@contextmanager
def lent_to_arrow(stream: "io.BufferedReader[Any]") -> Iterator[Lender]:
    """Let Arrow read a stream of Python in its own threads while the block runs, and not a moment longer.

    Notes
    -----
    Arrow's answer is complete before its reading thread has let go of the stream. A thread that wants to let go
    of an object while the interpreter ends is ended by it within C++, which aborts the process: a command that
    had done all its work would end with SIGABRT.
    """
    lender = Lender(stream)
    try:
        yield lender
    finally:
        lender.end()


class _Readable:
    """What Arrow asks of a file of Python."""

    closed = False

    def __init__(self, lender: Lender) -> None:
        # no method of its own, because a failure remembers all that was called, and would hold this file by it
        self.read = lender.read

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave that to who opened it."""
