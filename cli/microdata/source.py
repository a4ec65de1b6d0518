"""What a NAME or FILE means in the commands about files of records."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.core.subject import split_subject
from cli.terminal.context import Context
from cli.terminal.subject import check_not_of_another_kind, name_or_path

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings
    from auditor.formats.records import OpenRecords
    from auditor.formats.records.roles import Roles
    from auditor.subjects.microdata.exports.stored_records import StoredRecords
    from auditor.subjects.microdata.repository import MicrodataInfo
    from cli.microdata.options import Reading, RoleOptions

_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".dta", ".sav", ".zsav")


def find_microdata(context: Context, argument: str) -> MicrodataInfo:
    """Return the stored microdata that an argument means, `NAME` or `microdata:NAME`.

    Raises
    ------
    NotFound
        If there is none of that name.
    BadInput
        If it is a subject of another kind.
    """
    from auditor.subjects.microdata.repository import Microdata

    kind, name = split_subject(argument)
    if kind != "microdata":
        check_not_of_another_kind(argument, kind, "microdata")
        name = argument
    return Microdata(context.store).show(name)


def find_microdata_or_file(context: Context, argument: str) -> MicrodataInfo | Path:
    """Return the stored microdata or the file that an argument means.

    `microdata:NAME` is always stored. What has a folder in it or ends like a known format is always a file: the store
    is not asked, nor started. So is an address, such as `s3://bucket/people.parquet`, of which a copy is made until the
    program ends. Otherwise stored microdata of that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If it is a subject of another kind, or nothing can be read at an address.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """
    from auditor.formats.records.remote import is_remote

    if is_remote(argument):
        return local_copy(context, argument)

    def is_stored(name: str) -> bool:
        # a file needs neither the store nor its driver
        from auditor.subjects.microdata.repository import Microdata

        return Microdata(context.store).exists(name)

    found = name_or_path(argument, "microdata", "stored microdata", is_path=_is_plainly_a_path, is_stored=is_stored)
    return found if isinstance(found, Path) else find_microdata(context, f"microdata:{found}")


def local_copy(context: Context, address: str) -> Path:
    """Return a copy of the file at an address; it is gone when the program ends.

    Raises
    ------
    BadInput, RoomExhausted
        As :func:`auditor.formats.records.remote.fetched`.
    """
    from auditor.formats.records.remote import fetched

    return context.until_end(fetched(address, context.settings.edge_table.folder))


def check_as_stored(info: MicrodataInfo, roles: RoleOptions, reading: Reading) -> None:
    """Refuse to read stored microdata in another way than they were stored.

    Raises
    ------
    BadInput
        If roles, or how to read a file, are given.
    """
    if not (roles.is_empty and reading.is_empty):
        raise BadInput(
            f"{info.name!r} is stored, with the roles of its columns and as it was read; to change them, remove it and "
            "add it again"
        )


@dataclass(frozen=True, slots=True)
class ToProtect:
    """Records that are to be protected."""

    subject: MicrodataInfo | Path
    name: str
    """What an answer calls them."""
    roles: Roles
    """Declared by options, or as the records are stored."""

    @property
    def info(self) -> MicrodataInfo | None:
        """What the store knows of them; None for a file."""
        return None if isinstance(self.subject, Path) else self.subject

    def stored(self, context: Context) -> StoredRecords | None:
        """Return them with their store; None for a file."""
        if self.info is None:
            return None
        from auditor.subjects.microdata.exports.stored_records import StoredRecords

        return StoredRecords(context.store, self.info)


def to_protect(context: Context, argument: str, roles: RoleOptions, reading: Reading) -> ToProtect:
    """Return the records that an argument means, with their roles.

    Raises
    ------
    NotFound, BadInput, StoreUnavailable
        As :func:`find_microdata_or_file` and :func:`check_as_stored`.
    """
    subject = find_microdata_or_file(context, argument)
    if isinstance(subject, Path):
        return ToProtect(subject, argument, roles.declared())
    check_as_stored(subject, roles, reading)
    return ToProtect(subject, subject.name, subject.declared)


def opened_records(
    context: Context,
    subject: MicrodataInfo | Path,
    reading: Reading | None = None,
    settings: EdgeTableSettings | None = None,
) -> AbstractContextManager[OpenRecords]:
    """Return the records of a file, or of stored microdata whose file did not change, open until the block ends.

    Raises
    ------
    BadFile
        If the file cannot be read, or is another one than was stored.
    """
    settings = settings or context.settings.edge_table
    if isinstance(subject, Path):
        from auditor.formats.records import open_records

        if reading is None:
            return open_records(subject, settings)
        return open_records(subject, settings, delimiter=reading.delimiter, missing=reading.missing)
    # a file needs neither the store nor its driver
    from auditor.subjects.microdata.port import open_unchanged

    return open_unchanged(subject, settings)


def note_missing_words(context: Context, opened: OpenRecords) -> None:
    """Say which columns of a text file would be numbers but for words such as `NA`."""
    from auditor.formats.records.missing import missing_words

    context.output.note(*(found.remark for found in missing_words(opened)))


def _is_plainly_a_path(argument: str) -> bool:
    from auditor.formats.compression import split_compression

    return "/" in argument or split_compression(Path(argument).name.lower())[0].endswith(_SUFFIXES)
