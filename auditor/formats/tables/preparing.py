"""Rows made ready to be counted: numbered, blanks cut off, counts as numbers; a bad one is named by its place."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from auditor.core.errors import BadFile
from auditor.formats.source import Source, shown
from auditor.formats.tables.columns import Columns

# more digits than a total may have are left to the check of the total
_COUNT = r"^\+?[0-9]{1,18}(\.0*)?$"
_NUMBER = re.compile(r"([-+]?)([0-9]*)(?:[.]([0-9]*))?(?:[eE][-+]?[0-9]+)?")


class Rows(Protocol):
    """What a format offers."""

    format: str
    source: Source
    names: Sequence[str]
    """Of all columns."""

    def batches(self, columns: Sequence[int]) -> Iterator[list[Any]]:
        """Yield columns as arrays of text, some thousand rows at a time."""

    def place(self, row: int) -> str:
        """Return how a message names a row (from 1)."""
        return f"row {row}"

    def bad(self, row: int, reason: str) -> BadFile:
        """Return the error that says what is wrong in a row (from 1)."""
        return BadFile(f"{self.source.name}, {self.place(row)}: {reason}")


def column_names(variables: int) -> list[str]:
    """Return how the columns of prepared batches are called: ``row``, ``n`` and one a variable."""
    return ["row", "n", *(f"v{axis}" for axis in range(variables))]


def prepared_batches(rows: Rows, columns: Columns, missing: str | None) -> Iterator[Any]:
    """Yield all rows as record batches: number from 1, count (1 for a record), one text column a variable.

    Raises
    ------
    BadFile
        At the first row whose count is no count, or a category of which is missing and `missing` is None.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = [*columns.variables, *([] if columns.count is None else [columns.count])]
    done = 0
    for arrays in rows.batches(wanted):
        size = len(arrays[0])
        _check_filled(rows, arrays, done)
        counts = pa.array(np.ones(size, dtype=np.int64)) if columns.count is None else _counts(rows, arrays.pop(), done)
        texts = []
        for name, array in zip(columns.names, arrays, strict=True):
            text = pc.utf8_trim_whitespace(array)
            absent = pc.fill_null(pc.equal(text, ""), True)
            if pc.any(absent, min_count=0).as_py():
                if missing is None:
                    raise rows.bad(
                        done + pc.index(absent, True).as_py() + 1,
                        f"no category of {shown(name)!r}; write one into the file, or name the missing ones "
                        "with --missing NAME; if the row holds totals, remove it",
                    )
                text = pc.if_else(absent, missing.strip(), text)
            texts.append(text)
        numbers = pa.array(np.arange(done + 1, done + size + 1))
        yield pa.record_batch([numbers, counts, *texts], names=column_names(len(texts)))
        done += size


def _check_filled(rows: Rows, arrays: Sequence[Any], done: int) -> None:
    """Refuse a row of empty fields, as spreadsheets write below a table."""
    import pyarrow.compute as pc

    empty = None
    for array in arrays:
        absent = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(array), ""), True)
        empty = absent if empty is None else pc.and_(empty, absent)
        if not pc.any(empty, min_count=0).as_py():
            return
    if len(arrays) > 1 and empty is not None:
        raise rows.bad(done + pc.index(empty, True).as_py() + 1, "all fields are empty; remove the line")


def _counts(rows: Rows, array: Any, done: int) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(array)
    good = pc.fill_null(pc.match_substring_regex(text, _COUNT), False)
    if not pc.all(good, min_count=0).as_py():
        at = pc.index(good, False).as_py()
        raise rows.bad(done + at + 1, _fault(text[at].as_py()))
    return pc.replace_substring_regex(text, r"^\+|\..*$", "").cast(pa.int64())


def _fault(text: str | None) -> str:
    """What is wrong with a count, without saying which it is."""
    if text is None or text.lower() in ("", "na", "null", "none", "n/a"):
        return "no count; write one, 0 where there is nobody"
    if text.lower() == "nan":
        return "a count that is not a number (NaN); write one, 0 where there is nobody"
    number = _NUMBER.fullmatch(text)
    if number is None or not (number[2] or number[3]):
        return "a count that is no number; write digits alone, without signs for thousands"
    if number[1] == "-":
        return "a negative count; correct it"
    if (number[3] or "").strip("0") or "e" in text.lower():
        return "a count that is no whole number; counts are people, written in digits"
    return "a count of 2^53 or more; correct it"
