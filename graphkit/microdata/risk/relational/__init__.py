"""The figures of an audit counted in DuckDB: for records whose categories do not fit in memory as numbers."""
