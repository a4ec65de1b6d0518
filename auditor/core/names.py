"""What a subject in the store may be called."""

import unicodedata
from collections.abc import Iterable

from auditor.core.errors import BadInput
from auditor.core.kinds import kinds

LONGEST_NAME = 200
SHORTEST_ID = 8
"""Messages name a random id by so many characters; as many are enough to name it, where only one begins so."""
_FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}


def is_name(name: str) -> bool:
    """Whether something in the store could have this name.

    Anything may that fits on one line: quotes, query text and parts of paths are harmless, because names reach the
    database as bound parameters and never become a path.

    Examples
    --------
    >>> is_name("friends' \\"2026\\" }) DETACH DELETE n //"), is_name("a\\nb"), is_name(" ")
    (True, False, False)
    """
    if not name.strip() or len(name) > LONGEST_NAME or name.startswith(_reserved()):
        return False
    return not _FORBIDDEN & {unicodedata.category(c) for c in name}


def check_name(name: str) -> None:
    """Refuse a name that nothing in the store may have.

    Raises
    ------
    BadInput
        If it is blank, too long, holds control characters or line breaks, or begins with ``network:``, ``table:``,
        ``microdata:`` or a hyphen.
    """
    if name.startswith(_reserved()):
        raise BadInput("a name must not begin with a hyphen, 'network:', 'table:' or 'microdata:'; choose another one")
    if not is_name(name):
        raise BadInput(
            f"a name must have 1 to {LONGEST_NAME} characters without line breaks and control characters, not all blank"
        )


def given_name(text: str | None) -> str | None:
    """Return the name that was given to something that has an id of its own, None where none was.

    Raises
    ------
    BadInput
        If it is no name.

    Examples
    --------
    >>> given_name(" Contacts for the journal "), given_name("  "), given_name(None)
    ('Contacts for the journal', None, None)
    """
    name = (text or "").strip()
    if name:
        check_name(name)
    return name or None


def one_of_ids(ids: Iterable[str], text: str, plural: str) -> str | None:
    """Return the id that was meant: the one given, or the only one that begins with what was given; None if none does.

    Parameters
    ----------
    ids : iterable of str
        Those that there are.
    text : str
        An id or, of at least 8 characters, the beginning of one.
    plural : str
        What they are ids of.

    Raises
    ------
    BadInput
        If several begin so.

    Examples
    --------
    >>> ids = ["e1ff6515-0b89", "e1ff6515-77aa", "0b1c2d3e-0b89"]
    >>> one_of_ids(ids, "0b1c2d3e", "exports"), one_of_ids(ids, "e1ff6515-77aa", "exports")
    ('0b1c2d3e-0b89', 'e1ff6515-77aa')
    >>> one_of_ids(ids, "0b1c2d3", "exports"), one_of_ids(ids, "ffffffff", "exports")
    (None, None)
    """
    found = [id for id in ids if id == text or (len(text) >= SHORTEST_ID and id.startswith(text))]
    if text in found:
        return text
    if len(found) > 1:
        raise BadInput(f"the ids of {len(found)} {plural} begin with {text!r}; give more of the one that is meant")
    return found[0] if found else None


def _reserved() -> tuple[str, ...]:
    # "network:NAME" tells a network from a table of that name; an option begins with a hyphen
    return (*(f"{kind.name}:" for kind in kinds() if not kind.is_release), "-")
