"""Files of records in the store: a node says what they are, the records stay in a file beside the data."""

import json
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from auditor.core.errors import AlreadyExists, BadInput
from auditor.core.names import check_name
from auditor.core.transactions import Transaction
from auditor.exports.keys import forget_key
from auditor.formats.records.packing import PackedRecords
from auditor.formats.records.roles import Roles, parse_roles
from auditor.ledger.chain import canonical_json
from auditor.store.records import columns, decode, encode
from auditor.store.repository import NewEntry
from auditor.store.subjects import check_unchanged
from auditor.subjects.microdata.keeping import delete_kept
from auditor.subjects.named import NamedSubjects

_LARGEST = 1 << 53


@dataclass(frozen=True, slots=True)
class MicrodataInfo:
    """What the store knows of a file of records; no value of them."""

    number: int
    """Random; tells it apart from another one of its name."""
    name: str
    records: int
    columns: tuple[str, ...]
    types: tuple[str, ...]
    """Of each column, as DuckDB calls it."""
    roles: str
    """Of the columns, as canonical JSON."""
    path: str
    """Where the records are."""
    kept: bool
    """Whether the file there is the store's own, and goes with the node."""
    format: str
    checksum: str
    """SHA-256 of the file."""
    source: str
    """Where it came from, such as the name of the file."""
    created_at: datetime
    follows: int | None = None
    """Number of the records of which these are a later version."""
    delimiter: str | None = None
    """Of a text file; None where it is found out."""
    missing: tuple[str, ...] = ()
    """What stood for a missing value in a text file, beside empty fields."""

    @property
    def declared(self) -> Roles:
        """Roles of the columns."""
        return parse_roles(json.loads(self.roles))


_COLUMNS = f"RETURN {columns(MicrodataInfo, 'n')} AS info"
# read
_LIST = f"MATCH (n:AuditorMicrodata) {_COLUMNS} ORDER BY n.name"
# read
_SHOW = f"MATCH (n:AuditorMicrodata {{name: $name}}) {_COLUMNS}"
# read
_EXISTS = "MATCH (n:AuditorMicrodata {name: $name}) RETURN count(n) AS found"
# read
_NUMBER = "MATCH (n:AuditorMicrodata {name: $name}) RETURN n.number AS number"
# write
_CREATE = "CREATE (n:AuditorMicrodata) SET n = $properties"
# write
_REMOVE = """
MATCH (n:AuditorMicrodata {name: $name, number: $number})
OPTIONAL MATCH (x:AuditorExport)-[:FROM]->(n)
WITH n, collect(x.id) AS exports
DETACH DELETE n
RETURN exports
"""


