"""A protected file of records that is about to be published."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
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
from auditor.subjects.microdata.exports.attributes.writing import arrow_columns, typed_value
from auditor.subjects.microdata.exports.claim_record import claim_as_record
from auditor.subjects.microdata.exports.key import RecordsKey, rows_of
from auditor.subjects.microdata.exports.reading_back import WrittenRecords, copy_options, format_written
from graphkit.arrays import Floats, Ints
from graphkit.machine import fresh_permutation
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim
from graphkit.verification import Verification

_REPLACED, _ORDER = "replaced", "auditor row order"


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


class ShuffledRelease(FileRelease):
    """Records in a new order, in some columns with other values than they had.

    Parameters
    ----------
    opened : OpenRecords
        The original.
    claimed : mapping
        The public claim, as JSON holds it; its `attributes` are the columns with other values.
    columns : tuple of Column
        Those that leave, in the order of the file.
    hiding : ndarray of int, shape (n,) or (n, k)
        Among whom every record of the original hides, as :class:`~auditor.subjects.microdata.exports.key.RecordsKey`
        has it; one that is left out has −1 alone. Protected.
    destination : Destination
        Where it goes.
    """

    published: Ints
    """``published[i]`` is the row at which record i of the original is published, −1 where it is left out.
    Protected."""

    def __init__(
        self,
        opened: OpenRecords,
        claimed: Mapping[str, Any],
        columns: tuple[Column, ...],
        hiding: Ints,
        destination: Destination,
    ) -> None:
        super().__init__(opened, claimed, columns, destination)
        self._hiding = hiding
        self._kept = np.flatnonzero(hiding.reshape(hiding.shape[0], -1)[:, 0] >= 0)
        self.published = np.full(hiding.shape[0], -1, dtype=np.int64)
        self.published[self._kept] = fresh_permutation(self._kept.size)

    @property
    def key(self) -> Ints:
        """The published row of every record, and among whom it hides: what other releases are held against."""
        return RecordsKey(self.published, self._hiding).numbers

    def write(self, aside: Path) -> list[Path]:
        """See :class:`~auditor.exports.publishing.Release`."""
        import pyarrow as pa

        connection, names = self._opened.connection, list(self._claimed["attributes"])
        connection.register(_REPLACED, pa.table([*self._replaced(), pa.array(self.published)], names=[*names, _ORDER]))
        selected = ", ".join(
            f"{self._typed(column, f'{_REPLACED}.{quoted(column.name)}')} AS {quoted(column.name)}"
            if column.name in names
            else f"records.{quoted(column.name)}"
            for column in self._columns
        )
        left_out = self._kept.size < self.published.size
        where = f"WHERE {_REPLACED}.{quoted(_ORDER)} >= 0 " if left_out else ""
        with record_errors(self._opened.source), translated_errors(writing=aside):
            # the order of the file joins both; the new order is that of the random rows
            connection.execute(
                f'COPY (SELECT {selected} FROM "{VIEW}" AS records POSITIONAL JOIN {_REPLACED} '
                f"{where}ORDER BY {_REPLACED}.{quoted(_ORDER)}) TO {literal(str(aside))} ({copy_options(aside)})"
            )
        connection.unregister(_REPLACED)
        return [aside]

    def read_back(self, written: list[Path]) -> Verification:
        """See :class:`~auditor.exports.publishing.Release`."""
        checked = self._verified(written[0], rows_of(self.published))
        # of what was read, and of what the claim is about
        self._opened.check_unchanged()
        return checked

    def write_key(self, path: Path) -> None:
        """See :class:`~auditor.exports.publishing.Release`."""
        write_key(path, self._kept, self.published[self._kept])

    @abstractmethod
    def _replaced(self) -> Sequence[Any]:
        """Return the other values of each attribute in turn, as Arrow arrays, in the order of the original.

        What they are of a record that is left out does not matter.
        """

    @abstractmethod
    def _verified(self, path: Path, rows: Ints) -> Verification:
        """Verify a file, read from the disk, given the row of the original of every published record."""

    def _typed(self, column: Column, value: str) -> str:
        """Return SQL that gives another value the type in which it is published."""
        return value


class RecordsRelease(ShuffledRelease):
    """Records with the values of their groups.

    Parameters
    ----------
    opened, columns, destination
        As :class:`ShuffledRelease` has them.
    claim : GroupClaim
    original : ReadRecords
        What the claim is about, as it was. Protected.
    values : ndarray of float, shape (n, attributes)
        The same as they are published, in the order of the original.
    groups : ndarray of int, shape (n,)
        The group of every record in the original: those with the same values. Protected.
    """

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
        super().__init__(opened, claim_as_record(claim), columns, groups, destination)
        self._claim, self._original, self._values = claim, original, values

    def _replaced(self) -> Sequence[Any]:
        return arrow_columns(self._claim, self._values, self._original.categories)

    def _verified(self, path: Path, rows: Ints) -> Verification:
        return WrittenRecords(self._opened, self._claim, self._columns, self._original, rows).verify(path)

    def _typed(self, column: Column, value: str) -> str:
        return typed_value(self._claim, column, value)
