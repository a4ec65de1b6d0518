"""Edge tables larger than memory on this machine: Parquet files in DuckDB, with bounded memory."""

from auditor.formats.edge_tables.opening import open_counter, open_database
from auditor.formats.edge_tables.reading import read_edge_table

__all__ = ["open_counter", "open_database", "read_edge_table"]
