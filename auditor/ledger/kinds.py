"""What entries of the ledger tell of: every kind that the program writes, and what an entry can be about."""

from __future__ import annotations

from auditor.core.errors import BadInput
from auditor.core.kinds import kinds

__all__ = ["about_ids", "about_names", "check_kind", "entry_kinds", "parse_about"]

_SHARED: dict[str, str] = {
    "findings_shown": "somebody looked at where the findings of an audit are, and what was measured",
    "audit": "a subject was audited",
    "waiver": "somebody accepts a finding for a while",
    "waiver_revoked": "a waiver was ended before its time",
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


def entry_kinds() -> dict[str, str]:
    """Return every kind of entries with its description; one that is written no more stays, for old ledgers.

    Examples
    --------
    >>> entry_kinds()["backup"]
    'everything was written to a file'
    """
    return {name: text for kind in kinds() for name, text in kind.entries.items()} | _SHARED


def about_names() -> tuple[str, ...]:
    """Return what has a name of its own: the subject of an entry says it."""
    return (*(kind.name for kind in kinds() if not kind.is_release), "schedule")


def about_ids() -> tuple[str, ...]:
    """Return what has an id: the subject of an entry says it, or its payload under this key."""
    releases = (kind.name for kind in kinds() if kind.is_release)
    return (*releases, "audit", "waiver", "token", "message", "approval", "policy", "job")


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
    if family not in (*about_names(), *about_ids()) or not name:
        known = ", ".join([f"{word}:NAME" for word in about_names()] + [f"{word}:ID" for word in about_ids()])
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

    known = entry_kinds()
    if kind not in known:
        near = difflib.get_close_matches(kind, known, n=1, cutoff=0)[0]
        raise BadInput(
            f"there are no entries of the kind {kind!r}; did you mean {near!r}? docs/ledger.md lists all of them"
        )
