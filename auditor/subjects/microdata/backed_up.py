"""Records in backups: files of their own beside the backup, named by their checksums."""

from pathlib import Path
from typing import Any

from auditor.core.errors import BadFile, StoreCorrupt
from auditor.core.kinds import OutsideContent
from auditor.core.transactions import Transaction
from auditor.formats.records.packing import copy_checked
from auditor.store.schema.head import lock_store
from auditor.subjects.microdata.keeping import new_file

# read
_KEPT = """
MATCH (n:AuditorMicrodata) WHERE n.kept
RETURN n.number AS number, n.name AS name, n.path AS path, n.checksum AS checksum ORDER BY n.name
"""
# write
_MOVE = "MATCH (n:AuditorMicrodata {number: $number}) SET n.path = $path"


class RecordFiles(OutsideContent):
    """See :class:`~auditor.core.kinds.OutsideContent`."""

    def save(self, connection: Any, folder: Path) -> int:
        """Copy the records that the store keeps into a folder."""
        rows = connection.read(_KEPT)
        for row in rows:
            target = folder / _name_of(row["checksum"])
            if not target.exists() and not copy_checked(Path(row["path"]), target, row["checksum"]):
                raise StoreCorrupt(f"the records of {row['name']!r} are not what was stored; add them again")
        return len(rows)

    def restore(self, connection: Any, folder: Path, home: Path) -> int:
        """Copy the records of a folder into the home of the store."""
        rows = [row for row in connection.read(_KEPT) if (folder / _name_of(row["checksum"])).is_file()]
        for row in rows:
            with new_file(home) as path:
                if not copy_checked(folder / _name_of(row["checksum"]), path, row["checksum"]):
                    raise BadFile(f"the records of {row['name']!r} in {folder} are damaged; copy the folder again")
                _move(connection, row["number"], path)
        return len(rows)


def _move(connection: Any, number: int, path: Path) -> None:
    def work(tx: Transaction) -> None:
        lock_store(tx)
        tx.run(_MOVE, number=number, path=str(path)).consume()

    connection.write(work)


def _name_of(checksum: str) -> str:
    return f"{checksum}.parquet"
