"""An exported ledger, verified without the store: neither its driver nor an engine is imported."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from auditor.core.errors import BadFile
from auditor.ledger.chain import EntryRecord
from auditor.ledger.check import Fault
from auditor.ledger.verification import Anchor, LedgerCheck, LedgerReport

_LONGEST_LINE = 1 << 26


def verify_file(path: Path, anchors: Iterable[Anchor] = ()) -> LedgerReport:
    """Check every line of an exported ledger and compare with what was kept elsewhere.

    Parameters
    ----------
    path : Path
        As :meth:`auditor.store.ledger.Ledger.export` wrote it.
    anchors : iterable of Anchor
        From checkpoints, or a head that was written down. Without them a cut end cannot be seen.

    Raises
    ------
    BadFile
        If the file cannot be read, or a line is no entry.

    Notes
    -----
    O(entries) time; constant memory unless lines were exchanged.
    """
    if not path.is_file():
        raise BadFile(f"{path} is not a file that can be read" if path.exists() else f"{path} does not exist")
    known = tuple(anchors)
    check, last = LedgerCheck(known), None
    for line, entry in _lines(path):
        if last is not None and entry.seq < last:
            return _verify_unordered(path, known)
        last = entry.seq
        _feed(check, line, entry)
    if last is None:
        raise BadFile(f"{path} holds no entry of a ledger")
    return check.report()


def _verify_unordered(path: Path, anchors: Sequence[Anchor]) -> LedgerReport:
    """Check a file whose lines are out of order: the fewest lines that can have been moved are named."""
    lines = list(_lines(path))
    check = LedgerCheck(anchors)
    for index in _out_of_order([entry.seq for _, entry in lines]):
        before = f"after entry {lines[index - 1][1].seq}" if index else "first"
        check.add(Fault(lines[index][1].seq, "moved", f"out of order: it stands {before}"))
    for line, entry in sorted(lines, key=lambda item: item[1].seq):
        _feed(check, line, entry)
    return check.report()


def _feed(check: LedgerCheck, line: str, entry: EntryRecord) -> None:
    check.feed(entry)
    if entry.written_line() != line:
        check.add(Fault(entry.seq, "edited", "edited: not written as the ledger writes it"))


def _lines(path: Path) -> Iterator[tuple[str, EntryRecord]]:
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(iter(lambda: stream.readline(_LONGEST_LINE), b""), start=1):
                try:
                    line = raw.decode("utf-8").rstrip("\r\n")
                    entry = EntryRecord.from_json_line(line)
                except ValueError:
                    raise BadFile(
                        f"{path}, line {number}: not an entry of a ledger; the file was damaged or cut off there"
                    ) from None
                yield line, entry
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'I/O error'}") from error


def _out_of_order(positions: Sequence[int]) -> list[int]:
    """Return the indices outside of one longest subsequence that does not descend.

    Examples
    --------
    >>> _out_of_order([1, 6, 3, 4, 5, 2, 7])
    [1, 5]
    """
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, position in enumerate(positions):
        length = bisect_right(ends, position)
        if length == len(ends):
            ends.append(position)
            at.append(index)
        else:
            ends[length], at[length] = position, index
        before.append(at[length - 1] if length else -1)
    kept = set()
    index = at[-1] if at else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return [index for index in range(len(positions)) if index not in kept]
