"""What is published of a stored table: names, categories and sizes, never a count."""

from datetime import datetime

from auditor.core.representation import Representation


class VariableOut(Representation):
    """A variable of a table."""

    name: str
    categories: list[str]


class TableOut(Representation):
    """A stored table."""

    name: str
    version: int
    population: str
    revision: int
    variables: list[VariableOut]
    cells: int
    source: str
    created_at: datetime
    released: int


class AddedTableOut(TableOut):
    """A table that was stored from a file."""

    remarks: list[str]
    """How the file was read, which earlier releases count, and which tables look alike: names, never a count."""
