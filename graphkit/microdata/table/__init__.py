"""Records in a database, through Ibis: grouped part by part and verified, on DuckDB and on Spark to the same bits."""

from graphkit.microdata.table.microaggregating import microaggregate_table
from graphkit.microdata.table.result import TableMicroaggregation
from graphkit.microdata.table.verify import verify_table

__all__ = ["TableMicroaggregation", "microaggregate_table", "verify_table"]
