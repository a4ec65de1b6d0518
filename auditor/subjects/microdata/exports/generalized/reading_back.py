"""A published file of generalized records, read from the disk and held against its claim and the original."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.generalized.cells import read_cells
from auditor.subjects.microdata.exports.generalized.domains import CodedDomains
from auditor.subjects.microdata.exports.reading_back import RELEASED, columns_check, others_check
from graphkit.arrays import Ints
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify_freeform import FreeformClaim, FreeformKey, verify_freeform, verify_key
from graphkit.verification import Check, Verification

_WRONG_VALUES = Check("values", False, "a value is none that stands for values of its attribute")


@dataclass(frozen=True, slots=True, eq=False)
class WrittenGeneralization:
    """What a published file should be."""

    opened: OpenRecords
    """The original."""
    claim: FreeformClaim
    columns: tuple[Column, ...]
    """Those that leave, in the order of the file."""
    coded: CodedDomains
    """What the claim is about, as it was. Protected."""
    behind: Ints
    """By the record that it is made of, the records that each published one covers, shape (n, k). Protected."""
    rows: Ints
    """Row of the original of every published record. Protected."""

    def verify(self, path: Path) -> Verification:
        """Verify a file, read from the disk, by code that does not import the engine."""
        connection = self.opened.connection
        with record_errors(self.opened.source):
            columns = columns_check(connection, path, written_types(self.claim, self.columns))
            if not columns.passed:
                return Verification((columns,))
            extents = read_extents(connection, RELEASED, self.coded)
            if extents is None:
                return Verification((columns, _WRONG_VALUES))
            others = [column.name for column in self.columns if column.name not in self.claim.attributes]
            held = self.coded.attributes, extents, self.coded.codes
            hidden = verify_freeform(self.claim, *held).checks
            of_key = verify_key(self.claim, *held, FreeformKey(self.behind[self.rows], self.rows)).checks
            known = {check.name for check in hidden}
            checks = (*hidden, *(check for check in of_key if check.name not in known))
            return Verification((columns, *checks, others_check(connection, others, self.rows)))


def written_types(claim: FreeformClaim, columns: tuple[Column, ...]) -> dict[str, str]:
    """Return the columns that leave with the types in which they are published: what is generalized is text."""
    text = (*claim.attributes, *(column.name for column in columns if column.type == "ENUM"))
    return {column.name: "VARCHAR" if column.name in text else column.type for column in columns}


def read_extents(connection: Any, relation: str, coded: CodedDomains) -> Ints | None:
    """Return what every record of a relation stands for, shape (n, width); None if a cell is nothing of that sort."""
    parts = []
    for domain in coded.domains:
        selected = f"SELECT CAST({quoted(domain.name)} AS VARCHAR) FROM {quoted(relation)}"
        cells = connection.execute(selected).to_arrow_table().column(0).to_pylist()
        part = read_cells(domain, cells)
        if part is None:
            return None
        parts.append(part)
    return np.concatenate(parts, axis=1)
