"""Edge lists as TSV: as CSV, with tabs."""

from functools import partial

from auditor.formats.networks.edge_columns import companion_for as companion_for
from auditor.formats.networks.edge_columns import read_delimited, write_delimited

read = partial(read_delimited, delimiter="\t")
write = partial(write_delimited, delimiter="\t")
