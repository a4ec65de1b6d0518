"""What entries of the ledger tell of: every kind that the program writes, and what an entry can be about."""

from __future__ import annotations

from auditor.core.errors import BadInput

__all__ = ["ABOUT_NAMES", "ABOUT_PAYLOADS", "KINDS", "check_kind", "parse_about"]

KINDS: dict[str, str] = {
    "network_added": "a network was stored",
    "network_removed": "a network was removed, and with it the keys of its exports",
    "table_added": "a table was stored, as new data, another name or another version",
    "table_removed": "the name of a table was removed; what is out of it still counts",
    "table_mapped": "how variables of an earlier version go together with those of a later one was declared",
    "table_kinship": "whether two tables that look alike are of the same people was declared",
    "table_request": "somebody asked for a marginal, and was answered",
    "table_bounds": "somebody looked at bounds of a table's cells",
    "table_frontier": "somebody looked at what of a table can still go out",
    "labels_shown": "somebody looked at the vertices that an audit found exposed",
    "degrees_shown": "somebody looked at the degrees of a network",
    "findings_shown": "somebody looked at where the findings of an audit are, and what was measured",
    "audit": "a subject was audited",
    "waiver": "somebody accepts a finding for a while",
    "waiver_revoked": "a waiver was ended before its time",
    "export": "a protected file was made and verified, and was about to appear",
    "approval_wanted": "something waits for a second person",
    "approved": "a second person let it out",
    "rejected": "a second person refused it",
    "withdrawn": "whoever asked takes it back",
    "taken_over": "another person made what is frozen, since a token was revoked, their own request",
    "overtaken": "when a second person would have let it out, the answer was no by then",
    "implied": "what waited for a second person follows from what went out meanwhile",
    "job_begun": "somebody asked for long work",
    "job_cancelled": "somebody ended long work",
    "job_resumed": "somebody asked for long work again, as their own request",
    "key_forgotten": "the relabelling of an export was deleted",
    "schedule_added": "audits at set times were asked for",
    "schedule_paused": "a schedule was stopped for a while",
    "schedule_resumed": "a schedule goes on",
    "schedule_removed": "a schedule was removed",
    "message_retried": "a message that was given up, or waits, is to be sent now",
    "messages_retried": "all messages that were given up are to be sent now",
    "token_created": "somebody was given a token",
    "token_revoked": "a token was made useless",
    "checkpoint": "the ledger was verified and signed up to an entry",
    "pruned": "what the settings keep for a while only was deleted: messages that were sent, ticks that were done",
    "schema_changed": "a newer version of the program changed the form of the store",
    "backup": "everything was written to a file",
    "restore": "the store was filled from a backup or another store",
    "copy": "everything was copied to another store",
}
"""Every kind with what it means. One that is written no more stays: old ledgers have it."""

ABOUT_NAMES = ("network", "table", "schedule")
"""What has a name of its own; the subject of an entry says it."""
ABOUT_PAYLOADS = ("export", "audit", "waiver", "token", "message", "approval", "policy", "job")
"""What has an id; the subject of an entry says it, or its payload under this key."""


def parse_about(text: str) -> tuple[str, str]:
    """Return family and name of what entries can be about.

    Raises
    ------
    BadInput
        If there is no such family, or no name.

    Examples
    --------
    >>> parse_about("schedule:weekly")
    ('schedule', 'weekly')
    """
    family, _, name = text.partition(":")
    if family not in (*ABOUT_NAMES, *ABOUT_PAYLOADS) or not name:
        known = ", ".join([f"{word}:NAME" for word in ABOUT_NAMES] + [f"{word}:ID" for word in ABOUT_PAYLOADS])
        raise BadInput(f"{text!r} is nothing that entries of the ledger are about; say {known}")
    return family, name


def check_kind(kind: str) -> None:
    """Refuse a kind of entries that there is not.

    Raises
    ------
    BadInput
        Names the nearest one.

    Examples
    --------
    >>> check_kind("audits")
    Traceback (most recent call last):
    ...
    auditor.core.errors.BadInput: there are no entries of the kind 'audits'; did you mean 'audit'? ...
    """
    import difflib

    if kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0)[0]
        raise BadInput(
            f"there are no entries of the kind {kind!r}; did you mean {near!r}? docs/ledger.md lists all of them"
        )
