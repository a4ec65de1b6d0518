"""How a text table is laid out: delimiter, comment lines, header, number of columns.

From the first lines of a file (:func:`head_lines`), :func:`sniff` finds out, one after the other:

1. the top: blank lines, and lines that begin with # or %; the last of them may hold column names, as SNAP writes them;
2. the delimiter: the one that a file of this name usually has, else the first of tab, comma, semicolon and bar, that
   splits the sampled lines alike, into two columns or more. Where none does, runs of blanks if they split every line,
   else what splits the first line;
3. the header: the first row, if two of its names are those of the ends of an edge (source and target, …), or if it has
   words where the rows below have numbers. Words above words are read as an edge, with a remark.

What the caller knows already, a delimiter or whether there is a header, is not asked of the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.formats.source import Source

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

BLANKS = " "
"""The delimiter that stands for any run of blanks and tabs."""

WIDEST = 10_000
HEAD_BYTES = 1 << 18
_SAMPLE_LINES = 100

# no single letters: "u,v" may well be the first edge
_PAIRS = (
    ("source", "target"),
    ("src", "dst"),
    ("from", "to"),
    ("fromnodeid", "tonodeid"),
    ("from_id", "to_id"),
    ("source_id", "target_id"),
    ("sourceid", "targetid"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("node_a", "node_b"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("vertex1", "vertex2"),
    ("person1", "person2"),
    ("user1", "user2"),
    ("ego", "alter"),
    ("head", "tail"),
)
_SPREADSHEET_LINE = re.compile(r"\"?sep=[^\n]?\"?\s*\n", re.IGNORECASE)
_NUMBER = re.compile(r"[ \t]*[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?[ \t]*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The layout of a text table."""

    delimiter: str
    quotes: bool
    """Fields may stand in quotation marks, doubled inside."""
    comments_anywhere: bool
    """Lines that begin with # or % are left out wherever they stand, not only at the top."""
    skipped_lines: int
    """Comment, blank and header lines before the first row."""
    width: int
    names: tuple[str, ...] | None
    """Column names, where there is a header."""
    comments: tuple[str, ...] = ()
    """The comment lines at the top, without # or %."""
    blank_padded: bool = False
    """A blank follows the delimiter: it belongs to no id."""
    remarks: tuple[str, ...] = ()


def endpoint_columns(names: Sequence[str] | None) -> tuple[int, int] | None:
    """Return which columns hold the two ends of an edge by their names, None where the names do not tell.

    Examples
    --------
    >>> endpoint_columns(["Id", "Source", "Target", "Weight"])
    (1, 2)
    """
    if names is None:
        return None
    plain = [name.strip().lower().replace(" ", "_") for name in names]
    for first, second in _PAIRS:
        if first in plain and second in plain:
            return plain.index(first), plain.index(second)
    return None


def sniff(
    source: Source,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    comments_anywhere: bool = False,
    preferred: str = ",",
) -> Dialect:
    """Return the layout of a text table from its first lines.

    Parameters
    ----------
    source : Source
    delimiter, header : optional
        What the caller knows already.
    comments_anywhere : bool
        See :class:`Dialect`.
    preferred : str
        The delimiter that a file of this name usually has; wins over others that fit as well.

    Raises
    ------
    BadFile
        If the file is not text, or holds nothing but comments.
    BadInput
        If `delimiter` is not one character.
    """
    if delimiter is not None:
        delimiter = BLANKS if delimiter == "space" else parse_delimiter(delimiter, forbidden="#%")
    lines = head_lines(source)
    top = next((number for number, line in enumerate(lines) if line.strip() and not is_comment(line)), len(lines))
    comments = tuple(line.lstrip(" \t#%").rstrip() for line in lines[:top] if line.strip())
    remarks: tuple[str, ...] = () if comments_anywhere or not comments else ("comment lines at the top were skipped",)
    body = lines[top : top + _SAMPLE_LINES]
    if not any(line.strip() for line in body):
        if comments:
            return Dialect(delimiter or preferred, True, comments_anywhere, top, 0, None, comments)
        raise source.bad("holds only blank lines; give a file that holds a network")
    chosen = delimiter if delimiter is not None else _delimiter(body, preferred)
    quotes = chosen != BLANKS and not (comments_anywhere and chosen == "\t")
    rows, header_lines = _rows(source, body, chosen, quotes, top)
    names = None if header else _names_in_comment(comments, chosen, rows[0])
    has_header, doubt = _has_header(rows) if header is None and names is None else (bool(header), False)
    if has_header:
        names = tuple(name.strip() for name in rows[0])
        check_header_text(source, names, top + 1)
    if doubt:
        remarks += (
            "the first line was read as an edge; if it holds column names, name them source and target or say --header",
        )
    width = max(len(rows[0]), len(names or ()))
    if width > WIDEST:
        raise source.bad("has lines of thousands of columns, as a matrix; give a list of edges", top + 1)
    padded = [line for line in body if line.strip()][1 if has_header and len(rows) > 1 else 0 :]
    return Dialect(
        delimiter=chosen,
        quotes=quotes,
        comments_anywhere=comments_anywhere,
        skipped_lines=top + (header_lines if has_header else 0),
        width=width,
        names=names,
        comments=comments,
        blank_padded=chosen not in " \t"
        and all(f"{chosen} " in line for line in padded)
        and '"' not in "".join(padded),
        remarks=remarks,
    )


