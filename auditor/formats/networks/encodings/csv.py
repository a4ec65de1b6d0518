"""Edge lists as CSV: one edge a line, the first two columns or those named source and target."""

from functools import partial

from auditor.formats.networks.edge_columns import companion_for as companion_for
from auditor.formats.networks.edge_columns import read_delimited, write_delimited

read = partial(read_delimited, delimiter=",")
write = partial(write_delimited, delimiter=",")
