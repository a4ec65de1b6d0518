"""What a full disk leaves in the transaction log, and how the next start gets over it.

A log that could not be written ends in half a transaction, which nobody was told to be recorded. Neo4j then panics, and
its next start refuses such a log unless it is told to cut the end off. It is told so after a panic and never otherwise:
at any other time a log that cannot be read means damage, which must not be passed over.
"""

import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path

_ROOM = 150_000_000


class LogRepair:
    """Remembers over the end of the process that the database panicked.

    Parameters
    ----------
    home : Path
        Home of the database.
    """

    def __init__(self, home: Path) -> None:
        self._sound = home / "sound"
        self._panicked = home / "panicked"
        self._logs = home / "data" / "transactions"
        self._copy = home / "before-repair"

    def begin(self) -> None:
        """Before a start: keep a copy of a log whose end will be cut off."""
        # The mark is made now and renamed later: a full disk lets nothing be created.
        self._sound.touch()
        if self._panicked.exists() and self._logs.exists():
            shutil.rmtree(self._copy, ignore_errors=True)
            # Neo4j keeps what it cuts off, too: a copy must not fill the disk that has just been full.
            size = sum(file.stat().st_size for file in self._logs.rglob("*") if file.is_file())
            if size < shutil.disk_usage(self._logs).free - _ROOM:
                shutil.copytree(self._logs, self._copy)

    @property
    def configuration(self) -> Mapping[str, str]:
        """Settings of the database for this start."""
        return {"internal.dbms.tx_log.fail_on_corrupted_log_files": "false"} if self._panicked.exists() else {}

    def done(self) -> None:
        """After a start that succeeded."""
        self._panicked.unlink(missing_ok=True)

    def request(self) -> None:
        """After a panic: have the next start cut the log off where it breaks."""
        with contextlib.suppress(OSError):
            self._sound.replace(self._panicked)
