"""Where the files of an export wait for a second person: hidden, beside their place, for their owner alone.

They are on the file system of their place, so that they appear there by a link, each in one step.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from auditor.core.digests import file_digest
from auditor.core.errors import Refused
from auditor.core.staging import delivering, publish, sync

_LOCK = ".lock"


def held_folder(path: Path, export: str) -> Path:
    """Return the folder where the files of an export wait that is to appear at `path`.

    Examples
    --------
    >>> held_folder(Path("out/released.csv"), "8d1e").as_posix()
    'out/.auditor-8d1e.held'
    """
    return path.parent / f".auditor-{export}.held"


def hold(staged: Sequence[Path], path: Path, export: str) -> list[Path]:
    """Move the folder with the staged files to where they wait; return where they are now.

    Raises
    ------
    NotDelivered
        If the file system refuses.
    """
    folder = held_folder(path, export)
    with delivering(path):
        staged[0].parent.chmod(0o700)
        staged[0].parent.rename(folder)
        sync(folder.parent)
    return [folder / file.name for file in staged]


@contextmanager
def holding(path: Path, export: str) -> Iterator[Path | None]:
    """Keep others from publishing or deleting the held files meanwhile; gives their folder, None if it is gone."""
    folder = held_folder(path, export)
    try:
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield None
        return
    try:
        lock_descriptor(lock)
        # the process that had the lock before may have ended it
        yield folder if folder.is_dir() else None
    finally:
        os.close(lock)


def check_held(folder: Path, digests: Mapping[str, str]) -> None:
    """Make sure that every file waits as it was verified.

    Raises
    ------
    Refused
        If one is missing or was changed.
    """
    for name, digest in digests.items():
        found = _digest(folder / name)
        if found is None:
            raise Refused(f"the staged file {name} is missing in {folder}; reject it and make the export again")
        if found != digest:
            raise Refused(f"the staged file {name} in {folder} was changed; reject it and make the export again")


def publish_held(folder: Path | None, path: Path, digests: Mapping[str, str], *, force: bool) -> None:
    """Let the held files appear, the network last; those that are in their place already stay there.

    It may be done again after it was broken off.

    Raises
    ------
    Refused
        If a file is neither held nor in its place.
    NotDelivered
        If the file system refuses, or another file has the name by now.
    """
    # the network last: a reader who sees it finds the others
    names = sorted(digests, key=lambda name: (name == path.name, name))
    left = [name for name in names if _digest(path.parent / name) != digests[name]]
    if folder is None and left:
        raise Refused(f"the staged file of {path} is gone; make the export again")
    if folder is not None and left:
        check_held(folder, {name: digests[name] for name in left})
        publish([folder / name for name in left], path.parent, force=force)


def discard_held(path: Path, export: str) -> None:
    """Delete held files; the files in their place stay."""
    shutil.rmtree(held_folder(path, export), ignore_errors=True)


def _digest(file: Path) -> str | None:
    """Return the checksum of a file, None if there is none that can be read; never of what a link points to."""
    try:
        return None if file.is_symlink() else file_digest(file)
    except OSError:
        return None
