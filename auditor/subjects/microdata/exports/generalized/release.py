"""A generalized file of records that is about to be published."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from auditor.exports.destination import Destination
from auditor.formats.records.columns import Column
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.generalized.cells import written_cells
from auditor.subjects.microdata.exports.generalized.claim_record import claim_as_record, trees_as_record
from auditor.subjects.microdata.exports.generalized.domains import CodedDomains
from auditor.subjects.microdata.exports.generalized.reading_back import WrittenGeneralization
from auditor.subjects.microdata.exports.released_file import ShuffledRelease
from graphkit.arrays import Ints
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Verification


class GeneralizedRelease(ShuffledRelease):
    """Generalized records.

    Parameters
    ----------
    opened, columns, destination
        As :class:`~auditor.subjects.microdata.exports.released_file.ShuffledRelease` has them.
    claim : FreeformClaim
    coded : CodedDomains
        What the claim is about, as it was. Protected.
    behind : ndarray of int, shape (n, k)
        By the record that it is made of, the records that each published one covers; −1 of those that are left out.
        Protected.
    extents : ndarray of int, shape (published, width)
        What these are published as, by the record that each is made of. Protected.
    """

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
        super().__init__(opened, claim_as_record(claim), columns, behind, destination)
        self._claim, self._coded, self._extents = claim, coded, extents

    @property
    def terms_record(self) -> Mapping[str, Any]:
        """The hierarchies, without which it could not be verified again."""
        return trees_as_record(self._coded.trees)

    def _replaced(self) -> Sequence[Any]:
        import pyarrow as pa

        columns = []
        for own in self._coded.own_extents(self._extents):
            cells = np.full(self.published.size, None, dtype=np.object_)
            cells[self._kept] = written_cells(*own)
            columns.append(pa.array(cells, pa.string()))
        return columns

    def _verified(self, path: Path, rows: Ints) -> Verification:
        covered = self._hiding[rows]
        return WrittenGeneralization(self._opened, self._claim, self._columns, self._coded, rows, covered).verify(path)
