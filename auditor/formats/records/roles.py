"""What the columns of a file of records are to an attacker: declared, never guessed."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from auditor.core.errors import BadInput, NotFound
from auditor.formats.source import shown

ATTRIBUTES = ("quasi-identifier", "sensitive", "other")
"""Roles of columns that say something of a respondent: what is aggregated, and compared."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles of columns; a column without one is none of an audit's business."""

    identifiers: tuple[str, ...] = ()
    """Name a respondent directly; no file with one may be released."""
    quasi_identifiers: tuple[str, ...] = ()
    """Together may single a respondent out; an attacker may know them."""
    sensitive: tuple[str, ...] = ()
    """What an attacker must not learn."""
    weight: str | None = None
    """How many of the population a record stands for."""
    stratum: str | None = None
    """Groups of records that no protection may mix."""
    household: str | None = None
    """Groups of records that are found together."""
    record_key: str | None = None
    """Tells which record of another version of the file is the same respondent's; never leaves."""
    geography: tuple[str, ...] = ()
    """Quasi-identifiers whose values together name a geographic unit."""
    populations: str | None = None
    """Path of a file that says how many people live in each unit."""
    left_out: tuple[str, ...] = ()
    """Name nobody, but are not released."""

    def __post_init__(self) -> None:
        twice = next((name for name, times in Counter(self.named()).items() if times > 1), None)
        if twice is not None:
            raise BadInput(self._contradiction(twice))
        unknown = [name for name in self.geography if name not in self.quasi_identifiers]
        if unknown:
            raise BadInput(f"{unknown[0]!r} names geographic units, so it must be a quasi-identifier, too; declare it")
        if self.populations is not None and not self.geography:
            raise BadInput("populations are those of geographic units; say which columns name these (geography)")

    @property
    def kept_back(self) -> tuple[str, ...]:
        """The columns that never leave."""
        return (*self.naming, *self.left_out)

    @property
    def naming(self) -> tuple[str, ...]:
        """The columns that name respondents."""
        return (*self.identifiers, *((self.record_key,) if self.record_key else ()))

    def named(self) -> tuple[str, ...]:
        """Return all columns that have a role."""
        single = (self.weight, self.stratum, self.household, self.record_key)
        several = (*self.identifiers, *self.quasi_identifiers, *self.sensitive, *self.left_out)
        return (*several, *(name for name in single if name))

    def _held_by(self, name: str) -> list[str]:
        """Return the words for the roles of a column, each as often as the column has it."""
        words = []
        for role, word in _WORDS.items():
            held = getattr(self, role)
            words += [word] * (held.count(name) if isinstance(held, tuple) else held == name)
        return words

    def _contradiction(self, name: str) -> str:
        """Return why the roles of a column are one too many."""
        one, other = self._held_by(name)[:2]
        if one == other:
            return f"column {name!r} is named twice as {one}; name it once"
        why = next(why for word, why in _ALONE.items() if word in (one, other))
        return f"column {name!r} has two roles, {one} and {other}: {why}; give it one"

    def of(self, name: str) -> str:
        """Return the role of a column in words.

        Examples
        --------
        >>> Roles(quasi_identifiers=("age",)).of("age"), Roles().of("age")
        ('quasi-identifier', 'other')
        """
        return next(iter(self._held_by(name)), "other")

    def check(self, columns: Iterable[str]) -> None:
        """Refuse roles of columns that are not there.

        Raises
        ------
        BadInput
            Names the first, and the columns that are there.
        """
        there = list(columns)
        for name in self.named():
            if name not in there:
                raise BadInput(f"there is no column {name!r}; there are {', '.join(map(repr, there))}")

    def data(self) -> dict[str, Any]:
        """Return them as plain values.

        Examples
        --------
        >>> Roles(sensitive=("wage",), weight="w").data()["sensitive"]
        ['wage']
        """
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def overruled(self, **given: Any) -> "Roles":
        """Return these roles with those that are given."""
        return replace(self, **{name: value for name, value in given.items() if value})


_WORDS = {
    "identifiers": "identifier",
    "quasi_identifiers": "quasi-identifier",
    "sensitive": "sensitive",
    "weight": "weight",
    "stratum": "stratum",
    "household": "household",
    "record_key": "record key",
    "left_out": "left out",
}
_ALONE = {
    "left out": "what is left out of a release plays no part in it",
    "identifier": "an identifier is never released",
    "record key": "a record key is never released",
    "weight": "a weight is what a record counts, and says nothing of its respondent",
    "household": "a household tells which records belong together, and says nothing of a respondent",
    "stratum": "no protection mixes strata, so each value of the column stays visible in its own group",
    "sensitive": "an attacker knows a quasi-identifier already, and must not learn what is sensitive",
}
"""Why a column of a role has no other one; the first that fits is said."""


def parse_roles(given: Mapping[str, Any], where: str = "roles") -> Roles:
    """Return the roles in plain values.

    Raises
    ------
    BadInput
        If a key is unknown or a value is no name; says which.

    Examples
    --------
    >>> parse_roles({"quasi_identifiers": ["age", "sex"]}).quasi_identifiers
    ('age', 'sex')
    """
    held: dict[str, Any] = {}
    known = {one.name: one.type for one in fields(Roles)}
    single = ("weight", "stratum", "household", "record_key", "populations")
    for key, value in given.items():
        if key not in known:
            raise BadInput(f"{where}: unknown key {key!r}; known: {', '.join(known)}")
        if key in single:
            if value is not None and not isinstance(value, str):
                what = "path of a file" if key == "populations" else "name of a column"
                raise BadInput(f"{where}: {key} must be the {what}, in quotes")
            held[key] = value
        else:
            if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
                raise BadInput(f"{where}: {key} must be a list of names of columns, in quotes")
            held[key] = tuple(value)
    return Roles(**held)


def read_roles(path: Path) -> Roles:
    """Return the roles in a TOML file.

    Raises
    ------
    NotFound
        If there is no such file.
    BadInput
        If it is no TOML file, or as :func:`parse_roles`.
    """
    name = shown(path)
    try:
        with path.open("rb") as file:
            roles = parse_roles(tomllib.load(file), name)
    except FileNotFoundError:
        raise NotFound(f"{name}: no such file; check the path") from None
    except OSError as error:
        raise BadInput(f"{name} cannot be opened ({error.strerror}); check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{name} is not valid TOML; check its quotes and brackets") from error
    if roles.populations is None:
        return roles
    # as the roles lie: a command may run elsewhere
    return replace(roles, populations=str(path.parent.resolve() / roles.populations))
