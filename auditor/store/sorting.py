"""In which order a list is read, as somebody asks for it by a name."""

from collections.abc import Mapping

from auditor.core.errors import BadInput


def order_by(orders: Mapping[str, str], sort: str, what: str) -> str:
    """Return the expression that a list is sorted by, with its direction.

    Parameters
    ----------
    orders : mapping
        Cypher by name; an empty name is the order that nobody asks for.
    sort : str
        A name, with ``-`` before it for the other direction.
    what : str
        What is sorted, for the message.

    Raises
    ------
    BadInput
        If there is no such order.

    Examples
    --------
    >>> order_by({"": "urgency", "at": "x.at"}, "-at", "exports")
    'x.at DESC'
    """
    order = orders.get(sort.lstrip("-"))
    if order is None:
        raise BadInput(f"{what} cannot be sorted by {sort!r}; say {', '.join(name for name in orders if name)}")
    return f"{order} DESC" if sort.startswith("-") else order
