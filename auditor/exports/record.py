"""An export as the store keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Json

from auditor.approvals.record import NewApproval
from auditor.core.transactions import TransactionHook

OUT = ("recorded", "published")
"""States of exports that are out, or about to be."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export that was recorded."""

    id: str
    """Random; stands in the manifest beside the file."""
    at: datetime
    subject: str
    """``kind:name``, the name at the time."""
    path: str
    checksum: str
    """SHA-256 of the main file."""
    claim: Json[Mapping[str, Any]]
    state: str
    """``recorded`` before the file appeared, ``published`` after; ``pending`` while it waits for a second person,
    ``rejected``, ``withdrawn``, ``overtaken`` or ``returned`` if it never appears."""
    verified_at: datetime
    actor: str
    key_kept: bool
    """Whether the store holds which published vertex or record is which."""
    name: str | None = None
    """What people call it."""

    @property
    def is_out(self) -> bool:
        """Whether it is out, or about to be."""
        return self.state in OUT

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of every published file by its name, the main one first.

        An export of an earlier version of the program recorded that one alone.
        """
        name = Path(self.path).name
        recorded = self.claim.get("files")
        # a held file lies elsewhere under its own name; the recorded digest of it is what counts
        return {name: self.checksum} if recorded is None else {name: self.checksum, **recorded}


@dataclass(frozen=True, slots=True)
class ScheduledExport:
    """Whose tick an export is made in."""

    schedule: str
    """Id of the schedule."""
    run: str
    """Id of the tick."""
    hold: TransactionHook
    """Called in the transaction that records: raises where the tick was taken over, and nothing is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NewExport:
    """A verified export whose file is about to appear."""

    id: str
    """Random id from the operating system."""
    subject: str
    """``kind:name``."""
    path: str
    """Where the file will be."""
    checksum: str
    """SHA-256 of the file."""
    claim: Mapping[str, Any]
    """What the file claims; nothing protected, no floats."""
    verified_at: datetime
    """When the file was read back and verified."""
    relabelling: NDArray[np.int64] | None
    """``relabelling[v]`` is the published id of vertex v, shape (n,); for records their rows, then their groups, shape
    (2n,); None keeps it out of the store."""
    actor: str
    """Who exports."""
    number: int | None = None
    """What tells the subject apart from another one of its name, to be sure that it is still the one."""
    terms: Mapping[str, Any] | None = None
    """What was promised to the owner alone; kept where the relabelling is, and never in the ledger."""
    wanted: NewApproval | None = None
    """What it waits for: its entry is written when it is let out."""
    scheduled: ScheduledExport | None = None
    """The run of a schedule that it is made in, which must still be held."""
    name: str | None = None
    """What people call it."""
    purpose: str | None = None
    """What it is for, in the words of who exports; the ledger has it."""
    beside: frozenset[str] | None = None
    """Ids of the exports of the subject that are out, as it was held against them: there must be no other by now."""
