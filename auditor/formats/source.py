"""A file to read: opened safely, decompressed with a bound, with errors that name file and line."""

import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from auditor.core.errors import AuditorError, BadFile, NotFound
from auditor.formats.compression import compression_of_content, decompressed

# a text edge list shrinks about fourfold, a repetitive GraphML file forty-fold; past this it is a decompression bomb
LARGEST_EXPANSION = 500
ALWAYS_ALLOWED_BYTES = 256 * 1024 * 1024
# vertices without an edge take no room in some formats; a header may claim this many for each byte of the file
VERTICES_PER_BYTE = 64
ALWAYS_ALLOWED_VERTICES = 1_000_000

_AT_MOST: ContextVar[int | None] = ContextVar("unpacked_at_most", default=None)

# what is said of a file without naming it begins with one of these
_PREDICATE = re.compile(
    "(cannot|changed|claims|declares|does|ends|grows|has|holds|is|must|names|needs|says|tells|would) "
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as it may stand in a one-line message: characters that do not print are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in os.fspath(path))


@contextmanager
def unpacking_at_most(size: int) -> Iterator[None]:
    """Let no file hold more than so many bytes once decompressed, while the block runs, however large it is itself."""
    token = _AT_MOST.set(size)
    try:
        yield
    finally:
        _AT_MOST.reset(token)


class Source:
    """A regular file of data, whatever it is compressed with.

    Parameters
    ----------
    path : path
    holds : str
        What it should hold, as messages say it.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If it is a directory, a pipe or a device, cannot be opened, or is empty.

    Notes
    -----
    A pipe is refused and never opened for blocking, so that nothing hangs. The compression is recognized
    by content, not by name. Each call of :meth:`stream` starts again at the first byte.
    """

    def __init__(self, path: str | os.PathLike[str], *, holds: str = "a network") -> None:
        self.path = Path(path)
        self.holds = holds
        self.name = shown(path)
        # parsers read in threads of their own, which know nothing of it
        self._at_most = _AT_MOST.get()
        with self._open() as file:
            self.size = os.fstat(file.fileno()).st_size
            self.compression = compression_of_content(file.read(16))
        if self.size == 0:
            raise self.bad(f"is empty; give a file that holds {holds}")

    def bad(self, reason: str, line: int | None = None) -> BadFile:
        """Return the error that says what is wrong in this file, and in which line (from 1).

        Parameters
        ----------
        reason : str
            A sentence, or one without its subject (``holds no graph``), which is the file then.
        line : int, optional
        """
        is_of_file = _PREDICATE.match(reason) is not None
        if line is not None:
            return BadFile(f"{self.name}, line {line}: {'the file ' if is_of_file else ''}{reason}")
        return BadFile(f"{self.name}{'' if is_of_file else ':'} {reason}")

    def stream(self) -> io.BufferedReader:
        """Return the decompressed bytes as a stream; reading raises BadFile when damaged or implausibly large."""
        file = self._open()
        if not self.compression:
            return file
        return io.BufferedReader(_Bounded(self, file), 1 << 20)

    def head(self, size: int = 1 << 16) -> bytes:
        """Return the first `size` bytes after decompression, fewer where the file is shorter."""
        with self.stream() as stream:
            return stream.read(size)

    def content(self) -> bytes:
        """Return all bytes after decompression."""
        with self.stream() as stream:
            return stream.read()

    def text_bytes(self) -> bytes:
        """Return the content checked to be UTF-8 text without NUL, byte order mark removed, lines ended by a line feed.

        Raises
        ------
        BadFile
            If it is UTF-16, another encoding, or no text.
        """
        data = self.content()
        self.refuse_utf16(data)
        data = data.removeprefix(_BOM)
        if (at := data.find(b"\0")) >= 0:
            raise self.bad("holds a NUL byte; this is not a text file", data.count(b"\n", 0, at) + 1)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise self.not_utf8(data.count(b"\n", 0, error.start) + 1) from None
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data

    @contextmanager
    def one_line_errors(self, advice: str) -> Iterator[None]:
        """Make what a parser or the system throws on damaged input one line without a word of the content.

        Parameters
        ----------
        advice : str
            That the file cannot be read, and what to check.

        Raises
        ------
        BadFile
            With the advice; an error in the auditor's own words stays as it is.
        """
        try:
            yield
        except AuditorError:
            raise
        except MemoryError:
            raise self.bad("needs more memory than there is; check its header, or use a machine with more") from None
        except (OSError, EOFError, ValueError, TypeError, LookupError, ArithmeticError, RuntimeError) as error:
            # RuntimeError: encrypted or unknown zip members; LookupError and TypeError: pyarrow's own error classes
            raise self.bad(advice) from error

    def refuse_utf16(self, head: bytes) -> None:
        """Raise BadFile if `head` begins as UTF-16 or UTF-32 text does."""
        if head.startswith(_UTF16):
            raise self.bad("is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")

    def not_utf8(self, line: int | None) -> BadFile:
        """Return the error for bytes that are not UTF-8."""
        return self.bad(
            "the text is not UTF-8; convert the file (iconv -f LATIN1 -t UTF-8) or check that it is text", line
        )

    def expansion_limit(self) -> int:
        """Return how many bytes this file may hold once decompressed."""
        plausible = max(ALWAYS_ALLOWED_BYTES, LARGEST_EXPANSION * self.size)
        return plausible if self._at_most is None else min(plausible, self._at_most)

    def grows_too_much(self) -> BadFile:
        """Return the error for what holds more than :meth:`expansion_limit` once decompressed."""
        if self._at_most is not None and self._at_most == self.expansion_limit():
            return self.bad(f"holds more than {self._at_most >> 20} MB when decompressed; that is too much here")
        return self.bad(
            f"grows more than {LARGEST_EXPANSION} times when decompressed; if that is right, decompress it first"
        )

    def check_vertex_count(self, n: int, line: int | None = None) -> None:
        """Raise BadFile if a header claims more vertices than a file of this size can plausibly hold."""
        if not 0 <= n <= max(ALWAYS_ALLOWED_VERTICES, VERTICES_PER_BYTE * self.size):
            raise self.bad("claims a number of vertices that a file of this size cannot hold; check its header", line)

    def _open(self) -> io.BufferedReader:
        try:
            # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"{self.name}: no such file; check the path") from None
        except PermissionError:
            raise self.bad("cannot be opened: permission denied; ask for the right to read it") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a valid path"
            raise self.bad(f"cannot be opened ({reason}); check the path") from None
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISREG(kind):
            return io.BufferedReader(io.FileIO(descriptor, "rb"), 1 << 17)
        os.close(descriptor)
        if stat.S_ISDIR(kind):
            raise self.bad("is a directory; give one of the files in it")
        raise self.bad("is a pipe or a device; save its content to a file first")


class _Bounded(io.RawIOBase):
    """The decompressed bytes of a source, counted, with the errors of all decompressors made one."""

    def __init__(self, source: Source, file: io.BufferedReader) -> None:
        self._source, self._file = source, file
        self._left = source.expansion_limit()
        self._inner = decompressed(file, source.compression)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        try:
            data = self._inner.read(len(view))
        except EOFError:
            raise self._source.bad("ends too early (truncated compressed file); copy or download it again") from None
        except (OSError, ValueError, ArithmeticError) as error:
            if isinstance(error, BadFile):
                raise
            raise self._source.bad(f"is not valid {self._source.compression} data; copy or download it again") from None
        self._left -= len(data)
        if self._left < 0:
            raise self._source.grows_too_much()
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
