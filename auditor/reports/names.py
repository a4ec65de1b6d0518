"""Names that others chose, as a page shows them."""


def readable(name: str) -> str:
    """Return a name with everything that is invisible or turns the direction of writing spelled out.

    Examples
    --------
    >>> readable("Zoë\\u202etxt.csv")
    'Zoë\\\\u202etxt.csv'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)
