"""What is declared of the variables of other versions of a table, and what has to be."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from auditor.core.errors import BadInput
from auditor.core.plain import plain
from auditor.store import Store
from auditor.subjects.tables.releases.history import ReleasedHistory
from auditor.subjects.tables.stored.mapping import declare_links
from auditor.subjects.tables.stored.releases import Releases
from graphkit.hierarchies.variable import Variable
from graphkit.tables.versions.variable_link import VariableLink


@dataclass(frozen=True, slots=True)
class DeclaredLinks:
    """How variables of an earlier version go together with those of a later one."""

    earlier: int
    version: int
    variables: tuple[VariableLink, ...]


@dataclass(frozen=True, slots=True)
class UndeclaredVariables:
    """Variables of another version that are out, and of which nobody has said what they are in this one."""

    version: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class VersionMap:
    """How the variables of all versions of a table go together, as far as that was declared."""

    version: int
    """Which one the table has."""
    declared: tuple[DeclaredLinks, ...]
    undeclared: tuple[UndeclaredVariables, ...]
    """While there are any, requests stay undecided."""
    others: dict[int, tuple[Variable, ...]]
    """Variables of the other versions."""

    def data(self) -> dict[str, Any]:
        """Return what is declared and what is not; docs/table-requests.md explains the keys."""
        return {"declared": plain(self.declared), "undeclared": plain(self.undeclared)}


def read_map(store: Store, name: str) -> VersionMap:
    """Return what is declared of a table's versions.

    Raises
    ------
    NotFound
        If there is no table of that name.
    """
    row, versions = Releases(store).history(name)
    history = ReleasedHistory(versions, row.data)
    variables = {version.version: version.variables for version in versions}
    declared = tuple(
        DeclaredLinks(earlier, version.version, links)
        for version in versions
        for earlier, links in sorted(version.declared.items())
    )
    undeclared = tuple(
        UndeclaredVariables(number, tuple(one for one in variables[number] if one.name in names))
        for number, names in history.unaccounted.items()
    )
    others = {number: found for number, found in variables.items() if number != row.version}
    return VersionMap(row.version, declared, undeclared, others)


def declare_variables(
    store: Store, name: str, links: Iterable[VariableLink], *, actor: str, version: int | None = None
) -> VersionMap:
    """Declare what variables of another version are in the one that a table has; return what is declared then.

    Parameters
    ----------
    store : Store
    name : str
        Of the table.
    links : iterable of VariableLink
        Of variables of the earlier of the two versions.
    actor : str
        Who declares it.
    version : int, optional
        The other version; by default the only one with something to declare, or else the one before.

    Raises
    ------
    NotFound
        If there is no table of that name.
    BadInput, InvalidInput
        If there is no such version, variable or category, or neither side follows from the other one.
    """
    declare_links(store, name, other_version(read_map(store, name), version), links, actor=actor)
    return read_map(store, name)


def other_version(known: VersionMap, version: int | None) -> int:
    """Return the version that a table's variables are held against, unless one is named.

    Raises
    ------
    BadInput
        If there is none, or it must be named.
    """
    if version is not None:
        return version
    open_ones = [one.version for one in known.undeclared]
    if len(open_ones) > 1:
        numbers = ", ".join(map(str, open_ones))
        raise BadInput(f"variables of versions {numbers} are undeclared; say which one is meant with --version")
    before = [number for number in known.others if number < known.version]
    if not open_ones and not before:
        raise BadInput("there is no earlier version of this table; nothing has to be declared")
    return open_ones[0] if open_ones else max(before)
