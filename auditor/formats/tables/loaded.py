"""What a file of a contingency table holds once it is read."""

from dataclasses import dataclass

from auditor.formats.tables.checksum import table_checksum
from graphkit.tables.structure.contingency import ContingencyTable


@dataclass(frozen=True, slots=True)
class TableNotes:
    """What a reader decided or left out; names of variables and categories only, so it may be shown."""

    format: str
    remarks: tuple[str, ...] = ()
    """One sentence each."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTable:
    """A contingency table as read from a file or the store.

    Parameters
    ----------
    table : ContingencyTable
        Its counts are protected; names of variables and categories are not.
    notes : TableNotes

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([3, 4], [Variable("ill", ("no", "yes"))])
    >>> turned = ContingencyTable.from_dense([4, 3], [Variable("ill", ("yes", "no"))])
    >>> LoadedTable(table).checksum == LoadedTable(turned).checksum
    True
    """

    table: ContingencyTable
    notes: TableNotes = TableNotes(format="memory")

    @property
    def checksum(self) -> str:
        """Of the content, whatever the order of rows and columns; see :func:`table_checksum`. Protected."""
        return table_checksum(self.table)
