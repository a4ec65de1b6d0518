"""Records in a database, through Ibis: protected part by part and verified, on DuckDB and on Spark to the same bits."""

from graphkit.microdata.table.drawing import drawn_table
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.table.generalizing import generalize_table
from graphkit.microdata.table.microaggregating import microaggregate_table
from graphkit.microdata.table.result import TableMicroaggregation
from graphkit.microdata.table.verify import verify_table
from graphkit.microdata.table.verify_generalized import verify_generalized_table

__all__ = [
    "TableGeneralization",
    "TableMicroaggregation",
    "drawn_table",
    "generalize_table",
    "microaggregate_table",
    "verify_generalized_table",
    "verify_table",
]
