"""A proposal of roles for the columns of a file, where none is declared: for a person to correct, never used."""

import re
from collections.abc import Sequence

from auditor.formats.records.columns import Column
from auditor.formats.records.roles import Roles

_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(rf"(^|[^a-z]|_)({words})([^a-z]|_|$)", re.IGNORECASE))
    for role, words in (
        # a weight with a unit is that of a body
        ("weight", "(weights?|wgt|wt|w|pweight|fweight)$"),
        ("household", "household|hh|hhid|family|family_id|hh_id"),
        ("stratum", "strat(um|a)|strata"),
        ("identifiers", "id|uid|uuid|names?|surname|first_?name|last_?name|e?mail|phone|ssn|nin|passport|address|iban"),
        ("sensitive", "income|wage|wages|salary|earnings|debt|wealth|diagnos[ie]s|illness|disease|hiv|religion|vote"),
    )
)
_MEASURED = ("FLOAT", "DOUBLE", "DECIMAL")


def propose_roles(columns: Sequence[Column], *, distinct: Sequence[str] = ()) -> Roles:
    """Return roles that the names and types of the columns suggest.

    Parameters
    ----------
    columns : sequence of Column
    distinct : sequence of str
        Columns of text, or of running numbers, that are known to have another value in every record: they name
        respondents.

    Examples
    --------
    >>> roles = propose_roles([Column("id", "BIGINT"), Column("age", "BIGINT"), Column("wage", "DOUBLE")])
    >>> roles.identifiers, roles.quasi_identifiers, roles.sensitive
    (('id',), ('age',), ('wage',))
    """
    found: dict[str, list[str]] = {}
    for column in columns:
        found.setdefault("identifiers" if column.name in distinct else _role_of(column), []).append(column.name)
    return Roles(
        identifiers=tuple(found.get("identifiers", ())),
        quasi_identifiers=tuple(found.get("quasi_identifiers", ())),
        sensitive=tuple(found.get("sensitive", ())),
        weight=next(iter(found.get("weight", ())), None),
        stratum=next(iter(found.get("stratum", ())), None),
        household=next(iter(found.get("household", ())), None),
    )


def _role_of(column: Column) -> str:
    for role, pattern in _NAMES:
        if pattern.search(column.name):
            return role
    # what is measured finely is seldom known to an attacker exactly
    return "other" if column.type.startswith(_MEASURED) or column.sort == "other" else "quasi_identifiers"
