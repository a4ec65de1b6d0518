"""From a file of records to one in which each record hides among others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from cli.start.guide import Guide, Likeness, Looked
from cli.start.walk import NOT_COUNTED, Walk

if TYPE_CHECKING:
    from auditor.formats.records.roles import Roles

_MOST_OF_TIES = 3
# where values have fewer than so many times k records on average, some have fewer than k
_SPREAD = 4
_MEANS, _RANGES = 0, 1
_WAYS = (
    "means: groups of records share the mean of each column, best for analyses of numbers",
    "ranges and sets: 20..29, {clerk|nurse}; every value stays true, best where categories count",
)


class RecordsGuide(Guide):
    """See :class:`~cli.start.guide.Guide`."""

    line = "one person with what is known of them: records"

    def likeness(self, looked: Looked) -> Likeness:
        """Return whether there are columns: more than ties or counts need, or one that names each record."""
        if not looked.columns or (len(looked.columns) == 1 and looked.columns[0].sort != "number"):
            # a text is one column, too
            return 0
        return 2 if looked.values.naming or len(looked.columns) > _MOST_OF_TIES else 1

    def lead(self, walk: Walk, looked: Looked) -> None:
        """Find roles of the columns, audit, protect, and verify the written file."""
        walk.ask_for_whom("microdata")
        k, file = walk.smallest_group("microdata"), str(looked.path)
        roles = _asked(walk, looked, _proposed(looked, k))
        if not roles.quasi_identifiers:
            raise BadInput("nothing that an attacker may know is named: there is nothing to audit; name a column")
        walk.say(
            f"\nHow many records do these columns single out? At least {k} should share each combination "
            "(--k changes that)."
        )
        said = _options(roles)
        if walk.run("microdata", "audit", file, *said, "--k", str(k)):
            walk.say(f"\nEach combination is shared by {k} records or more. The release leaves direct identifiers out.")
        else:
            walk.say("\nAs they are, the records should not be released.")
        demanded = _demanded(walk, roles)
        # means do not see to it that the values of a group differ
        way = _RANGES if demanded else _way(walk, looked, roles)
        _tell_unchanged(walk, looked, roles, k)
        out = walk.place_for(looked.path)
        command = "microaggregate" if way == _MEANS else "generalize"
        if way == _RANGES:
            walk.say(
                "\nValues become ranges and sets that stay true (means instead: auditor microdata microaggregate)."
            )
        walk.run("microdata", command, file, *said, "--k", str(k), *demanded, "--out", str(out))
        if walk.run("microdata", "verify", file, str(out)):
            walk.released = out
        walk.say(NOT_COUNTED)
        walk.then(
            *([f"auditor microdata compare {file} {out}"] if way == _MEANS else []),
            " ".join(["auditor microdata add", looked.stem, file, *said]),
        )


def _proposed(looked: Looked, k: int) -> Roles:
    """Return roles for the columns: whatever is neither a name nor a category to protect may be known to somebody.

    Notes
    -----
    A column without a role goes out as it is, and a value that few have finds its record. So a proposal leaves none
    without a role, and a number that nearly each record has for itself, such as an income, is one to hide behind
    others, whatever its name says.
    """
    from auditor.formats.records.proposal import propose_roles

    roles = propose_roles(looked.columns, distinct=looked.values.naming)
    # text that nearly each record has for itself is a name, or free text that may hold one
    texts = [one.name for one in looked.columns if one.sort == "text" and looked.values.is_rare(one.name, k)]
    more = dict.fromkeys([*([roles.household] if roles.household else []), *texts])
    left_out = tuple(name for name in more if name not in roles.identifiers)
    sorts = {column.name: column.sort for column in looked.columns}
    sensitive = tuple(
        name
        for name in roles.sensitive
        if not looked.values.is_rare(name, _SPREAD * k if sorts[name] == "number" else k)
    )
    kept = {*roles.identifiers, *left_out, *sensitive, roles.weight}
    return replace(
        roles,
        left_out=left_out,
        household=None,
        quasi_identifiers=tuple(
            column.name for column in looked.columns if column.name not in kept and column.sort != "other"
        ),
        sensitive=sensitive,
    )


def _asked(walk: Walk, looked: Looked, proposed: Roles) -> Roles:
    """Return the roles that a person gives the columns."""
    from auditor.formats.records.roles import Roles

    names = looked.names()
    if walk.asks:
        walk.say(f"\nIts columns: {', '.join(names)}. A hyphen means none of them.")
    gone = walk.choose_columns(
        "Which are not to leave: those that name a person, those with free text, and those that nobody asked for?",
        names,
        (*proposed.identifiers, *proposed.left_out),
    )
    left = [name for name in names if name not in gone]
    if walk.asks:
        walk.say("What a colleague, a neighbour or an office may know belongs to the last question, secret or not.")
    secret = walk.choose_columns(
        "Which must an attacker not learn of a person, and can nobody know? They go out as they are",
        left,
        [name for name in proposed.sensitive if name in left],
    )
    left = [name for name in left if name not in secret]
    known: tuple[str, ...] = ()
    if left:
        known = walk.choose_columns(
            "Which may an attacker know of a person? They are made coarser",
            left,
            [name for name in proposed.quasi_identifiers if name in left],
        )
    direct = tuple(name for name in gone if name in proposed.identifiers)
    left_out = tuple(name for name in gone if name not in direct)
    return Roles(identifiers=direct, left_out=left_out, quasi_identifiers=known, sensitive=secret)


def _demanded(walk: Walk, roles: Roles) -> list[str]:
    """Return how many values of sensitive columns the policy demands among those that a record hides among."""
    least = walk.policy.microdata.distinct_l if roles.sensitive else 1
    return ["--l", str(least)] if least > 1 else []


def _tell_unchanged(walk: Walk, looked: Looked, roles: Roles, k: int) -> None:
    """Say which columns go out as they are, and which of them still single records out."""
    gone = (*roles.identifiers, *roles.left_out)
    changed = {*gone, *roles.quasi_identifiers}
    kept = [name for name in looked.names() if name not in changed]
    if gone and not walk.asks:
        walk.say(f"\nThese columns are left out: {', '.join(gone)}.")
    rare = [name for name in kept if looked.values.is_rare(name, _SPREAD * k)]
    if kept:
        walk.say(f"\nThese columns go out as they are: {', '.join(kept)}.")
    if rare:
        walk.say(
            f"Some values of {', '.join(rare)} may belong to fewer than {k} records: who knows one finds its record."
        )


def _options(roles: Roles) -> list[str]:
    found = (
        ("--identifier", roles.identifiers),
        ("--leave-out", roles.left_out),
        ("--quasi-identifier", roles.quasi_identifiers),
        ("--sensitive", roles.sensitive),
    )
    return [word for option, names in found if names for word in (option, ",".join(names))]


def _way(walk: Walk, looked: Looked, roles: Roles) -> int:
    """Return how values are protected; means need numbers."""
    if any(sort != "number" for sort in _sorts(looked, roles.quasi_identifiers)):
        return _RANGES
    return walk.choose("How are values protected?", _WAYS, _MEANS)


def _sorts(looked: Looked, names: Sequence[str]) -> list[str]:
    return [column.sort for column in looked.columns if column.name in names]
