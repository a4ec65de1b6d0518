"""Chains of ledger entries, as they were made and as somebody rewrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from auditor.ledger.chain import GENESIS, EntryRecord, make_entry
from auditor.ledger.check import Fault
from auditor.ledger.verification import Anchor, LedgerCheck, LedgerReport

__all__ = ["chain_of", "check", "faults_of", "relinked", "timed_chain", "write_lines"]


def chain_of(payloads: Sequence[dict[str, Any]]) -> list[EntryRecord]:
    """Return entries with these payloads."""
    entries: list[EntryRecord] = []
    for seq, payload in enumerate(payloads, start=1):
        previous = entries[-1].hash if entries else GENESIS
        entries.append(
            make_entry(seq=seq, at="t", actor="ada", kind="k", subject="s", payload=payload, previous=previous)
        )
    return entries


def timed_chain(seconds: Sequence[int]) -> list[EntryRecord]:
    """Return entries that were written at these seconds of a minute."""
    entries = chain_of([{"i": i} for i in range(len(seconds))])
    times = [f"2026-01-02T03:04:{second:02}.000000Z" for second in seconds]
    return relinked([replace(entry, at=at) for entry, at in zip(entries, times, strict=True)], 1)


def relinked(entries: Sequence[EntryRecord], start: int) -> list[EntryRecord]:
    """Return the entries with positions, links and hashes made anew from entry `start` on, as a forger would."""
    kept = list(entries[: start - 1])
    for entry in entries[start - 1 :]:
        previous = kept[-1].hash if kept else GENESIS
        moved = replace(entry, seq=len(kept) + 1, previous=previous)
        kept.append(replace(moved, hash=moved.digest()))
    return kept


def check(
    entries: Iterable[EntryRecord],
    anchors: Iterable[Anchor] = (),
    count: int | None = None,
    head: str | None = None,
) -> LedgerReport:
    """Return what a verification finds in entries that a store would give in this order."""
    checking = LedgerCheck(anchors)
    for entry in sorted(entries, key=lambda entry: entry.seq):
        checking.feed(entry)
    return checking.report(count, head)


def faults_of(entries: Iterable[EntryRecord], original: Sequence[EntryRecord]) -> list[Fault]:
    """Return the faults of entries under the head of the original chain."""
    return list(check(entries, (), len(original), original[-1].hash if original else GENESIS).faults)


def write_lines(path: Path, entries: Iterable[EntryRecord]) -> Path:
    """Write entries as an exported ledger has them."""
    path.write_text("".join(entry.json_line() + "\n" for entry in entries), encoding="utf-8")
    return path
