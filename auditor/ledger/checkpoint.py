"""Signed checkpoints of the ledger: what they say, and their file.

A checkpoint is one line of canonical JSON:

========= ======================================================================
key       value
========= ======================================================================
at        UTC time of signing, ISO 8601 with microseconds and Z
entries   how many entries the ledger had
format    ``disclosure-auditor ledger checkpoint``
head      hash of the last one
key       SHA-256 of the 32 bytes of the public key, hexadecimal
ledger    hash of entry 1: it names the ledger
signature of the line without this key, by Ed25519, as base64
version   1
========= ======================================================================

A file may hold several, one a line. :mod:`auditor.ledger.keys` signs, and checks signatures.
"""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from auditor.core.errors import BadFile, BadInput, Refused
from auditor.ledger.chain import canonical_json
from auditor.ledger.verification import Anchor, LedgerReport

_FORMAT = "disclosure-auditor ledger checkpoint"
_VERSION = 1
_HASH = re.compile("[0-9a-f]{64}")
_LARGEST_FILE = 1 << 26


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What is signed."""

    ledger: str
    """Hash of entry 1."""
    entries: int
    head: str
    """Hash of the last entry."""
    at: str
    key: str
    """Which key signs: SHA-256 of the public key."""

    @classmethod
    def of(cls, report: LedgerReport, *, at: str, key: str) -> "Checkpoint":
        """Return the checkpoint of a ledger that was verified.

        Raises
        ------
        Refused
            If the ledger is not intact: a signature would vouch for what somebody made of it.
        BadInput
            If it has no entries.
        """
        if not report.intact:
            raise Refused("the ledger is not intact, and is not signed; see 'auditor ledger verify'")
        if report.entries == 0:
            raise BadInput("the ledger has no entries yet; there is nothing to sign")
        return cls(report.first, report.entries, report.head, at, key)

    def text(self) -> str:
        """Return what is signed, as canonical JSON.

        Examples
        --------
        >>> Checkpoint("aa", 3, "bb", "2026-01-01T00:00:00.000000Z", "cc").text()[:44]
        '{"at":"2026-01-01T00:00:00.000000Z","entries'
        """
        return canonical_json({**asdict(self), "format": _FORMAT, "version": _VERSION})


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint with a signature, which nobody has checked yet."""

    checkpoint: Checkpoint
    signature: str
    """As base64; empty where there is none."""
    origin: str = ""
    """Where it was read."""

    def values(self) -> dict[str, Any]:
        """Return the keys of the line."""
        return {**json.loads(self.checkpoint.text()), "signature": self.signature}

    def line(self) -> str:
        """Return it as canonical JSON, as a file holds it."""
        return canonical_json(self.values())

    def anchors(self) -> list[Anchor]:
        """Return what it says of the ledger, for who has checked the signature."""
        signed = self.checkpoint
        places = {(1, signed.ledger), (signed.entries, signed.head)}
        return [Anchor(seq, value, self.origin, signed.at, signed.key) for seq, value in sorted(places)]


def head_anchor(entries: int | None, head: str | None) -> list[Anchor]:
    """Return what a head that somebody wrote down says of the ledger; nothing without one.

    Raises
    ------
    BadInput
        If only one of the two is given, or they cannot be those of a ledger.
    """
    if entries is None and head is None:
        return []
    if entries is None or head is None:
        raise BadInput("--head and --entries belong together: 'auditor ledger verify' prints both")
    if not _HASH.fullmatch(head):
        raise BadInput("--head must be a hash of 64 hexadecimal digits, as 'auditor ledger verify' prints it")
    return [Anchor(entries, head, "the head given")]


def read_beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, at most so many.

    Raises
    ------
    BadFile
        If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or 'I/O error'}") from error


def read_checkpoints(path: Path) -> list[SignedCheckpoint]:
    """Return the checkpoints in a file; their signatures are not checked.

    Raises
    ------
    BadFile
        If it cannot be read, or holds something else.
    """
    content = read_beginning(path, _LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        # what is cut off could be the very checkpoint that does not fit
        raise BadFile(f"{path} is larger than {_LARGEST_FILE >> 20} MiB; keep checkpoints of a ledger in smaller files")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise BadFile(f"{path} holds no checkpoint of a ledger") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise BadFile(f"{path} holds no checkpoint of a ledger")
    found = []
    for number, line in lines:
        where = f"{path}, line {number}" if len(lines) > 1 else str(path)
        found.append(parse_checkpoint(line, where))
    return found


def parse_checkpoint(line: str, origin: str) -> SignedCheckpoint:
    """Return the checkpoint that a line holds.

    Raises
    ------
    BadFile
        If it holds something else, or was written by a newer version; names `origin`.
    """
    try:
        values = json.loads(line)
        signature = values.pop("signature", "")
        if values.pop("format") != _FORMAT:
            raise ValueError("another format")
        version = values.pop("version")
        if type(version) is not int:
            raise ValueError("no version")
        if version > _VERSION:
            raise BadFile(f"{origin}: a checkpoint of version {version}; install a newer version to read it")
        checkpoint = Checkpoint(**values)
        if version != _VERSION or not isinstance(signature, str) or not _is_plausible(checkpoint):
            raise ValueError("not a checkpoint")
    except BadFile:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadFile(f"{origin}: not a checkpoint of a ledger, or a damaged one") from None
    return SignedCheckpoint(checkpoint, signature, origin)


def _is_plausible(checkpoint: Checkpoint) -> bool:
    hashes = (checkpoint.ledger, checkpoint.head, checkpoint.key)
    return (
        all(isinstance(text, str) and _HASH.fullmatch(text) for text in hashes)
        and isinstance(checkpoint.at, str)
        and type(checkpoint.entries) is int
        and checkpoint.entries >= 1
    )
