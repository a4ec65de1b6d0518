"""gzip, bzip2 and Zstandard around any format: recognized by content when reading, chosen by suffix when writing."""

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Protocol

COMPRESSION_SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}

# level 6 takes twice as long as level 5 on edge lists and saves nothing
_GZIP_LEVEL = 5
_ZSTD_LEVEL = 5
_GZIP_MAGIC, _ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BZIP2_BLOCKS = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")


class Readable(Protocol):
    """What a decompressor offers."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""


def compression_of_content(head: bytes) -> str:
    """Return ``gzip``, ``bzip2``, ``zstd`` or the empty string, from the first 16 bytes of a file."""
    if head.startswith(_GZIP_MAGIC):
        return "gzip"
    if head.startswith(_ZSTD_MAGIC):
        return "zstd"
    if head.startswith(b"BZh") and head[4:10] in _BZIP2_BLOCKS:
        return "bzip2"
    return ""


def split_compression(name: str) -> tuple[str, str]:
    """Return a file name without its compression suffix, and the compression.

    Examples
    --------
    >>> split_compression("friends.csv.gz"), split_compression("friends.csv")
    (('friends.csv', 'gzip'), ('friends.csv', ''))
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in COMPRESSION_SUFFIXES:
        return name[: -len(suffix)], COMPRESSION_SUFFIXES[suffix]
    return name, ""


def decompressed(file: BinaryIO, compression: str) -> Readable:
    """Return a reader of the decompressed bytes; EOFError says truncated, OSError or ValueError says damaged."""
    if compression == "gzip":
        return _Gzip(fileobj=file, mode="rb")
    if compression == "bzip2":
        return bz2.BZ2File(file)
    return _Zstandard(file)


class _Gzip(gzip.GzipFile):
    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except zlib.error as error:  # the only one of its errors that is no OSError
            raise OSError("damaged gzip data") from error


class _Zstandard:
    """Frames of Zstandard data one after the other; unlike the library's own stream, a missing end is an error."""

    _PIECE = 4096  # one piece can grow to about 128 MB at most

    def __init__(self, file: BinaryIO) -> None:
        from auditor.core.zstd import zstd

        self._error = zstd.ZstdError
        self._make = partial(zstd.ZstdDecompressor, options={zstd.DecompressionParameter.window_log_max: 27})
        self._file, self._frame, self._rest, self._ready = file, self._make(), b"", io.BytesIO()
        self._inside = False

    def read(self, size: int, /) -> bytes:
        while not (data := self._ready.read(size)):
            piece = self._rest or self._file.read(self._PIECE)
            self._rest = b""
            if not piece:
                if self._inside:
                    raise EOFError
                return b""
            try:
                self._ready = io.BytesIO(self._frame.decompress(piece))
            except self._error as error:
                raise OSError("damaged zstd data") from error
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, self._make()
        return data


@contextmanager
def open_sink(path: Path, compression: str) -> Iterator[BinaryIO]:
    """Open `path` for writing through a compressor whose output depends on the content alone (no name, no time)."""
    with path.open("wb") as file:
        packed = _compressor(file, compression)
        if packed is None:
            yield file
            return
        # writers hand over a line at a time; compressors want more
        with packed:
            buffered = io.BufferedWriter(packed, 1 << 20)
            yield buffered
            buffered.flush()
            buffered.detach()


def _compressor(file: BinaryIO, compression: str) -> Any:
    if compression == "gzip":
        return gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=_GZIP_LEVEL, mtime=0)
    if compression == "bzip2":
        return bz2.BZ2File(file, "wb")
    if compression == "zstd":
        from auditor.core.zstd import writing, zstd

        return zstd.ZstdFile(file, "wb", options=writing(_ZSTD_LEVEL))
    return None
