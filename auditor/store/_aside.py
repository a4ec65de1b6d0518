"""Files that appear complete or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from auditor.errors import AlreadyExists, BadInput, NotDelivered

__all__ = ["written_aside"]


@contextmanager
def written_aside(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Give a stream whose content appears at `path` when the block ends well, readable by the owner only.

    Raises
    ------
    AlreadyExists
        If there is such a file and `force` was not said; also when it appears meanwhile.
    BadInput
        If the folder does not exist or `path` is a folder.
    NotDelivered
        If the file system refuses; nothing is at `path` then.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise BadInput(f"{path} cannot be written: its folder does not exist, or it is a folder itself")
    if os.path.lexists(path) and not force:
        raise AlreadyExists(f"{path} exists already; choose another name or pass --force")
    aside = path.with_name(f".{path.name[:200]}.{secrets.token_hex(8)}.part")
    try:
        with _delivering(path):
            handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            _appear(aside, path, force)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def _appear(aside: Path, path: Path, force: bool) -> None:
    if force:
        aside.replace(path)
    else:
        # link() refuses an existing name, which rename() would overwrite
        os.link(aside, path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _delivering(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise AlreadyExists(f"{path} appeared while this ran; nothing was overwritten") from None
    except OSError as error:
        reason = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else (error.strerror or "I/O error")
        raise NotDelivered(f"{path} could not be written: {reason}; nothing is there") from error
