"""Contingency tables from files: counts by categories, or records that are counted by a database."""

from auditor.formats.tables.checksum import table_checksum
from auditor.formats.tables.columns import TableOptions
from auditor.formats.tables.loaded import LoadedTable, TableNotes
from auditor.formats.tables.reading import read_table

__all__ = ["LoadedTable", "TableNotes", "TableOptions", "read_table", "table_checksum"]
