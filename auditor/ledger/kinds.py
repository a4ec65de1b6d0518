"""What entries of the ledger tell of: every kind that the program writes, and what an entry can be about."""

from auditor.core.errors import BadInput
from auditor.core.kinds import EntryKind, kinds

_SHARED: dict[str, EntryKind] = {
    "findings_shown": EntryKind(
        "the locations and figures of an audit's findings were viewed",
        "{who} viewed locations and figures of {audit:an audit} of {what}[{trend:, and figures of earlier audits}]",
    ),
    "audit": EntryKind("a subject was audited", "{who} {audit:audited} {what}: {verdict}[ ({violated})]"),
    "waiver": EntryKind("a finding was waived until a date", "{who} waived {rule} of {what} until {until}: {reason}"),
    "waiver_revoked": EntryKind("a waiver was revoked", "{who} revoked a waiver of {what}"),
    "approval_wanted": EntryKind(
        "a request awaits approval by a second person",
        "{who} {approval:requested approval} of a release of {what}[ for {by}]",
    ),
    "approved": EntryKind(
        "a second person approved the release", "{who} {approval:approved} the request of {asked_by} for {what}"
    ),
    "approved_as_agreed": EntryKind(
        "a changed request was approved, as a second person had agreed beforehand",
        "{who} {approval:released} {what} as changed, which {agreed_by} had agreed to",
    ),
    "returned": EntryKind(
        "a second person returned the request, and approves it if it is changed as stated",
        "{who} {approval:returned} the request of {asked_by} for {what} to be changed[: {reason}]",
    ),
    "approval_commented": EntryKind(
        "a person commented on a request that awaits approval", "{who} {approval:commented} on a request for {what}"
    ),
    "review_shown": EntryKind(
        "the risk before and after a release was viewed, for its approval",
        "{who} viewed {approval:the risk before and after} a release of {what}",
    ),
    "rejected": EntryKind(
        "a second person rejected the release",
        "{who} {approval:rejected} the request of {asked_by} for {what}[: {reason}]",
    ),
    "withdrawn": EntryKind(
        "the requester withdrew the request",
        "{who} {approval:withdrew} the request[ of {asked_by}] for {what}[: {reason}]",
    ),
    "taken_over": EntryKind(
        "another person took over a request that was frozen after a token was revoked",
        "{who} {approval:took over} the request of {asked_by} for {what}",
    ),
    "overtaken": EntryKind(
        "the request was superseded: at the approval the answer was no",
        "{who} decided on {approval:the request} of {asked_by} for {what}, which was superseded[: {reason}]",
    ),
    "implied": EntryKind(
        "a pending marginal follows from one that was released meanwhile",
        "{who} released a marginal of {what} that implies {approval:the request} of {asked_by}",
    ),
    "job_begun": EntryKind(
        "a person requested a job", "{who} requested {job:the job} {kind}[ of {what}][ of {subjects}]"
    ),
    "job_cancelled": EntryKind(
        "a person cancelled a job",
        "{who} cancelled {job:the job} {kind}[ of {what}][ of {subjects}][, requested by {asked_by}]",
    ),
    "job_resumed": EntryKind(
        "a person resumed a job, as their own request",
        "{who} ran {job:the job} {kind} again[ for {what}][ for {subjects}][, first requested by {asked_by}]",
    ),
    "schedule_added": EntryKind(
        "a schedule was added", "{who} added {what} for {subjects}, due at {cron} ({timezone})"
    ),
    "schedule_paused": EntryKind("a schedule was paused", "{who} paused {what}"),
    "schedule_resumed": EntryKind("a schedule was resumed", "{who} resumed {what}"),
    "schedule_removed": EntryKind("a schedule was removed", "{who} removed {what}"),
    "message_retried": EntryKind(
        "a notification is to be sent again now", "{who} sent a notification[ about {what}] over {channel} again"
    ),
    "messages_retried": EntryKind(
        "all undelivered notifications are to be sent again now",
        "{who} sent {messages} undelivered notifications again",
    ),
    "token_created": EntryKind(
        "a token was created", "{who} created a token for {person} as {role} until {expires_at}"
    ),
    "token_revoked": EntryKind("a token was revoked", "{who} revoked a token of {person}"),
    "logged_in": EntryKind("a person logged in at the OpenID provider", "{who} logged in at {issuer} as {role}"),
    "log_in_ended": EntryKind(
        "a person who logs in at the OpenID provider is in no group with a role any more",
        "{who} lost the access by log-in at the provider: in no group with a role any more",
    ),
    "checkpoint": EntryKind(
        "the ledger was verified and signed up to an entry",
        "{who} verified and signed the ledger up to entry {entries}",
    ),
    "pruned": EntryKind(
        "records past their retention period were deleted: sent notifications, completed runs",
        "{who} deleted {number} records past their retention period: {what}",
    ),
    "schema_changed": EntryKind(
        "a newer version of the program migrated the store", "{who} migrated the store to schema {schema}"
    ),
    "backup": EntryKind(
        "the store was written to a backup file", "{who} wrote the store to a backup file, up to entry {entries}"
    ),
    "restore": EntryKind(
        "the store was filled from a backup or another store",
        "{who} filled the store from a backup or another store, up to entry {entries}",
    ),
    "copy": EntryKind(
        "the store was copied to another one", "{who} copied the store to another one, up to entry {entries}"
    ),
}


def entry_kinds() -> dict[str, str]:
    """Return every kind of entries with its description; one that is written no more stays, for old ledgers.

    Examples
    --------
    >>> entry_kinds()["backup"]
    'the store was written to a backup file'
    """
    return {name: kind.meaning for name, kind in _all_kinds().items()}


def find_entry_kind(name: str) -> EntryKind | None:
    """Return a kind of entries; None for one that this version does not know.

    Examples
    --------
    >>> find_entry_kind("schedule_paused").sentence
    '{who} paused {what}'
    """
    return _all_kinds().get(name)


def _all_kinds() -> dict[str, EntryKind]:
    return {name: found for kind in kinds() for name, found in kind.entries.items()} | _SHARED


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
