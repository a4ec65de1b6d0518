"""What a page says after something was done: named in its address, never quoted from it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTICES"]

NOTICES: Mapping[str, str] = {
    "added": "It is stored.",
    "added-in-doubt": "It is stored, but the file may hold no network: compare the numbers of vertices and edges with "
    "what you expect. If they are wrong, remove it, and give a file with one tie a line.",
    "removed": "It was removed. What is out of it, and the ledger, stay.",
    "declared": "It is declared, and in the ledger. Requests count it from now on.",
    "waived": "The finding is waived from the next audit on, until the waiver ends.",
    "waiver-revoked": "The waiver was ended.",
    "schedule-added": "The schedule is saved. Its audits are made by 'auditor schedule run'.",
    "paused": "The schedule rests: nothing becomes due.",
    "resumed": "The schedule goes on from now.",
    "schedule-removed": "The schedule was removed. Its ticks and audits stay.",
    "token-revoked": "The token is useless from now on.",
    "approved": "It was approved, and is out.",
    "not-approved": "It did not go out: the reason is below.",
    "rejected": "It was rejected.",
    "withdrawn": "It was taken back.",
    "taken-over": "It is your request now: another person decides about it.",
}
"""By the word in the address."""
