"""Files of records at an address, such as ``s3://bucket/people.parquet``: fetched whole, read like any other."""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from auditor.core.errors import BadFile, BadInput, RoomExhausted

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
_PIECE = 1 << 20
_LONGEST = 200
"""Bytes of a name that every file system takes."""


def is_remote(place: str | Path) -> bool:
    """Tell addresses from paths.

    Examples
    --------
    >>> is_remote("s3://bucket/people.parquet"), is_remote("people.parquet"), is_remote("microdata:people")
    (True, False, False)
    """
    return isinstance(place, str) and _ADDRESS.match(place) is not None


def name_at(address: str) -> str:
    """Return the name of the file at an address.

    Examples
    --------
    >>> name_at("s3://bucket/2024/people.parquet?region=eu-west-1")
    'people.parquet'
    """
    _, slash, path = _shown(address).partition("://")[2].partition("/")
    name = PurePosixPath(path).name if slash else ""
    return name if name.strip(".") and len(name.encode()) <= _LONGEST else "records"


@contextmanager
def fetched(address: str, folder: Path | None = None) -> Iterator[Path]:
    """Give a copy of the file at an address, readable by its owner only; it is gone at the end.

    Parameters
    ----------
    address : str
        Of a file system that PyArrow knows: ``s3://``, ``gs://`` and others; credentials are those of the environment.
    folder : Path, optional
        Where the copy is made; the folder for temporary files by default.

    Raises
    ------
    BadInput
        If no such file system is known, or the address holds credentials.
    BadFile
        If there is no such file, or it cannot be read to its end.
    RoomExhausted
        If there is no room for the copy.
    """
    with tempfile.TemporaryDirectory(prefix="auditor-records-", dir=folder) as own:
        path = Path(own) / name_at(address)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
            for piece in _pieces(address):
                try:
                    copy.write(piece)
                except OSError as error:
                    raise RoomExhausted(
                        f"{name_at(address)} could not be copied ({error.strerror}); make room there"
                    ) from error
        yield path


def remote_digest(address: str) -> str:
    """Return the SHA-256 of the file at an address, hexadecimal; it is read whole.

    Raises
    ------
    BadInput, BadFile
        As :func:`fetched`.
    """
    digest = hashlib.sha256()
    for piece in _pieces(address):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(address: str) -> Iterator[bytes]:
    from pyarrow import ArrowException

    try:
        with _opened(address) as stream:
            while piece := stream.read(_PIECE):
                yield piece
    except FileNotFoundError:
        raise BadFile(f"there is no file at {_shown(address)}; check the address") from None
    except (OSError, ArrowException):
        # what the file system says names hosts and keys, and runs over several lines
        raise BadFile(
            f"{_shown(address)} cannot be read; check the address, the credentials of the environment and the network"
        ) from None


def _opened(address: str) -> Any:
    from pyarrow import ArrowInvalid
    from pyarrow.fs import FileSystem

    try:
        credentials = "@" in urlsplit(address).netloc
    except ValueError:
        raise BadInput("the address of the records is not one; give one such as s3://bucket/people.parquet") from None
    if credentials:
        raise BadInput("the address of the records must not hold credentials; set them in the environment")
    try:
        system, path = FileSystem.from_uri(address)
    except ArrowInvalid:
        raise BadInput(
            f"{_shown(address)} is no address of a known file system; give one such as s3://bucket/people.parquet"
        ) from None
    return system.open_input_stream(path)


def _shown(address: str) -> str:
    """Return an address without what follows a question mark."""
    return address.partition("?")[0]
