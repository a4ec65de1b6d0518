"""What is wrong with a chain of entries, and where: pure, and in constant memory while nothing is wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Literal

from auditor.ledger.chain import GENESIS, EntryRecord

FaultKind = Literal["edited", "moved", "missing", "repeated", "exchanged", "added", "misplaced"]

_FAULTS_KEPT = 100
_NOTES_KEPT = 100
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the chain is broken."""

    seq: int
    """Position of the entry that is wrong, or of the first one that is missing."""
    kind: FaultKind
    what: str


@dataclass(frozen=True, slots=True)
class Note:
    """What is worth a look and breaks nothing."""

    seq: int
    what: str


@dataclass(slots=True)
class ChainCheck:
    """Checks entries in ascending order of `seq`, one after the other.

    Examples
    --------
    >>> from auditor.ledger.chain import make_entry
    >>> check = ChainCheck()
    >>> first = make_entry(seq=1, at="2026-01-01T00:00:00.000000Z", actor="ada", kind="audit", subject=None,
    ...                    payload={}, previous=GENESIS)
    >>> check.feed(first)
    >>> check.finish(entries=2, head=first.hash)
    (Fault(seq=2, kind='missing', what='missing: the end was cut off'),)
    """

    entries: int = 0
    """Entries seen."""
    first_hash: str = GENESIS
    """Hash of entry 1: it names the ledger."""
    last_seq: int = 0
    last_hash: str = GENESIS
    notes: list[Note] = field(default_factory=list)
    """Entries that are earlier than the one before them, at most a hundred: a clock was set back."""
    _last_at: str = ""
    _last_is_sound: bool = True
    _faults: list[Fault] = field(default_factory=list)
    _unsound: list[EntryRecord] = field(default_factory=list)
    """Entries whose content does not give their hash."""
    _gaps: list[range] = field(default_factory=list)

    def feed(self, entry: EntryRecord) -> None:
        """Check the next entry."""
        self.entries += 1
        if type(entry.seq) is not int or entry.seq < 1:
            self.add(Fault(int(entry.seq), "misplaced", f"not a position of the ledger: {entry.seq}"))
            return
        sound = entry.digest() == entry.hash
        if not sound and len(self._unsound) < _FAULTS_KEPT:
            self._unsound.append(entry)
        if entry.seq <= self.last_seq:
            self.add(Fault(entry.seq, "repeated", "there twice"))
            return
        if entry.seq > self.last_seq + 1:
            if len(self._gaps) < _FAULTS_KEPT:
                self._gaps.append(range(self.last_seq + 1, entry.seq))
        elif sound and self._last_is_sound and entry.previous != self.last_hash:
            # next to a gap or an edited entry the link cannot fit, and that was reported already
            self.add(Fault(entry.seq, "exchanged", "does not continue the entry before it: one of them was exchanged"))
        if entry.seq == 1:
            self.first_hash = entry.hash
        self._note_time(entry)
        self.last_seq, self.last_hash, self._last_is_sound = entry.seq, entry.hash, sound

    def _note_time(self, entry: EntryRecord) -> None:
        """Note an entry that is earlier than the one before it. What is no time is for the hash to find."""
        at = entry.at if type(entry.at) is str and _TIME.fullmatch(entry.at) else ""
        if "" < at < self._last_at and len(self.notes) < _NOTES_KEPT:
            self.notes.append(Note(entry.seq, f"earlier ({at}) than the one before it ({self._last_at})"))
        self._last_at = at

    def add(self, fault: Fault) -> None:
        """Add a fault that was found otherwise; the first hundred are kept."""
        if len(self._faults) < _FAULTS_KEPT:
            self._faults.append(fault)

    def finish(self, entries: int | None = None, head: str | None = None) -> tuple[Fault, ...]:
        """Return the faults by position, at most a hundred.

        Parameters
        ----------
        entries : int, optional
            How many entries the head of the ledger counts.
        head : str, optional
            Hash of the last one, as the head says.
        """
        self._compare_with_head(entries, head)
        for gap in self._gaps:
            rest = f", and so are the ones up to {gap[-1]}" if len(gap) > 1 else ""
            self.add(Fault(gap[0], "missing", f"missing{rest}"))
        for entry in self._unsound:
            self.add(self._fault_of(entry))
        return tuple(sorted(self._faults, key=lambda fault: fault.seq))

    def _compare_with_head(self, entries: int | None, head: str | None) -> None:
        if entries is None:
            return
        if self.last_seq < entries:
            self.add(Fault(self.last_seq + 1, "missing", "missing: the end was cut off"))
        elif self.last_seq > entries:
            self.add(Fault(entries + 1, "added", "not counted by the head: added, or the head was moved back"))
        elif self._last_is_sound and self.last_hash != head:
            self.add(Fault(self.last_seq, "exchanged", "not the entry that the head points to"))

    def _fault_of(self, entry: EntryRecord) -> Fault:
        """Tell an entry that stands in another's place from one whose content was changed."""
        for seq in self._places():
            if seq != entry.seq and replace(entry, seq=seq).digest() == entry.hash:
                return Fault(entry.seq, "moved", f"moved: this is entry {seq}")
        return Fault(entry.seq, "edited", "edited: its content does not give its hash")

    def _places(self) -> Iterator[int]:
        """Yield the positions whose own entries are not there, as far as this is known."""
        return islice(chain((entry.seq for entry in self._unsound), *self._gaps), 2 * _FAULTS_KEPT)
