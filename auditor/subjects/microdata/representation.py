"""What is published of a stored file of records: names and types of columns, never a value."""

from datetime import datetime

from auditor.core.representation import Representation
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
    format: str
    kept: bool
    source: str
    created_at: datetime


def microdata_out(info: MicrodataInfo) -> MicrodataOut:
    """Return what is published of a file of records."""
    roles = info.declared
    columns = [
        ColumnOut(name=name, type=kind, role=roles.of(name))
        for name, kind in zip(info.columns, info.types, strict=True)
    ]
    return MicrodataOut.from_record(info, columns=columns)
