"""An export as the store keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from auditor.core.clock import parse_time
from auditor.core.hooks import TransactionHook

EXPORT_COLUMNS = """
RETURN x.id AS id, x.at AS at, x.subject AS subject, x.path AS path, x.checksum AS checksum, x.claim AS claim,
       x.state AS state, x.verified_at AS verified_at, x.actor AS actor, x.key_kept AS key_kept
ORDER BY at DESC, id
"""


@dataclass(frozen=True, slots=True)
class Export:
    """An export that was recorded."""

    id: str
    """Random; stands in the manifest beside the file."""
    at: datetime
    subject: str
    """``network:NAME``, the name at the time."""
    path: str
    checksum: str
    """SHA-256 of the network's own file."""
    claim: Mapping[str, Any]
    state: str
    """``recorded`` before the file appeared, ``published`` after; ``pending`` while it waits for a second person,
    ``rejected``, ``withdrawn`` or ``overtaken`` if it never appears."""
    verified_at: datetime
    actor: str
    key_kept: bool
    """Whether the store holds the relabelling."""

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of every published file by its name, the network's own first.

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


def parse_export(record: Mapping[str, Any]) -> Export:
    """Return an export from the columns :data:`EXPORT_COLUMNS`."""
    times = {key: parse_time(record[key]) for key in ("at", "verified_at")}
    return Export(**{**record, **times, "claim": json.loads(record["claim"])})
