"""What a NAME or FILE means in the commands about files of records."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.core.subject import split_subject
from cli.terminal.context import Context
from cli.terminal.subject import check_not_of_another_kind, name_or_path

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings
    from auditor.formats.records import OpenRecords
    from auditor.subjects.microdata.repository import MicrodataInfo
    from cli.microdata.options import RoleOptions

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
    is not asked, nor started. Otherwise stored microdata of that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If it is a subject of another kind.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """

    def is_stored(name: str) -> bool:
        # a file needs neither the store nor its driver
        from auditor.subjects.microdata.repository import Microdata

        return Microdata(context.store).exists(name)

    found = name_or_path(argument, "microdata", "stored microdata", is_path=_is_plainly_a_path, is_stored=is_stored)
    return found if isinstance(found, Path) else find_microdata(context, f"microdata:{found}")


def check_as_stored(info: MicrodataInfo, roles: RoleOptions, delimiter: str | None) -> None:
    """Refuse to read stored microdata in another way than they were stored.

    Raises
    ------
    BadInput
        If roles or a delimiter are given.
    """
    if not (roles.is_empty and delimiter is None):
        raise BadInput(
            f"{info.name!r} is stored, with the roles of its columns; to change them, remove it and add it again"
        )


def opened_records(
    context: Context,
    subject: MicrodataInfo | Path,
    delimiter: str | None = None,
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

        return open_records(subject, settings, delimiter=delimiter)
    # a file needs neither the store nor its driver
    from auditor.subjects.microdata.port import open_unchanged

    return open_unchanged(subject, settings)


def _is_plainly_a_path(argument: str) -> bool:
    from auditor.formats.compression import split_compression

    return "/" in argument or split_compression(Path(argument).name.lower())[0].endswith(_SUFFIXES)
