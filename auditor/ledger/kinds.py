"""What entries of the ledger tell of: every kind that the program writes, and what an entry can be about."""

from auditor.core.errors import BadInput
from auditor.core.kinds import kinds

_SHARED: dict[str, str] = {
    "findings_shown": "the locations and figures of an audit's findings were viewed",
    "audit": "a subject was audited",
    "waiver": "a finding was waived until a date",
    "waiver_revoked": "a waiver was revoked",
    "approval_wanted": "a request awaits approval by a second person",
    "approved": "a second person approved the release",
    "rejected": "a second person rejected the release",
    "withdrawn": "the requester withdrew the request",
    "taken_over": "another person took over a request that was frozen after a token was revoked",
    "overtaken": "the request was superseded: at the approval the answer was no",
    "implied": "a pending marginal follows from one that was released meanwhile",
    "job_begun": "a person requested a job",
    "job_cancelled": "a person cancelled a job",
    "job_resumed": "a person resumed a job, as their own request",
    "schedule_added": "a schedule was added",
    "schedule_paused": "a schedule was paused",
    "schedule_resumed": "a schedule was resumed",
    "schedule_removed": "a schedule was removed",
    "message_retried": "a notification is to be sent again now",
    "messages_retried": "all undelivered notifications are to be sent again now",
    "token_created": "a token was created",
    "token_revoked": "a token was revoked",
    "checkpoint": "the ledger was verified and signed up to an entry",
    "pruned": "records past their retention period were deleted: sent notifications, completed runs",
    "schema_changed": "a newer version of the program migrated the store",
    "backup": "the store was written to a backup file",
    "restore": "the store was filled from a backup or another store",
    "copy": "the store was copied to another one",
}


def entry_kinds() -> dict[str, str]:
    """Return every kind of entries with its description; one that is written no more stays, for old ledgers.

    Examples
    --------
    >>> entry_kinds()["backup"]
    'the store was written to a backup file'
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