def _names_in_comment(comments: Sequence[str], delimiter: str, row: Sequence[str]) -> tuple[str, ...] | None:
    """Column names that stand in the last comment line above the rows, as SNAP writes them."""
    last = comments[-1] if comments else ""
    names = last.split() if delimiter == BLANKS else last.split(delimiter)
    return tuple(names) if len(names) == len(row) and endpoint_columns(names) is not None else None


def is_comment(line: str) -> bool:
    """Whether a line begins with # or %, blanks and tabs aside."""
    return line.lstrip(" \t").startswith(("#", "%"))


def csv_rows(lines: Iterable[str], delimiter: str, *, quotes: bool) -> CsvReader:
    """Return a reader of the fields of lines; a quotation mark is a character like any other without `quotes`."""
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)


def parse_delimiter(text: str, *, forbidden: str) -> str:
    """Return the character that a delimiter is given as: itself, or a word for it.

    Raises
    ------
    BadInput
        If it is not one ASCII character, is a quotation mark or line end, or one of those forbidden.

    Examples
    --------
    >>> parse_delimiter("tab", forbidden=""), parse_delimiter(";", forbidden="")
    ('\\t', ';')
    """
    character = {"\\t": "\t", "tab": "\t", "comma": ","}.get(text, text)
    if len(character) != 1 or not character.isascii() or character in f'"\r\n\0{forbidden}':
        raise BadInput("the delimiter must be one ASCII character, such as ',' ';' or '\\t'")
    return character


def head_lines(source: Source) -> list[str]:
    """Return the whole lines at the beginning of a text file, its byte order mark removed.

    Raises
    ------
    BadFile
        If the file is empty once decompressed, or UTF-16, or begins with a line for spreadsheets.
    """
    head = source.head(HEAD_BYTES)
    if not head:
        raise source.bad(f"is empty; give a file that holds {source.holds}")
    source.refuse_utf16(head)
    cut = head.rfind(b"\n") + 1 if len(head) == HEAD_BYTES else len(head)
    text = head[: cut or len(head)].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    if _SPREADSHEET_LINE.match(text):
        raise source.bad(
            "the line tells a spreadsheet which delimiter the file has (sep=), and is no header; remove it", 1
        )
    return text.removesuffix("\n").split("\n")


def check_header_text(source: Source, names: Sequence[str], line: int) -> None:
    """Refuse names of columns that were read from something else than UTF-8: they would be written damaged.

    Raises
    ------
    BadFile
        With the line.
    """
    if any("\ufffd" in name for name in names):
        raise source.not_utf8(line)


def is_number(field: str) -> bool:
    """Whether a field of a text table is a number.

    Examples
    --------
    >>> is_number(" -1.5e3"), is_number("age")
    (True, False)
    """
    return _NUMBER.fullmatch(field) is not None


def split_width(body: Sequence[str], delimiter: str) -> tuple[int, bool]:
    """Return into how many columns a delimiter splits the first row, 0 if it splits nothing, and all others alike."""
    try:
        widths = [len(row) for row in csv.reader(body, delimiter=delimiter) if row]
    except csv.Error:
        return 0, False
    # the last line of the sample may be cut inside a quoted field
    return widths[0], sum(width == widths[0] for width in widths) >= len(widths) - 1


def _delimiter(body: Sequence[str], preferred: str) -> str:
    best, best_rank = BLANKS, 0
    for candidate in dict.fromkeys((preferred, "\t", ",", ";", "|")):
        width, alike = split_width(body, candidate) if candidate != BLANKS else (0, False)
        rank = 0 if width < 2 else 1 + 2 * alike
        if rank > best_rank:
            best, best_rank = candidate, rank
    if best_rank == 1 and best != preferred:
        return BLANKS if all(len(line.split()) >= 2 for line in body if line.strip()) else best
    return best if best_rank or any(len(line.split()) > 1 for line in body[:1]) else preferred


def _rows(source: Source, body: Sequence[str], delimiter: str, quotes: bool, top: int) -> tuple[list[list[str]], int]:
    """The fields of the sampled lines, and how many lines the first of them takes."""
    if delimiter == BLANKS:
        return [line.split() for line in body if line.strip()], 1
    reader = csv_rows([line + "\n" for line in body], delimiter, quotes=quotes)
    rows: list[list[str]] = []
    first = 0
    try:
        for row in reader:
            if row:
                rows.append(row)
                first = first or reader.line_num
    except csv.Error:
        if not rows:
            raise source.bad("cannot be split into columns; check its line ends and quotation marks", top + 1) from None
    return rows, first


def _is_word_above_numbers(name: str, below: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column, such as a weight, holds a word in the first row and numbers alone in all others."""
    cells = [row[column] for row in below if len(row) > column]
    return bool(cells) and not _NUMBER.fullmatch(name) and all(map(_NUMBER.fullmatch, cells))


def _has_header(rows: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Whether the first row holds names, and whether that is in doubt."""
    first = rows[0]
    if endpoint_columns(first) is not None:
        return True, False
    if any(map(_NUMBER.fullmatch, first[:2])):
        return False, False
    below = rows[1:]
    if below and all(any(map(_NUMBER.fullmatch, row[:2])) for row in below):
        return True, False
    if any(_is_word_above_numbers(first[column], below, column) for column in range(2, len(first))):
        return True, False
    return False, True
