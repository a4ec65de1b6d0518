"""Which names are one person's: case, blanks and ways of writing a letter make no second person."""

from __future__ import annotations

import unicodedata

from auditor.errors import BadInput

__all__ = ["check_asker", "is_same_person", "person_key"]

# what nobody sees: control and format characters, such as a zero-width space
_UNSEEN = {"Cc", "Cf"}


def person_key(name: str) -> str:
    """Return what two spellings of one person's name have in common; empty if nothing of it can be seen.

    Notes
    -----
    Letters of another alphabet that look alike stay different: who gets a token is for whoever makes tokens.

    Examples
    --------
    >>> person_key("  Ann\\u00a0 LEE "), person_key("ａｎｎ"), person_key("Zoe\\u0308") == person_key("ZO\\u00cb")
    ('ann lee', 'ann', True)
    """
    spaced = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFKC", name))
    seen = "".join(letter for letter in spaced if unicodedata.category(letter) not in _UNSEEN)
    # folding may take letters apart again
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def check_asker(name: str, what: str) -> None:
    """Refuse a name of who asks that the ledger could not show on a line.

    Raises
    ------
    BadInput
        Calling it `what`.
    """
    if not name.strip() or not name.isprintable():
        raise BadInput(f"{what} must name who asks, on one line; the ledger keeps it")


def is_same_person(first: str, second: str) -> bool:
    """Whether two names are those of one person.

    Examples
    --------
    >>> is_same_person("ann", "Ann "), is_same_person("ann", "anna")
    (True, False)
    """
    return person_key(first) == person_key(second)
