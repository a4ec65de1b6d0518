"""Messages to a file, one line of JSON each, for a collector on this machine."""

import os
import stat
from pathlib import Path

from filelock import lock_descriptor

from auditor.notifications.failure import NotSent


def append_line(path: Path, line: str) -> None:
    """Append a line to a file and have it on the disk; whole, or not at all.

    Parameters
    ----------
    path : Path
        Made, for its owner alone, if it is not there; its folder must be.
    line : str
        Without line breaks.

    Raises
    ------
    NotSent
        If it is no regular file, or the system refuses.
    """
    data = line.encode("utf-8") + b"\n"
    # a pipe without a reader would wait for one
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    try:
        file = os.open(path, flags, 0o600)
    except OSError as error:
        raise _refused(error) from None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise NotSent("the file is no regular file")
        # other senders append, too
        lock_descriptor(file)
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            # whoever wrote last was killed over it
            data = b"\n" + data
        try:
            if os.write(file, data) < len(data):
                raise NotSent("there is no room for the whole line")
            os.fsync(file)
            if not size:
                _sync_folder(path.parent)
        except (OSError, NotSent):
            os.ftruncate(file, size)
            raise
    except OSError as error:
        raise _refused(error) from None
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk, too."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _refused(error: OSError) -> NotSent:
    return NotSent(f"the file could not be written ({os.strerror(error.errno or 0)})")
