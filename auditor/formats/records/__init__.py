"""Files of records: text, Parquet, Stata and SPSS, read by DuckDB; the roles of their columns."""

from auditor.formats.records.opening import OpenRecords, open_records
from auditor.formats.records.roles import Roles, read_roles

__all__ = ["OpenRecords", "Roles", "open_records", "read_roles"]
