"""A published file of generalized records, read from the disk and held against its claim and the original."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.generalized.cells import read_cells
from auditor.subjects.microdata.exports.generalized.domains import CodedDomains, Generalizing, coded, read_domains
from auditor.subjects.microdata.exports.generalized.sensitive import read_sensitive
from auditor.subjects.microdata.exports.reading_back import RELEASED, columns_check, others_check, others_together_check
from graphkit.arrays import Ints
from graphkit.hierarchies.tree import Tree
from graphkit.microdata.consistency import consistency
from graphkit.microdata.generalization.attribute import Attribute, numeric
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify_diversity import verify_consistent, verify_seen
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
    rows: Ints | None = None
    """Row of the original of every published record, where it is known. Protected."""
    covered: Ints | None = None
    """Rows of the original that every published record covers, shape (n, k), where they are known, too. Protected."""

    def verify(self, path: Path, delimiter: str | None = None) -> Verification:
        """Verify a file, read from the disk, by code that does not import the engine."""
        connection = self.opened.connection
        with record_errors(self.opened.source, path):
            columns = columns_check(connection, path, written_types(self.claim, self.columns), delimiter)
            if not columns.passed:
                return Verification((columns,))
            extents = read_extents(connection, RELEASED, self.coded)
            if extents is None or self.claim.sorts != {domain.name: domain.kind for domain in self.coded.domains}:
                return Verification((columns, _WRONG_VALUES))
            held = self._held(extents)
            checks = [columns, *verify_freeform(self.claim, *held).checks]
            if self.covered is not None:
                known = {check.name for check in checks}
                of_key = verify_key(self.claim, *held, FreeformKey(self.covered, self.rows)).checks
                checks += [check for check in of_key if check.name not in known]
            if self.claim.demands:
                checks += self._diverse(held)
            others = [column.name for column in self.columns if column.name not in self.claim.attributes]
            if self.rows is None:
                checks.append(others_together_check(connection, others, self.claim.suppressed))
            else:
                checks.append(others_check(connection, others, self.rows))
            return Verification(tuple(checks))

    def _diverse(self, held: tuple[tuple[Attribute, ...], Ints, Ints]) -> tuple[Check, ...]:
        """Return whether originals see what is demanded; without the key, whether as many values fit them."""
        demands = self.claim.demands
        published = read_sensitive(self.opened, demands).published(self.opened.connection, RELEASED)
        if published is None:
            return (Check("diverse", False, "a sensitive value is none of the original"),)
        if self.covered is not None:
            return verify_seen(self.covered, demands, published, self.rows).checks
        attributes, extents, codes = held
        return verify_consistent(
            consistency(attributes, extents, codes), demands, published, self.claim.suppressed
        ).checks

    def _held(self, extents: Ints) -> tuple[tuple[Attribute, ...], Ints, Ints]:
        """Return attributes, extents and originals with the stratum, where there is one, as a value that stays."""
        strata = self.coded.strata
        if strata is None:
            return self.coded.attributes, extents, self.coded.codes
        numbers = numeric(np.arange(len(strata.values)))
        published = coded(self.opened.connection, RELEASED, strata.name, strata.values)[:, None]
        own = np.concatenate((self.coded.codes, strata.codes[:, None]), axis=1)
        return (*self.coded.attributes, numbers), np.concatenate((extents, published, published), axis=1), own


def read_claimed(opened: OpenRecords, claim: FreeformClaim, hierarchies: Mapping[str, str | Tree]) -> CodedDomains:
    """Return the attributes that a claim is about, as they were.

    Raises
    ------
    BadInput
        If a hierarchy is not there, or is that of another column.
    BadFile
        As :func:`~auditor.subjects.microdata.exports.generalized.domains.read_domains`.
    """
    for name, sort in claim.sorts.items():
        if sort == "tree" and name not in hierarchies:
            raise BadInput(f"{name!r} was generalized by a hierarchy; give it with --hierarchy {name}=FILE")
    nominal = tuple(name for name, sort in claim.sorts.items() if sort == "set")
    choices = Generalizing(hierarchies, nominal=nominal)
    choices.check(claim.attributes)
    return read_domains(opened, claim.attributes, choices, claim.stratum)


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
