"""Names of variables and categories, in words and as people write them: any character may be in one."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher

from auditor.core.errors import BadInput

# what separates names, or opens and closes something, where marginals and cells are told in words
_SEPARATES = re.compile(r'[,;()="]|\s\+|\+\s')
_MOST_SHOWN = 12
_NEAR = 0.6


def quoted(name: str) -> str:
    """Return a name as it stands among others in a sentence: in double quotes where it could be taken for several.

    Examples
    --------
    >>> print(quoted("age"), quoted("80+"), quoted("Alter, Jahre"), quoted('a "b" c'))
    age 80+ "Alter, Jahre" "a ""b"" c"
    """
    if not _SEPARATES.search(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def check_named_list(option: str, items: Sequence[str]) -> None:
    """Stop unless a list can be a variable with two categories, whatever the table has.

    Raises
    ------
    BadInput
        If it cannot.

    Examples
    --------
    >>> check_named_list("--merge", ["age=60-79", "80+"])
    """
    if not _readings(items[0]) or len(items) < 2:
        raise BadInput(
            f"{option} ({','.join(items)}) must name a variable and two or more categories, such as age=60-79,80+; one "
            "with a comma stands in double quotes, name and category together, '\"illness=HIV, acute\",flu'"
        )


def named_categories(
    option: str, items: Sequence[str], variables: Mapping[str, Collection[str]]
) -> tuple[str, tuple[str, ...]]:
    """Return the variable and the categories that a list such as ``age=60-79``, ``80+`` means.

    Parameters
    ----------
    option : str
        Where the list was written, for messages.
    items : sequence of str
        The first is ``VARIABLE=CATEGORY``, the others are categories.
    variables : mapping of str to collection of str
        Categories by variable.

    Raises
    ------
    BadInput
        If there is no variable of that name, or fewer than two categories are named.

    Notes
    -----
    Names may have equals signs in them. The longest name that is a variable is meant, but a variable that has all the
    categories comes before one that has not.

    Examples
    --------
    >>> variables = {"=risk": ("low", "high"), "a": ("1", "2"), "a=b": ("1", "2", "3")}
    >>> named_categories("--merge", ["=risk=low", "high"], variables)
    ('=risk', ('low', 'high'))
    >>> named_categories("--merge", ["a=b=2", "3"], variables)
    ('a=b', ('2', '3'))
    """
    check_named_list(option, items)
    readings = _readings(items[0])
    known = [(name, (category, *items[1:])) for name, category in readings if name in variables]
    if not known:
        raise BadInput(f"{option} ({','.join(items)}): {_unknown([name for name, _ in readings], variables)}")
    return next((found for found in known if set(found[1]) <= set(variables[found[0]])), known[0])


def split_at_equals(item: str) -> list[tuple[str, str]]:
    """Return all that ``NAME=CATEGORY`` can mean, the shortest name first: either may have equals signs in it.

    Examples
    --------
    >>> split_at_equals("a=b=2")
    [('a', 'b=2'), ('a=b', '2')]
    """
    return [(item[:at].strip(), item[at + 1 :].strip()) for at, sign in enumerate(item) if sign == "="]


def _readings(item: str) -> list[tuple[str, str]]:
    """Return all that ``VARIABLE=CATEGORY`` can mean, the longest variable first."""
    return [(name, category) for name, category in reversed(split_at_equals(item)) if name and category]


def _unknown(written: Sequence[str], variables: Collection[str]) -> str:
    """Say that there is no such variable, and which one has nearly that name."""
    best = max((_likeness(name, one), name, one) for name in written for one in variables)
    if best[0] >= _NEAR:
        return f"there is no variable '{best[1]}'; did you mean '{best[2]}'?"
    shown = ", ".join(quoted(one) for one in list(variables)[:_MOST_SHOWN])
    more = f" and {len(variables) - _MOST_SHOWN} more" if len(variables) > _MOST_SHOWN else ""
    return f"there is no variable '{written[-1]}'; the table has {shown}{more}"


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
