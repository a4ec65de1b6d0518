"""Hashes of the ledger that were kept elsewhere: they find a chain that somebody wrote anew with all its hashes."""

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.ledger.chain import EntryRecord
from auditor.ledger.check import ChainCheck, Fault, Note


@dataclass(frozen=True, slots=True)
class Anchor:
    """That the entry at a position has a hash, as somebody kept it."""

    seq: int
    hash: str
    origin: str
    """Who says so, such as the name of a file."""
    at: str | None = None
    """Since when it is known."""
    key: str | None = None
    """Which key has signed it, if one has."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the ledger was compared with, and whether it fits."""

    origin: str
    entries: int
    """How many entries there were when it was kept."""
    at: str | None
    key: str | None
    fits: bool

    @property
    def sentence(self) -> str:
        """What was compared, in words.

        Examples
        --------
        >>> print(Comparison("march.json", 9, "2026-03-01T08:00:00.000000Z", "ab" * 32, True).sentence)
        compared with march.json, signed 2026-03-01 08:00:00 UTC with key abababab: entries 1 to 9 are what was kept
        """
        signed = f", signed {self.at[:19].replace('T', ' ')} UTC" if self.at else ""
        key = f" with key {self.key[:8]}" if self.key else ""
        found = "are what was kept" if self.fits else "are not what was kept"
        return f"compared with {self.origin}{signed}{key}: entries 1 to {self.entries} {found}"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """That the ledger is not what was kept, and from where on."""

    origin: str
    """Of the first anchor that does not fit."""
    entries: int
    """Position of that anchor: how many entries were there when it was kept."""
    at: str | None
    first: int
    """The first entry that is not what it was is one from this ..."""
    last: int
    """... to this."""
    cut: bool
    """Whether the ledger ends before the anchor."""

    @property
    def sentence(self) -> str:
        """What was found, in words.

        Examples
        --------
        >>> print(Rewriting("march.json", 9, None, 5, 9, cut=False).sentence)
        march.json does not fit: entry 9 is not the one that was kept; the rewriting begins at one of the entries 5 to 9
        """
        since = f" ({self.at[:19].replace('T', ' ')} UTC)" if self.at else ""
        found = (
            f"there were {self.entries} entries, and those from {self.last} on are missing"
            if self.cut
            else f"entry {self.entries} is not the one that was kept"
        )
        where = f"at one of the entries {self.first} to {self.last}" if self.first < self.last else f"at {self.first}"
        what = "cutting or rewriting" if self.cut else "rewriting"
        if self.cut and self.first == self.last:
            return f"{self.origin}{since} does not fit: {found}"
        return f"{self.origin}{since} does not fit: {found}; the {what} begins {where}"


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """What a verification of the ledger found."""

    entries: int
    """Entries that there are, as the head counts them."""
    head: str
    """Hash of the last entry. Kept elsewhere, it lets a later verification find a chain that was written anew."""
    faults: tuple[Fault, ...]
    first: str
    """Hash of entry 1: it names the ledger."""
    rewriting: Rewriting | None = None
    """What does not fit the anchors."""
    compared: tuple[Comparison, ...] = ()
    """All that the ledger was compared with."""
    notes: tuple[Note, ...] = ()
    """What is worth a look and no fault, such as an entry that is earlier than the one before it."""

    @property
    def intact(self) -> bool:
        """Whether no fault was found, and all anchors fit."""
        return not self.faults and self.rewriting is None


class LedgerCheck(ChainCheck):
    """Checks entries in ascending order of `seq`, one after the other, and compares them with anchors.

    Parameters
    ----------
    anchors : iterable of Anchor
        In any order; without any, a chain that was written anew from some point on looks intact.

    Examples
    --------
    >>> from auditor.ledger.chain import GENESIS, make_entry
    >>> check = LedgerCheck([Anchor(2, "ab", "my notes")])
    >>> check.feed(make_entry(seq=1, at="t", actor="ada", kind="audit", subject=None, payload={}, previous=GENESIS))
    >>> report = check.report()
    >>> report.faults, report.rewriting.first, report.rewriting.last, report.rewriting.cut
    ((), 1, 2, True)
    """

    def __init__(self, anchors: Iterable[Anchor] = ()) -> None:
        super().__init__()
        self._anchors = sorted(anchors, key=lambda anchor: anchor.seq)
        self._wanted = {anchor.seq for anchor in self._anchors}
        self._hashes: dict[int, str] = {}

    def feed(self, entry: EntryRecord) -> None:
        """Check the next entry."""
        super().feed(entry)
        if entry.seq in self._wanted:
            # the hash that it bears: where its content does not give it, the chain tells so
            self._hashes.setdefault(entry.seq, entry.hash)

    def report(self, entries: int | None = None, head: str | None = None) -> LedgerReport:
        """Return what was found, compared with what the head of the ledger says, where there is one."""
        return LedgerReport(
            entries=self.entries if entries is None else entries,
            head=self.last_hash if head is None else head,
            faults=self.finish(entries, head),
            first=self.first_hash,
            rewriting=self._rewriting(),
            compared=self._compared(),
            notes=tuple(self.notes),
        )

    def _compared(self) -> tuple[Comparison, ...]:
        """Return one comparison an origin and number of entries, in the order of positions."""
        by_origin: dict[tuple[str, str | None], list[Anchor]] = {}
        for anchor in self._anchors:
            by_origin.setdefault((anchor.origin, anchor.at), []).append(anchor)
        return tuple(
            Comparison(
                origin, anchors[-1].seq, at, anchors[-1].key, all(self._hashes.get(a.seq) == a.hash for a in anchors)
            )
            for (origin, at), anchors in by_origin.items()
        )

    def _rewriting(self) -> Rewriting | None:
        fitting = 0
        for anchor in self._anchors:
            if self._hashes.get(anchor.seq) == anchor.hash:
                fitting = anchor.seq
                continue
            cut = anchor.seq > self.last_seq
            last = self.last_seq + 1 if cut else anchor.seq
            return Rewriting(anchor.origin, anchor.seq, anchor.at, min(fitting + 1, last), last, cut)
        return None
