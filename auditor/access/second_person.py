"""Whether who decides is another human than who asked, when people log in with tokens and at a provider.

Names tell persons apart (:mod:`auditor.access.person`), and one human has one name among tokens. At a provider the same
human may have another name, and may change it. There the subject counts: two subjects of one issuer are two humans, all
names that a subject ever had are one human's, and unless the settings say who a subject is, it could be anybody who has
a token.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.access.person import is_one_of, is_same_person
from auditor.core.errors import Refused
from auditor.core.transactions import Transaction

# read, under the store's lock
_LOG_INS = """
MATCH (t:AuditorAccessToken) WHERE properties(t)['issuer'] IS NOT NULL
RETURN properties(t)['issuer'] AS issuer, properties(t)['known_as'] AS names,
  properties(t)['named_by'] <> 'provider' AS named_here
"""


@dataclass(frozen=True, slots=True)
class LogIn:
    """A subject of a provider who has logged in here."""

    issuer: str
    names: Sequence[str]
    """All that it ever had here."""
    named_here: bool
    """Whether the settings say who it is."""


def read_log_ins(tx: Transaction) -> tuple[LogIn, ...]:
    """Return everybody who ever logged in at a provider."""
    found = tx.run(_LOG_INS)
    return tuple(LogIn(record["issuer"], tuple(record["names"]), record["named_here"]) for record in found)


def check_second_person(actor: str, requesters: Iterable[str], log_ins: Sequence[LogIn]) -> None:
    """Refuse an approval by who is, or could be, the same human as one of the requesters.

    Parameters
    ----------
    actor : str
        Who approves.
    requesters : iterable of str
    log_ins : sequence of LogIn
        From :func:`read_log_ins`.

    Raises
    ------
    Refused

    Examples
    --------
    >>> ann = LogIn("https://id.example", ("Ann Lee",), named_here=False)
    >>> check_second_person("bob", ["ann"], [ann])
    >>> check_second_person("Ann Lee", ["ann"], [ann])
    Traceback (most recent call last):
    ...
    auditor.core.errors.Refused: 'Ann Lee' logs in at a provider and 'ann' does not: they could be one person; an ...
    """
    mine = [one for one in log_ins if is_one_of(actor, *one.names)]
    for requester in requesters:
        theirs = [one for one in log_ins if is_one_of(requester, *one.names)]
        if _are_one(_names(actor, mine), _names(requester, theirs)):
            raise Refused("you requested it yourself, under this name or an earlier one: another person decides")
        _check_known_apart(actor, mine, requester, theirs)


def _check_known_apart(actor: str, mine: Sequence[LogIn], requester: str, theirs: Sequence[LogIn]) -> None:
    if not mine and not theirs:
        return
    if mine and theirs and {one.issuer for one in mine} == {one.issuer for one in theirs}:
        return
    unknown = next((name for name, found in ((actor, mine), (requester, theirs)) if _is_unknown(found)), None)
    if unknown is None:
        return
    other = requester if unknown == actor else actor
    told = f"{unknown!r} logs in at a provider and {other!r} does not"
    if mine and theirs:
        told = f"{unknown!r} and {other!r} log in at different providers"
    raise Refused(
        f"{told}: they could be one person; an administrator says in the settings who {unknown!r} is (people of "
        "[oidc], docs/access.md), and the person logs in again"
    )


def _is_unknown(found: Sequence[LogIn]) -> bool:
    return bool(found) and not all(one.named_here for one in found)


def _names(name: str, found: Sequence[LogIn]) -> set[str]:
    return {name}.union(*(one.names for one in found))


def _are_one(first: set[str], second: set[str]) -> bool:
    return any(is_same_person(one, other) for one in first for other in second)
