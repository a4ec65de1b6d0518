"""A generalized file of more records than fit in memory: written, and read back, by DuckDB."""

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.exports.destination import Destination
from auditor.formats.records.columns import Column
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.generalized.claim_record import claim_as_record, trees_as_record
from auditor.subjects.microdata.exports.generalized.domains import Domain
from auditor.subjects.microdata.exports.generalized.large_check import covering_checks
from auditor.subjects.microdata.exports.generalized.reading_back import written_types
from auditor.subjects.microdata.exports.large_file import KEY, LargeRelease
from graphkit.hierarchies.tree import Tree
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Check


class LargeGeneralizedRelease(LargeRelease):
    """Generalized records.

    Parameters
    ----------
    opened, columns, destination
        As :class:`~auditor.subjects.microdata.exports.large_file.LargeRelease` has them.
    claim : FreeformClaim
    domains : tuple of Domain
        Of the attributes of the claim. Protected.
    trees : mapping of str to Tree
        The hierarchies of those that have one.
    cells : str
        Table with the text of the attributes, ``t0`` …, by ``record``. Protected.
    covered : str
        Table of the records that each one covers, ``record`` and ``covered``. Protected.
    codes : str
        Table of the originals as numbers of values, ``record`` and ``c0`` …. Protected.
    """

    def __init__(
        self,
        opened: OpenRecords,
        claim: FreeformClaim,
        columns: tuple[Column, ...],
        domains: tuple[Domain, ...],
        trees: Mapping[str, Tree],
        cells: str,
        covered: str,
        codes: str,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claim_as_record(claim), columns, cells, destination)
        self._claim, self._domains, self._trees, self._covered, self._codes = claim, domains, trees, covered, codes

    @property
    def terms_record(self) -> Mapping[str, Any]:
        """The hierarchies, without which it could not be verified again."""
        return trees_as_record(self._trees)

    def _value(self, number: int) -> str:
        return f"replaced.t{number}"

    def _types(self) -> dict[str, str]:
        return written_types(self._claim, self._columns)

    def _checked(self) -> Sequence[Check]:
        duck = self._opened.connection
        return covering_checks(duck, self._claim, self._domains, self._codes, self._covered, KEY)
