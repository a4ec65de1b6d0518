"""What exactly a person asks for with an export: who agrees to another k agrees to all the rest as it is."""

from collections.abc import Mapping
from typing import Any

from auditor.approvals.record import terms_key
from auditor.core.subject import kind_of_subject
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store


def asked_key(
    subject: str,
    number: int | None,
    claim: Mapping[str, Any],
    what: Mapping[str, Any],
    beside: frozenset[str],
    path: str,
) -> str:
    """Return the terms of an export.

    Parameters
    ----------
    subject : str
        ``kind:name``.
    number : int or None
        What tells it apart from another one of its name.
    claim : mapping
        As it is recorded.
    what : mapping
        What awaits approval: whether it replaces a file, and whether its key is kept.
    beside : frozenset of str
        Ids of the exports of the subject that are out: with another one beside it, nobody agreed to it.
    path : str
        Where it is to appear: which file it replaces is part of what was agreed to, if it replaces one.
    """
    chosen = kind_of_subject(subject).load().asked_of_release(claim)
    kept = {name: what[name] for name in ("force", "keep_key")}
    replaced = path if what["force"] else None
    return terms_key("export", subject, number, chosen, kept, replaced, sorted(beside))


def release_terms(
    store: Store, export: Export, what: Mapping[str, Any], beside: frozenset[str], k: int | None = None
) -> str:
    """Return the terms of an export that awaits approval; with another `k`, those that it would have with it."""
    origin = Exports(store).origin(export)
    claim = export.claim if k is None else {**export.claim, "k": k}
    return asked_key(export.subject, None if origin is None else origin.number, claim, what, beside, export.path)
