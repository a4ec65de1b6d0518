"""A generalized file of records that is about to be published."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from auditor.exports.destination import Destination
from auditor.exports.key_file import write_key
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.text import literal
from auditor.subjects.microdata.exports.generalized.cells import written_cells
from auditor.subjects.microdata.exports.generalized.claim_record import claim_as_record, trees_as_record
from auditor.subjects.microdata.exports.generalized.domains import CodedDomains
from auditor.subjects.microdata.exports.generalized.reading_back import WrittenGeneralization
from auditor.subjects.microdata.exports.key import RecordsKey
from auditor.subjects.microdata.exports.reading_back import copy_options
from auditor.subjects.microdata.exports.released_file import FileRelease
from graphkit.arrays import Ints
from graphkit.machine import fresh_permutation
from graphkit.microdata.generalization.extents import layout_of
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Verification

_ORDER = "auditor row order"


class GeneralizedRelease(FileRelease):
    """Generalized records in a new order; see :class:`~auditor.exports.publishing.Release`.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    claim : FreeformClaim
    columns : tuple of Column
        Those that leave, in the order of the file.
    coded : CodedDomains
        What the claim is about, as it was. Protected.
    behind : ndarray of int, shape (n, k)
        By the record that it is made of, the records that each published one covers. Protected.
    extents : ndarray of int, shape (n, width)
        What these are published as. Protected.
    destination : Destination
        Where it goes.
    """

    published: Ints
    """``published[i]`` is the row at which record i of the original is published. Protected."""

    def __init__(
        self,
        opened: OpenRecords,
        claim: FreeformClaim,
        columns: tuple[Column, ...],
        coded: CodedDomains,
        behind: Ints,
        extents: Ints,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claim_as_record(claim), columns, destination)
        self._claim, self._coded, self._behind, self._extents = claim, coded, behind, extents
        self.published = fresh_permutation(behind.shape[0])

    @property
    def key(self) -> Ints:
        """The published row of every record, and the records that may be behind it: what others are held against."""
        return RecordsKey(self.published, self._behind).numbers

    @property
    def terms_record(self) -> Mapping[str, Any]:
        """The hierarchies, without which it could not be verified again."""
        return trees_as_record(self._coded.trees)

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        import pyarrow as pa

        connection, offsets = self._opened.connection, layout_of(self._coded.attributes).offsets
        held = [
            pa.array(written_cells(domain, self._extents[:, offsets[place] : offsets[place + 1]]), pa.string())
            for place, domain in enumerate(self._coded.domains)
        ]
        names = [*self._claim.attributes, _ORDER]
        connection.register("generalized", pa.table([*held, pa.array(self.published)], names=names))
        selected = ", ".join(
            f"{'generalized' if column.name in self._claim.attributes else 'records'}.{quoted(column.name)}"
            for column in self._columns
        )
        with record_errors(self._opened.source), translated_errors(writing=aside):
            # the order of the file joins both; the new order is that of the random rows
            connection.execute(
                f'COPY (SELECT {selected} FROM "{VIEW}" AS records POSITIONAL JOIN generalized '
                f"ORDER BY generalized.{quoted(_ORDER)}) TO {literal(str(aside))} ({copy_options(aside)})"
            )
        connection.unregister("generalized")
        return [aside]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        rows = np.argsort(self.published)
        file = WrittenGeneralization(self._opened, self._claim, self._columns, self._coded, self._behind, rows)
        checked = file.verify(written[0])
        # of what was read, and of what the claim is about
        self._opened.check_unchanged()
        return checked

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        write_key(path, np.arange(self.published.size), self.published)
