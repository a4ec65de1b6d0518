"""The Adult file as the literature on freeform generalization uses it: eight quasi-identifiers, age a number."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphkit.microdata import Attribute, nominal, numeric

Codes = NDArray[np.int64]

_SENSITIVE, _NUMERIC = "salary-class", "age"
_PLACES = ("microdata/adult/adult.csv.gz", "adult/adult.csv.gz", "adult.csv.gz")


class Adult(NamedTuple):
    """Records as codes, over the domains of the whole file."""

    attributes: list[Attribute]
    codes: Codes
    names: list[str]
    """Of the attributes."""
    salaries: Codes
    """The sensitive column, as numbers of its two classes."""

    def sampled_salaries(self, n: int) -> Codes:
        """Return the salary classes of the records of :meth:`sample`."""
        return self.salaries[np.random.RandomState(0).permutation(len(self.codes))[:n]]

    def sample(self, n: int) -> Codes:
        """Return n records, drawn always the same way."""
        order = np.random.RandomState(0).permutation(len(self.codes))
        return self.codes[order[:n]]

    def synthetic(self, n: int) -> Codes:
        """Return n records that have nothing but the distribution of every attribute in common with the file."""
        rng = np.random.default_rng(0)
        columns = [rng.choice(column, n) for column in self.codes.T]
        return np.column_stack(columns)


def load_adult(data_dir: Path | None) -> Adult | None:
    """Return the file, or None where it is not at hand."""
    found = [data_dir / place for place in _PLACES if (data_dir / place).exists()] if data_dir is not None else []
    if not found:
        return None
    with gzip.open(found[0], "rt", newline="", encoding="utf-8") as stream:
        names, *rows = csv.reader(stream, delimiter=";")
    attributes: list[Attribute] = []
    columns, kept = [], []
    salaries = np.empty(0, dtype=np.int64)
    for place, name in enumerate(names):
        column = np.array([row[place] for row in rows])
        if name == _SENSITIVE:
            salaries = np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64)
            continue
        kept.append(name)
        values = column.astype(np.float64) if name == _NUMERIC else column
        domain, codes = np.unique(values, return_inverse=True)
        attributes.append(numeric(domain) if name == _NUMERIC else nominal(domain.size))
        columns.append(codes.reshape(-1))
    return Adult(attributes, np.column_stack(columns).astype(np.int64), kept, salaries)
