"""What kinds of subjects keep in files beside the store: in backups if it is asked for, and back again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import AlreadyExists, BadFile
from auditor.core.kinds import outside_contents
from auditor.core.staging import delivering, staging_folder, sync

if TYPE_CHECKING:
    from auditor.store.connection import Connection


def files_beside(backup: Path) -> Path:
    """Return the folder of the files that belong to a backup.

    Examples
    --------
    >>> files_beside(Path("backup.jsonl.zst")).name
    'backup.jsonl.zst.files'
    """
    return backup.with_name(f"{backup.name}.files")


def save_files(connection: Connection, backup: Path, *, force: bool = False) -> int:
    """Copy what the kinds of subjects keep in files into the folder beside a backup, and return how many files.

    The folder appears when it is whole, readable by its owner only.

    Raises
    ------
    AlreadyExists
        If there is one and `force` was not said.
    NotDelivered
        If it cannot be written.
    StoreCorrupt
        If a file is not what was stored.
    """
    target = files_beside(backup)
    if target.exists() and not force:
        raise AlreadyExists(f"{target} exists already; choose another name or pass --force")
    with staging_folder(target) as folder:
        saved = 0
        for content in outside_contents():
            with delivering(target):
                saved += content.save(connection, folder)
        with delivering(target):
            if target.exists():
                shutil.rmtree(target)
            os.chmod(folder, 0o700)
            folder.rename(target)
            sync(target.parent)
    return saved


def restore_files(connection: Connection, backup: Path, home: Path) -> int:
    """Put the files beside a backup into the home of the local store, if there are any, and return how many.

    Raises
    ------
    BadFile
        If a file is not what was saved.
    NotDelivered
        If they cannot be written.
    """
    folder = files_beside(backup)
    if not folder.is_dir():
        return 0
    try:
        return sum(content.restore(connection, folder, home) for content in outside_contents())
    except OSError as error:
        raise BadFile(f"{folder} cannot be read ({error.strerror}); copy it again") from error
