"""What is published of a stored file of records: names and types of columns, never a value."""

from datetime import datetime
from typing import Literal

from auditor.core.representation import Representation
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.repository import MicrodataInfo


class ColumnOut(Representation):
    """A column of a file of records."""

    name: str
    type: str
    role: str


class MicrodataOut(Representation):
    """A stored file of records."""

    name: str
    records: int
    columns: list[ColumnOut]
    geography: list[str]
    """Columns whose values together name a geographic unit."""
    population_from: Literal["file", "weights"] | None
    """What says how many people live in each unit; where a file is, is not published."""
    format: str
    kept: bool
    source: str
    created_at: datetime


class AddedMicrodataOut(MicrodataOut):
    """A file of records that was stored."""

    remarks: list[str]
    """How the file was read: names of columns and words for a missing value."""


def microdata_out(info: MicrodataInfo) -> MicrodataOut:
    """Return what is published of a file of records."""
    roles = info.declared
    columns = [
        ColumnOut(name=name, type=kind, role=roles.of(name))
        for name, kind in zip(info.columns, info.types, strict=True)
    ]
    return MicrodataOut.from_record(
        info, columns=columns, geography=list(roles.geography), population_from=_population_from(roles)
    )


def _population_from(roles: Roles) -> Literal["file", "weights"] | None:
    if not roles.geography:
        return None
    if roles.populations is not None:
        return "file"
    return None if roles.weight is None else "weights"
