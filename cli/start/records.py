"""From a file of records to one in which each record hides among others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from cli.start.guide import Guide, Likeness, Looked
from cli.start.walk import Walk

if TYPE_CHECKING:
    from auditor.formats.records.roles import Roles

_MOST_OF_TIES = 3
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
        return 2 if looked.distinct or len(looked.columns) > _MOST_OF_TIES else 1

    def lead(self, walk: Walk, looked: Looked) -> None:
        """Find roles of the columns, audit, protect, and verify the written file."""
        from auditor.formats.records.proposal import propose_roles

        k, file = str(walk.smallest_group("microdata")), str(looked.path)
        roles = _asked(walk, looked, propose_roles(looked.columns, distinct=looked.distinct))
        if not roles.quasi_identifiers:
            raise BadInput("nothing that an attacker may know is named: there is nothing to audit; name a column")
        walk.say(f"\nHow many records do these columns single out? At least {k} should share each combination.")
        said = _options(roles)
        if walk.run("microdata", "audit", file, *said, "--k", k):
            walk.say(f"\nEach combination is shared by {k} records or more. The release leaves direct identifiers out.")
        else:
            walk.say("\nAs they are, the records should not be released.")
        way = _way(walk, looked, roles)
        out = walk.place_for(looked.path)
        command = "microaggregate" if way == _MEANS else "generalize"
        walk.run("microdata", command, file, *said, "--k", k, "--out", str(out))
        if walk.run("microdata", "verify", file, str(out)):
            walk.released = out
        walk.then(
            f"auditor microdata compare {file} {out}",
            " ".join(["auditor microdata add", looked.stem, file, *said]),
        )


def _asked(walk: Walk, looked: Looked, proposed: Roles) -> Roles:
    """Return the roles that a person gives the columns, those that their names and types suggest as proposals."""
    from auditor.formats.records.roles import Roles

    names = looked.names()
    if walk.asks:
        walk.say(f"\nIts columns: {', '.join(names)}. A hyphen means none of them.")
    direct = walk.choose_columns("Which name a person directly, and must not leave?", names, proposed.identifiers)
    left = [name for name in names if name not in direct]
    known = walk.choose_columns(
        "Which may an attacker know of a person?",
        left,
        [name for name in proposed.quasi_identifiers if name in left],
    )
    left = [name for name in left if name not in known]
    secret: tuple[str, ...] = ()
    if left:
        secret = walk.choose_columns(
            "Which must an attacker not learn of a person?", left, [name for name in proposed.sensitive if name in left]
        )
    return Roles(identifiers=direct, quasi_identifiers=known, sensitive=secret)


def _options(roles: Roles) -> list[str]:
    found = (
        ("--identifier", roles.identifiers),
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
