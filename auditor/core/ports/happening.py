"""What entries of the ledger mean to a person who looks back on a period; the port of each kind of subject says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Happened = Literal["released", "refused", "viewed", "audited", "reverified"]
"""``reverified``: what was released was read and verified again; the same entry is an audit, too."""


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """An entry of the ledger, as ports are given it."""

    kind: str
    subject: str
    """``kind:name``; empty where the entry is about none."""
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that an entry says. Holds no label and no protected value."""

    what: Happened
    about: str = ""
    """Which part of the subject, in its public terms: the variables of a marginal, the id of an export."""
    answer: str = ""
    """How it ended, in a word: an answer or a verdict."""
    detail: str = ""
    """What else is public of it, in words."""
    rules: tuple[str, ...] = ()
    """Rules of the policy that decided."""
    by: str = ""
    """For whom, where that is said; the actor of the entry may be another person."""


@dataclass(frozen=True, slots=True)
class ReleaseOut:
    """Something that was released and is looked at again from time to time."""

    id: str
    subject: str
    """What it was made from."""
    at: str
    """When it was released."""
    verified_at: str
    """When it was verified last."""
    verdict: str
    """Of the last audit; empty where there was none since the release."""


def audited(event: LedgerEvent) -> Happening:
    """Return what an entry about an audit says.

    Examples
    --------
    >>> audited(LedgerEvent("audit", "table:a", {"verdict": "violated", "violated": ["min_width"]})).rules
    ('min_width',)
    """
    rules = tuple(event.payload.get("violated", ()))
    return Happening("audited", answer=str(event.payload.get("verdict", "")), rules=rules)
