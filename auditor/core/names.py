"""What a subject in the store may be called."""

import unicodedata

from auditor.core.errors import BadInput
from auditor.core.kinds import kinds

LONGEST_NAME = 200
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


def _reserved() -> tuple[str, ...]:
    # "network:NAME" tells a network from a table of that name; an option begins with a hyphen
    return (*(f"{kind.name}:" for kind in kinds() if not kind.is_release), "-")
