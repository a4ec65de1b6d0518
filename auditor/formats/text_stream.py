"""The rows of a text table as a stream of bytes that pyarrow can parse, checked and cleaned block by block."""

import io
import re

from auditor.formats.sniffing import BLANKS, Dialect
from auditor.formats.source import Source

LONGEST_LINE = 1 << 20
_BLOCK = 1 << 20
_COMMENT = re.compile(rb"(?m)^[ \t]*[#%][^\n]*(?:\n|\Z)")
_BLANK_RUN = re.compile(rb"[ \t]+")
_EDGE_BLANKS = re.compile(rb"(?m)^[ ]+|[ ]+(?=\r?$)")


class RowStream(io.RawIOBase):
    """The rows below comments and header: no NUL, no endless line, comments left out, runs of blanks made one.

    Notes
    -----
    Works on whole lines of about one megabyte at a time; O(1) space. A block without anything to clean
    is passed on as it is.
    """

    def __init__(self, source: Source, dialect: Dialect) -> None:
        self._source, self._dialect = source, dialect
        self._stream = source.stream()
        self._pending = memoryview(b"")
        self._carry = b""
        self._line = 0
        self._at_end = False
        self._to_skip = dialect.skipped_lines
        self._quotation_marks = 0

    def readable(self) -> bool:
        return True

    @property
    def has_open_quote(self) -> bool:
        """Whether a quotation mark had no partner so far: the rest of the file would be taken for one field."""
        return self._dialect.quotes and self._quotation_marks % 2 == 1

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while not self._pending and not self._at_end:
            self._pending = memoryview(self._next_block())
        size = min(len(view), len(self._pending))
        view[:size] = self._pending[:size]
        self._pending = self._pending[size:]
        return size

    def _next_block(self) -> bytes:
        piece = self._stream.read(_BLOCK)
        if self._line == 0 and not self._carry:
            piece = piece.removeprefix(b"\xef\xbb\xbf")
        self._at_end = not piece
        data = self._carry + piece if self._carry else piece
        end = len(data) if self._at_end else data.rfind(b"\n") + 1
        self._carry = data[end:]
        if len(self._carry) > LONGEST_LINE:
            raise self._source.bad(
                f"the line has more than a megabyte; this file does not hold {self._source.holds}", self._line + 1
            )
        block = data[:end]
        if (at := block.find(b"\0")) >= 0:
            raise self._source.bad(
                "holds a NUL byte; this is not a text file", self._line + 1 + block.count(b"\n", 0, at)
            )
        self._line += block.count(b"\n")
        rows = self._cleaned(self._without_top(block))
        if self._dialect.quotes:
            self._quotation_marks += rows.count(b'"')
        return rows

    def _without_top(self, block: bytes) -> bytes:
        start = 0
        while self._to_skip and start < len(block):
            start = block.find(b"\n", start) + 1 or len(block)
            self._to_skip -= 1
        return block[start:] if start else block

    def _cleaned(self, block: bytes) -> bytes:
        if self._dialect.comments_anywhere and (b"#" in block or b"%" in block):
            block = _COMMENT.sub(b"", block)
        if self._dialect.delimiter != BLANKS:
            return block
        if b"\t" in block or b"  " in block:
            block = _BLANK_RUN.sub(b" ", block)
        if b"\n " in block or b" \n" in block or b" \r" in block or block[:1] == b" " or block[-1:] == b" ":
            block = _EDGE_BLANKS.sub(b"", block)
        return block
