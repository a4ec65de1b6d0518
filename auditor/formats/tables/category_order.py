"""In which order the categories of a variable come: neighbours are what may be merged."""

import re
from collections.abc import Sequence
from decimal import Decimal

_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?"
_BEGINNING = re.compile(rf"\s*(?P<sign>[<>≤≥]=?|under\s|over\s)?\s*(?P<number>{_NUMBER})", re.IGNORECASE)
_FURTHER = re.compile(r"[0-9]+")
_RANK = {"<": -1, "≤": -1, "u": -1, "": 0, ">": 1, "≥": 1, "o": 1}


def category_order(categories: Sequence[str], chosen: Sequence[str] = ()) -> list[int]:
    """Return the places of categories, in the order in which a table has them.

    Parameters
    ----------
    categories : sequence of str
        In the order of their first rows.
    chosen : sequence of str
        Those that come first, in this order.

    Notes
    -----
    The rest is in the order of numbers if all of them begin with one, or all but a single one, which comes last, such
    as ``unknown``; ``<20`` is before ``20-39``, and ``>60`` after ``60``. Otherwise it stays as it is.

    Examples
    --------
    >>> ages = ["60+", "20-39", "unknown", "<20", "40-59"]
    >>> [ages[place] for place in category_order(ages)]
    ['<20', '20-39', '40-59', '60+', 'unknown']
    >>> [ages[place] for place in category_order(ages, ["unknown"])]
    ['unknown', '<20', '20-39', '40-59', '60+']
    """
    first = [categories.index(category) for category in chosen]
    rest = [place for place in range(len(categories)) if place not in set(first)]
    keys = {place: _key(categories[place]) for place in rest}
    without = [place for place in rest if keys[place] is None]
    if len(without) <= 1 < len(rest):
        numbered = [(key, place) for place, key in keys.items() if key is not None]
        rest = [place for _, place in sorted(numbered)] + without
    return first + rest


def _key(category: str) -> tuple[Decimal, int, tuple[int, ...]] | None:
    """Return what a category that begins with a number is ordered by; None for another one."""
    found = _BEGINNING.match(category)
    if found is None:
        return None
    sign = (found["sign"] or "")[:1].lower()
    further = tuple(int(number) for number in _FURTHER.findall(category[found.end() :]))
    return Decimal(found["number"]), _RANK[sign], further
