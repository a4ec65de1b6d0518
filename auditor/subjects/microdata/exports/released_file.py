"""A protected file of records that is about to be published."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from auditor.exports.destination import Destination, check_place
from auditor.exports.key_file import write_key
from auditor.exports.publishing import Release
from auditor.formats.edge_tables.errors import translated_errors
from auditor.formats.records.columns import Column
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.text import literal
from auditor.subjects.microdata.exports.attributes.reading import ReadRecords
from auditor.subjects.microdata.exports.attributes.writing import arrow_columns, selected_columns
from auditor.subjects.microdata.exports.claim_record import claim_as_record
from auditor.subjects.microdata.exports.key import RecordsKey
from auditor.subjects.microdata.exports.reading_back import WrittenRecords, copy_options, format_written
from graphkit.arrays import Floats, Ints
from graphkit.machine import fresh_permutation
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim
from graphkit.verification import Verification

_ORDER = "auditor row order"


def check_records_place(destination: Destination, sources: tuple[Path, ...] = ()) -> None:
    """Refuse a destination that could not, or must not, be written to.

    Raises
    ------
    NotFound, AlreadyExists, BadInput
        As :func:`auditor.exports.destination.check_place`; or if the suffix says no format that is written.
    """
    format_written(destination.path)
    check_place(destination, sources)


class FileRelease(Release):
    """What all protected files of records claim, and where they may go."""

    def __init__(
        self, opened: OpenRecords, claimed: Mapping[str, Any], columns: tuple[Column, ...], destination: Destination
    ) -> None:
        self._opened, self._claimed, self._columns, self.destination = opened, claimed, columns, destination
        suffix = destination.path.suffix.lower().removeprefix(".")
        self.format = "parquet" if format_written(destination.path) == "parquet" else suffix

    @property
    def claim_record(self) -> Mapping[str, Any]:
        """What it claims in public, as JSON holds it."""
        return self._claimed

    def check_place(self) -> None:
        """Refuse a destination that cannot, or must not, be written to."""
        check_records_place(self.destination, (self._opened.source.path,))


class RecordsRelease(FileRelease):
    """Records with the values of their groups, in a new order; see :class:`~auditor.exports.publishing.Release`.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    claim : GroupClaim
    columns : tuple of Column
        Those that leave, in the order of the file.
    original : ReadRecords
        What the claim is about, as it was. Protected.
    values : ndarray of float, shape (n, attributes)
        The same as they are published, in the order of the original.
    groups : ndarray of int, shape (n,)
        The group of every record in the original: those with the same values. Protected.
    destination : Destination
        Where it goes.
    """

    published: Ints
    """``published[i]`` is the row at which record i of the original is published. Protected."""

    def __init__(
        self,
        opened: OpenRecords,
        claim: GroupClaim,
        columns: tuple[Column, ...],
        original: ReadRecords,
        values: Floats,
        groups: Ints,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claim_as_record(claim), columns, destination)
        self._claim, self._original, self._values, self._groups = claim, original, values, groups
        self.published = fresh_permutation(values.shape[0])

    @property
    def key(self) -> Ints:
        """The published row of every record, then its group: what other releases are held against."""
        return RecordsKey(self.published, self._groups).numbers

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        import pyarrow as pa

        connection, names = self._opened.connection, list(self._claim.attributes)
        held = arrow_columns(self._claim, self._values, self._original.categories)
        connection.register("aggregated", pa.table([*held, pa.array(self.published)], names=[*names, _ORDER]))
        selected = selected_columns(self._claim, self._columns, "aggregated", "records")
        with record_errors(self._opened.source), translated_errors(writing=aside):
            # the order of the file joins both; the new order is that of the random rows
            connection.execute(
                f'COPY (SELECT {selected} FROM "{VIEW}" AS records POSITIONAL JOIN aggregated '
                f"ORDER BY aggregated.{quoted(_ORDER)}) TO {literal(str(aside))} ({copy_options(aside)})"
            )
        connection.unregister("aggregated")
        return [aside]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        rows = np.argsort(self.published)
        checked = WrittenRecords(self._opened, self._claim, self._columns, self._original, rows).verify(written[0])
        # of what was read, and of what the claim is about
        self._opened.check_unchanged()
        return checked

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        write_key(path, np.arange(self.published.size), self.published)
