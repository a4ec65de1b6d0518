"""Two files of records, read for a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.exports.numeric import read_numbers
from graphkit.arrays import Floats, Ints
from graphkit.numbers import counted


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRecords:
    """The attributes of two files, in the order of the files; what is missing is NaN. Protected."""

    attributes: tuple[str, ...]
    original: Floats
    released: Floats
    rows: Ints | None = None
    """Row of the original of every released record, if that is known."""
    incomplete: tuple[int, int] = (0, 0)
    """Records of the two files that were left out, since a value of theirs is missing."""

    def unchanged(self, rows: Ints | None) -> tuple[str, ...]:
        """Return the attributes with the same values as before, of each record where it is known which is which.

        Parameters
        ----------
        rows : ndarray of int or None
            Row of the original of every released record.
        """
        before = np.sort(self.original, axis=0) if rows is None else self.original[rows]
        after = np.sort(self.released, axis=0) if rows is None else self.released
        if before.shape != after.shape:
            return ()
        same = [np.array_equal(one, other, equal_nan=True) for one, other in zip(before.T, after.T, strict=True)]
        return tuple(name for name, is_same in zip(self.attributes, same, strict=True) if is_same)

    def complete(self, rows: Ints | None) -> ComparedRecords:
        """Return those records that lack no value; where it is known which is which, on neither side.

        Parameters
        ----------
        rows : ndarray of int or None
            Row of the original of every released record.

        Raises
        ------
        BadInput
            If that leaves nothing.
        """
        unreleased = 0 if rows is None else len(self.original) - rows.size
        whole, left = (np.asarray(np.isfinite(table).all(axis=1)) for table in (self.original, self.released))
        if rows is not None:
            left &= whole[rows]
            whole = np.zeros_like(whole)
            whole[rows[left]] = True
            rows = (np.cumsum(whole) - 1)[rows[left]]
        if not whole.any() or not left.any():
            raise BadInput("no record has a value of each attribute; choose fewer with --attribute")
        incomplete = int((~whole).sum()) - unreleased, int((~left).sum())
        return ComparedRecords(self.attributes, self.original[whole], self.released[left], rows, incomplete)


def read_compared(
    original: OpenRecords,
    released: OpenRecords,
    *,
    roles: Roles,
    asked: Sequence[str] = (),
    claimed: Sequence[str] = (),
) -> ComparedRecords:
    """Return the attributes of two files.

    Parameters
    ----------
    original, released : OpenRecords
    roles : Roles
        Of the original, as far as they are known.
    asked : sequence of str, optional
        Columns to compare; by default those that the release says it aggregated, else all columns of numbers that both
        files have and that are neither direct identifier nor weight, stratum or household.
    claimed : sequence of str, optional
        What the release says it aggregated.

    Raises
    ------
    BadInput
        If a column is missing or holds something else than numbers, or there is none to compare.
    BadFile
        If a file cannot be read, a value is infinite, or there are no records.
    """
    chosen = tuple(dict.fromkeys(asked)) or tuple(claimed)
    if not chosen:
        after = {column.name for column in released.columns if column.sort == "number"}
        numbers = [column.name for column in original.columns if column.sort == "number" and column.name in after]
        chosen = tuple(name for name in numbers if roles.of(name) in ATTRIBUTES)
    if not chosen:
        raise BadInput(
            f"{original.source.name} and {released.source.name} have no column of numbers in common, and only numbers "
            "are compared, such as means of groups; what ranges and sets lose is in the answer of 'auditor microdata "
            "generalize' and in its report"
        )
    return ComparedRecords(chosen, _read(original, chosen), _read(released, chosen))


def _read(opened: OpenRecords, names: Sequence[str]) -> Floats:
    for name in names:
        if opened.named(name).sort != "number":
            raise BadInput(
                f"column {name!r} of {opened.source.name} holds something else than numbers; choose others with "
                "--attribute"
            )
    found = read_numbers(opened, names)
    opened.check_unchanged()
    infinite = int(np.isinf(found).any(axis=1).sum())
    if infinite:
        raise opened.source.bad(
            f"has {counted(infinite, 'record', 'records')} with an infinite value; correct them first"
        )
    if not found.shape[0]:
        raise opened.source.bad("has no records below its header; give a file that holds records")
    return found
