"""Words for a missing value that make text of a column of numbers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from auditor.formats.records.errors import record_errors
from auditor.formats.records.text import INEXACT, literal
from graphkit.microdata.risk.relation import quoted
from graphkit.numbers import count

if TYPE_CHECKING:
    from auditor.formats.records.opening import OpenRecords

_WORDS = ("na", "n/a", "nan", "null", "none", "missing", ".", "-", "--", "?")
# whether a column is of numbers shows soon where it is not
_FIRST = 10_000


@dataclass(frozen=True, slots=True)
class MissingWords:
    """A column of text that would be one of numbers but for words such as ``NA``."""

    column: str
    words: tuple[str, ...]
    """As they are written; each is one of those that are known to stand for a missing value."""
    records: int
    """With one of these words."""

    @property
    def remark(self) -> str:
        """What to say of it; no value of a record."""
        said = ", ".join(map(repr, self.words))
        options = " ".join(f"--missing-text {shlex.quote(word)}" for word in self.words)
        return (
            f"column {self.column!r} is read as text, since it holds {said} beside numbers (in {count(self.records)} "
            f"records); {options}, or empty fields instead, make it a column of numbers"
        )


def missing_words(opened: OpenRecords) -> tuple[MissingWords, ...]:
    """Return the columns of a text file that would be numbers but for words that stand for a missing value.

    Parameters
    ----------
    opened : OpenRecords

    Raises
    ------
    BadFile
        If a line cannot be read.

    Notes
    -----
    One pass over the columns of text whose first records are all numbers or such words.
    """
    from auditor.formats.records.opening import VIEW

    names = [column.name for column in opened.columns if column.type == "VARCHAR"] if opened.format == "text" else []
    with record_errors(opened.source):
        first = f'(SELECT * FROM "{VIEW}" LIMIT {_FIRST})'
        likely = [name for name, words, others in _found(opened.connection, first, names) if not others]
        found = _found(opened.connection, f'"{VIEW}"', likely)
        return tuple(_words(opened.connection, name) for name, numbers, others in found if numbers and not others)


def _found(connection: Any, relation: str, names: Sequence[str]) -> list[tuple[str, int, int]]:
    """Return how many fields of each column are numbers, and how many are neither numbers nor words."""
    if not names:
        return []
    tests = ", ".join(
        f"count(*) FILTER ({_is_number(name)}), count(*) FILTER (NOT {_is_word(name)} AND NOT {_is_number(name)})"
        for name in names
    )
    counts = connection.execute(f"SELECT {tests} FROM {relation}").fetchone()
    return list(zip(names, counts[::2], counts[1::2], strict=True))


def _words(connection: Any, name: str) -> MissingWords:
    from auditor.formats.records.opening import VIEW

    query = f'SELECT {quoted(name)}, count(*) FROM "{VIEW}" WHERE {_is_word(name)} GROUP BY 1 ORDER BY 1'
    rows = connection.execute(query).fetchall()
    return MissingWords(name, tuple(word for word, _ in rows), sum(records for _, records in rows))


def _is_word(name: str) -> str:
    return f"lower({quoted(name)}) IN ({', '.join(map(literal, _WORDS))})"


def _is_number(name: str) -> str:
    """Return the test for what a column of numbers may hold: codes such as 01006 stay text in any case."""
    value = quoted(name)
    return f"(NOT {_is_word(name)} AND try_cast({value} AS DOUBLE) IS NOT NULL AND NOT ({INEXACT.format(value)}))"
