"""Records in backups, with their files of populations: files of their own beside the backup, named by checksums."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from auditor.core.digests import file_digest
from auditor.core.errors import BadFile, NotFound, StoreCorrupt
from auditor.core.kinds import OutsideContent
from auditor.core.transactions import Transaction
from auditor.formats.records.packing import copy_checked
from auditor.formats.records.roles import Roles, parse_roles
from auditor.ledger.chain import canonical_json
from auditor.store.schema.head import lock_store
from auditor.subjects.microdata.keeping import new_file, populations_beside

# read
_KEPT = """
MATCH (n:AuditorMicrodata) WHERE n.kept
RETURN n.number AS number, n.name AS name, n.path AS path, n.checksum AS checksum, n.roles AS roles ORDER BY n.name
"""
# write
_MOVE = "MATCH (n:AuditorMicrodata {number: $number}) SET n.path = $path, n.roles = $roles"


class RecordFiles(OutsideContent):
    """See :class:`~auditor.core.kinds.OutsideContent`."""

    def save(self, connection: Any, folder: Path) -> int:
        """Copy the records that the store keeps into a folder, and the files of populations that they refer to."""
        saved = 0
        for row in connection.read(_KEPT):
            target = folder / _name_of(row["checksum"])
            if not target.exists() and not copy_checked(Path(row["path"]), target, row["checksum"]):
                raise StoreCorrupt(f"the records of {row['name']!r} are not what was stored; add them again")
            saved += 1 + _save_populations(row, folder)
        return saved

    def restore(self, connection: Any, folder: Path, home: Path) -> int:
        """Copy the records of a folder into the home of the store, each with its file of populations beside it."""
        restored = 0
        for row in connection.read(_KEPT):
            if not (folder / _name_of(row["checksum"])).is_file():
                continue
            with new_file(home) as path:
                if not copy_checked(folder / _name_of(row["checksum"]), path, row["checksum"]):
                    raise BadFile(f"the records of {row['name']!r} in {folder} are damaged; copy the folder again")
                roles = _restore_populations(row, folder, path)
                _move(connection, row["number"], path, row["roles"] if roles is None else canonical_json(roles.data()))
            restored += 1 if roles is None else 2
        return restored


def _save_populations(row: Any, folder: Path) -> int:
    """Copy the file of populations of some records, if they have one, and return how many files that is."""
    populations = _roles(row).populations
    if populations is None:
        return 0
    source = Path(populations)
    try:
        checksum = file_digest(source)
    except OSError as error:
        raise NotFound(
            f"the file of populations of {row['name']!r} cannot be read ({error.strerror}); put it back, "
            "or take the backup without records"
        ) from None
    if not copy_checked(source, folder / f"{row['number']}-{checksum}.populations", checksum):
        raise BadFile(f"the file of populations of {row['name']!r} changed while it was copied; try again")
    return 1


def _restore_populations(row: Any, folder: Path, records: Path) -> Roles | None:
    """Copy the file of populations of some records beside them, and return their roles; None if none was saved."""
    # backups of earlier versions have none
    saved = next(iter(folder.glob(f"{row['number']}-*.populations")), None)
    if saved is None:
        return None
    target = populations_beside(records)
    if not copy_checked(saved, target, saved.stem.partition("-")[2]):
        raise BadFile(f"the file of populations of {row['name']!r} in {folder} is damaged; copy the folder again")
    return replace(_roles(row), populations=str(target))


def _roles(row: Any) -> Roles:
    return parse_roles(json.loads(row["roles"]))


def _move(connection: Any, number: int, path: Path, roles: str) -> None:
    def work(tx: Transaction) -> None:
        lock_store(tx)
        tx.run(_MOVE, number=number, path=str(path), roles=roles).consume()

    connection.write(work)


def _name_of(checksum: str) -> str:
    return f"{checksum}.parquet"
