"""What people write in their own words: reasons, purposes, comments."""

from auditor.core.errors import BadInput

MOST_LETTERS = 1000
"""Of a reason or a purpose."""
MOST_OF_COMMENT = 4000


def one_line(text: str, what: str, most: int = MOST_LETTERS) -> str:
    """Return words without blanks around; refuse what others could not read on one line.

    Parameters
    ----------
    text : str
    what : str
        What it is called in the message.
    most : int, optional
        The most letters.

    Raises
    ------
    BadInput
        If nothing is left, it is too long, or it has control characters or letters that nobody sees. The words
        themselves are not repeated.

    Examples
    --------
    >>> one_line(" no contract with them ", "the reason")
    'no contract with them'
    >>> one_line("no\\u202econtract", "the reason")
    Traceback (most recent call last):
    ...
    auditor.core.errors.BadInput: the reason must be on one line, of 1 to 1000 letters that can be seen
    """
    text = text.strip()
    if not text or len(text) > most or not text.isprintable():
        raise BadInput(f"{what} must be on one line, of 1 to {most} letters that can be seen")
    return text


def some_lines(text: str, what: str, most: int = MOST_OF_COMMENT) -> str:
    """Return words on one line or several, as :func:`one_line` does; ends of lines become those of Unix.

    Examples
    --------
    >>> some_lines("Why k = 3?\\r\\n\\r\\nThe contract says 5.\\n", "the comment")
    'Why k = 3?\\n\\nThe contract says 5.'
    """
    lines = [line.rstrip() for line in text.strip().replace("\r\n", "\n").split("\n")]
    joined = "\n".join(lines)
    if not joined or len(joined) > most or not all(line.isprintable() for line in lines):
        raise BadInput(f"{what} must have 1 to {most} letters that can be seen, on one line or several")
    return joined


def purpose_of(text: str | None) -> str | None:
    """Return what somebody wants something for, on one line; None where nothing was said.

    Raises
    ------
    BadInput
        As :func:`one_line`.

    Examples
    --------
    >>> purpose_of(" annual report "), purpose_of(" "), purpose_of(None)
    ('annual report', None, None)
    """
    return one_line(text, "the purpose") if text is not None and text.strip() else None