class Microdata(NamedSubjects[MicrodataInfo]):
    """The files of records of a store."""

    family = "microdata"
    list_query, show_query, exists_query = _LIST, _SHOW, _EXISTS

    def check_free(self, name: str) -> None:
        """Refuse a name under which nothing could be added, before there is anything to add.

        Raises
        ------
        BadInput
            If the name cannot be stored.
        AlreadyExists
            If there is a file of records of that name.
        """
        check_name(name)
        if self.exists(name):
            raise _taken(name)

    def add(
        self,
        name: str,
        packed: PackedRecords,
        roles: Roles,
        *,
        source: str,
        actor: str,
        kept: bool = True,
        follows: str | None = None,
        delimiter: str | None = None,
        missing: Sequence[str] = (),
    ) -> MicrodataInfo:
        """Store what is known of a file of records under a new name.

        Parameters
        ----------
        name : str
            One line of text, up to 200 characters.
        packed : PackedRecords
            The file, as it is on the disk already.
        roles : Roles
            Of its columns.
        source : str
            Where it came from, such as the name of the file.
        actor : str
            Who adds it.
        kept : bool
            Whether the file belongs to the store, and is deleted with the name.
        follows : str, optional
            Name of stored records of which these are a later version, by the record keys of both.
        delimiter, missing : optional
            How the file was read, as :func:`~auditor.formats.records.opening.open_records` takes it: a file that stays
            where it is is read so again.

        Raises
        ------
        BadInput
            If the name cannot be stored, a column with a role is not there, or a record key is missing.
        NotFound
            If there are no records that they should follow.
        AlreadyExists
            If there is a file of records of that name.
        """
        check_name(name)
        roles.check(column.name for column in packed.columns)
        earlier = None if follows is None else self._followed(follows, roles)
        info = MicrodataInfo(
            number=1 + secrets.randbelow(_LARGEST),
            name=name,
            records=packed.rows,
            columns=tuple(column.name for column in packed.columns),
            types=tuple(column.type for column in packed.columns),
            roles=canonical_json(roles.data()),
            path=str(packed.path),
            kept=kept,
            format=packed.format,
            checksum=packed.checksum,
            source=source,
            created_at=datetime.fromisoformat(self._ledger.now()),
            follows=None if earlier is None else earlier.number,
            delimiter=delimiter,
            missing=tuple(missing),
        )

        def work(tx: Transaction) -> NewEntry | None:
            found = tx.run(_NUMBER, name=name).single()
            if found is not None:
                if found["number"] == info.number:
                    return None
                raise _taken(name)
            tx.run(_CREATE, properties=encode(info)).consume()
            # no checksum and no count of records: whoever reads the ledger could test guesses by them
            payload = {"microdata": info.number, "source": source, "roles": roles.data()}
            if earlier is not None:
                check_unchanged(tx, f"microdata:{earlier.name}", earlier.number)
                payload["follows"] = earlier.number
            return NewEntry("microdata_added", payload, actor, f"microdata:{name}")

        self.change(work)
        return self.show(name)

    def _followed(self, name: str, roles: Roles) -> MicrodataInfo:
        earlier = self.show(name)
        if roles.record_key is None or earlier.declared.record_key is None:
            which = "these records" if roles.record_key is None else f"{name!r}"
            raise BadInput(f"{which} have no record key, so that nobody knows who is in both; declare one")
        return earlier

    def followed_by(self, info: MicrodataInfo) -> str | None:
        """Return the name of the records of which these are a later version, if they are stored."""
        return next((one.name for one in self.list() if one.number == info.follows), None)

    def versions(self, info: MicrodataInfo) -> list[MicrodataInfo]:
        """Return all other stored versions of records, earlier and later, by name."""
        known = self.list()
        family, before = {info.number}, 0
        while len(family) > before:
            before = len(family)
            for one in known:
                if one.follows is not None and family & {one.number, one.follows}:
                    family |= {one.number, one.follows}
        return [one for one in known if one.number in family and one.number != info.number]

    def record_values_view(self, info: MicrodataInfo, *, actor: str) -> None:
        """Record that a person is about to see values that single records out.

        Raises
        ------
        NotFound
            If there is none of that name any more.
        StoreConflict
            If there is another one by now.
        """

        def work(tx: Transaction) -> NewEntry:
            check_unchanged(tx, f"microdata:{info.name}", info.number)
            return NewEntry("records_shown", {"microdata": info.number}, actor, f"microdata:{info.name}")

        self.change(work)

    def remove(self, name: str, *, actor: str) -> None:
        """Remove a file of records, and the store's own file with it; the ledger keeps its entries.

        Raises
        ------
        NotFound
            If there is none of that name.
        """
        info, info_subject = self.show(name), f"microdata:{name}"

        def work(tx: Transaction) -> NewEntry | None:
            removed = tx.run(_REMOVE, name=name, number=info.number).single()
            if removed is None:
                # the transaction may run again after it was committed
                return None
            # what tells which record is which is as protected as the records, and goes with them
            for export in removed["exports"]:
                forget_key(tx, export)
            return NewEntry("microdata_removed", {"microdata": info.number}, actor, info_subject)

        self.change(work)
        if info.kept:
            delete_kept(Path(info.path))

    @staticmethod
    def _info(record: dict[str, Any]) -> MicrodataInfo:
        return decode(MicrodataInfo, record["info"])


def _taken(name: str) -> AlreadyExists:
    return AlreadyExists(
        f"there is microdata {name!r} already; choose another name. To replace it: auditor microdata remove "
        f"{shlex.quote(name)}, which also deletes the keys of its exports, then add it again"
    )
