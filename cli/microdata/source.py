"""What a NAME or FILE means in the commands about files of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput, NotFound
from auditor.core.kinds import kind_named
from auditor.core.subject import split_subject
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.subjects.microdata.repository import MicrodataInfo

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
    if kind is not None and kind != "microdata" and kind_named(kind).commands is not None:
        raise BadInput(f"{argument!r} is a {kind}, and this command is about microdata; see 'auditor {kind} --help'")
    return Microdata(context.store).show(name if kind == "microdata" else argument)


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
    from auditor.formats.compression import split_compression

    path = Path(argument)
    if split_subject(argument)[0] is not None:
        return find_microdata(context, argument)
    if "/" in argument or split_compression(path.name.lower())[0].endswith(_SUFFIXES):
        if not path.exists():
            raise NotFound(f"{argument} does not exist; check the path (stored microdata: microdata:{argument})")
        return path
    from auditor.subjects.microdata.repository import Microdata

    if Microdata(context.store).exists(argument):
        return find_microdata(context, argument)
    if path.exists():
        return path
    raise NotFound(f"{argument!r} is neither stored microdata nor a file; see 'auditor microdata list'")
