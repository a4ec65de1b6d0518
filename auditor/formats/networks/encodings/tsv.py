"""Edge lists as TSV: as CSV, with tabs."""

from functools import partial

from auditor.formats.networks.encodings import csv

read = partial(csv.read, preferred="\t")
companion_for = csv.companion_for
write = partial(csv.write, delimiter="\t")
