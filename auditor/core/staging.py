"""Write aside, check, publish: files appear under their final names complete and checked, or not at all."""

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from filelock import lock_descriptor

from auditor.core.errors import AlreadyExists, BadInput, NotDelivered, NotFound

_PREFIX, _SUFFIX, _LOCK, _FILES = ".auditor-", ".part", "lock", "files"


def check_destination(path: Path, *, force: bool = False) -> None:
    """Refuse a place where a file could not be written, before any work is done.

    Raises
    ------
    NotFound
        If the folder does not exist.
    AlreadyExists
        If there is a file and `force` was not said.
    BadInput
        If the path is a folder or its folder cannot be written to.
    """
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise NotFound(f"the folder of {path} does not exist; create it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadInput(f"the folder of {path} cannot be written to; choose another one")
    if os.path.lexists(path) and not force:
        raise AlreadyExists(f"{path} exists already; choose another name or pass --force")


@contextmanager
def staging_folder(destination: Path) -> Iterator[Path]:
    """Give a hidden folder beside the destination, gone at the end; what a killed process left behind is removed too.

    Files are written in it under their final names: on the same file system, so that a rename publishes them.

    Raises
    ------
    NotDelivered
        If the folder cannot be made.
    """
    with delivering(destination):
        _remove_abandoned(destination.parent)
        folder, lock = _made_and_locked(destination.parent)
    try:
        (folder / _FILES).mkdir()
        yield folder / _FILES
    finally:
        _remove(folder)
        os.close(lock)


def _made_and_locked(parent: Path) -> tuple[Path, int]:
    while True:
        folder = parent / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
        folder.mkdir(mode=0o700)
        # before it is locked, another process may take it for abandoned and remove it
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            lock_descriptor(lock)
            if os.fstat(lock).st_nlink:
                return folder, lock
            os.close(lock)


def discard(paths: Iterable[Path]) -> None:
    """Delete files that may be there."""
    for path in paths:
        path.unlink(missing_ok=True)


def _remove_abandoned(parent: Path) -> None:
    """Remove staging folders whose process is gone: nobody holds their lock, or it ended before there was one."""
    for folder in parent.glob(f"{_PREFIX}*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            # leaves one with a lock as it is
            folder.rmdir()
            continue
        with contextlib.suppress(OSError):
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
            try:
                if lock_descriptor(lock, blocking=False):
                    _remove(folder)
            finally:
                os.close(lock)


def _remove(folder: Path) -> None:
    """Remove a staging folder, its lock after all else: who is killed meanwhile leaves what the next one can remove."""
    shutil.rmtree(folder / _FILES, ignore_errors=True)
    if not os.path.lexists(folder / _FILES):
        with contextlib.suppress(OSError):
            (folder / _LOCK).unlink()
            folder.rmdir()


@contextmanager
def written_aside(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Give a stream whose content appears at `path` when the block ends well, readable by the owner only.

    Raises
    ------
    BadInput, NotFound, AlreadyExists
        As :func:`check_destination`.
    NotDelivered
        If the file system refuses, or a file of that name appears meanwhile; nothing of this is at `path` then.
    """
    check_destination(path, force=force)
    with staging_folder(path) as folder:
        aside = folder / path.name
        with delivering(path):
            handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
        publish([aside], path.parent, force=force)


@contextmanager
def folder_written_aside(
    path: Path, names: Collection[str], *, force: bool = False, left_there: Collection[str] = ()
) -> Iterator[Path]:
    """Give a hidden folder that is called `path` when the block ends well.

    Parameters
    ----------
    path : Path
    names : collection of str
        Files that are written into it.
    force : bool
        Whether a folder that is there is replaced, if it holds nothing but such files.
    left_there : collection of str
        Files that their user leaves there, which may go as well.

    Raises
    ------
    BadInput, NotFound, AlreadyExists
        If there is no folder to make it in, or something is there already.
    NotDelivered
        If the file system refuses, or something appears there meanwhile; `path` is as it was then.
    """
    _check_folder(path, {*names, *left_there}, force=force)
    with staging_folder(path) as staged:
        aside = staged / path.name
        with delivering(path):
            aside.mkdir()
            yield aside
            for name in names:
                sync(aside / name)
            sync(aside)
            if force:
                _check_folder(path, {*names, *left_there}, force=True)
            _take_place(path, aside, staged / "replaced", force=force)
            sync(path.parent)


def _check_folder(path: Path, names: Collection[str], *, force: bool) -> None:
    if path.is_symlink() or path.is_file() or not path.name:
        raise BadInput(f"{path} is no folder that can be made or replaced; name a new one")
    if not path.is_dir():
        check_destination(path)
    elif not force:
        raise AlreadyExists(f"{path} exists already; choose another name or pass --force")
    elif not {entry.name for entry in path.iterdir()} <= set(names):
        raise BadInput(f"{path} holds other files, which --force does not delete; name a new folder")


def _take_place(path: Path, aside: Path, replaced: Path, *, force: bool) -> None:
    if not force and os.path.lexists(path):
        # a rename would overwrite an empty folder
        raise FileExistsError
    if path.exists():
        path.rename(replaced)
    try:
        aside.rename(path)
    except OSError:
        with contextlib.suppress(OSError):
            replaced.rename(path)
        raise


def sync(path: Path) -> None:
    """Make sure that a file, or the entries of a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def publish(staged: list[Path], folder: Path, *, force: bool) -> list[Path]:
    """Move staged files to their folder, in this order, each in one step; return where they are now.

    The file that counts comes last: whoever sees it finds the others.

    Raises
    ------
    NotDelivered
        If the file system refuses; or a file of that name appeared meanwhile and `force` was not said: nothing is
        overwritten then.
    """
    published: list[Path] = []
    try:
        for source in staged:
            target = folder / source.name
            with delivering(target):
                if force:
                    source.replace(target)
                else:
                    # link() refuses an existing name, which rename() would overwrite
                    os.link(source, target)
            published.append(target)
        with delivering(folder):
            sync(folder)
    except NotDelivered:
        if not force:
            for target in published:
                target.unlink(missing_ok=True)
        raise
    return published


@contextmanager
def delivering(path: Path) -> Iterator[None]:
    """Translate errors of the file system while output is written.

    Raises
    ------
    NotDelivered
        A file appeared where this one was to go, the disk is full, the folder vanished, …
    """
    try:
        yield
    except FileExistsError:
        raise NotDelivered(
            f"{path} appeared while this ran; nothing was overwritten; run it again with another name"
        ) from None
    except OSError as error:
        reason = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else (error.strerror or "I/O error")
        raise NotDelivered(f"{path} could not be written: {reason}; nothing was published") from error
