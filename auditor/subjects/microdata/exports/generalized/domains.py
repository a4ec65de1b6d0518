"""Domains of attributes that are generalized: which values there are, and what stands for several of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.records.categories import categories_of, texts_of
from auditor.formats.records.columns import WithColumns
from auditor.formats.records.errors import record_errors
from auditor.formats.records.hierarchies import is_made, made_hierarchy, read_hierarchy
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.exports.attributes.times import TIMES
from graphkit.arrays import Floats, Ints
from graphkit.hierarchies.tree import ROOT, Tree
from graphkit.microdata.generalization.attribute import Attribute, Kind, hierarchical, nominal
from graphkit.microdata.generalization.extents import Layout, layout_of
from graphkit.microdata.risk.relation import quoted
from graphkit.numbers import count, counted

MOST_CATEGORIES = 10_000
"""Of an attribute without a hierarchy."""


@dataclass(frozen=True, slots=True)
class Generalizing:
    """What may be chosen about attributes that are generalized; names are those of columns."""

    hierarchies: Mapping[str, str | Tree] = field(default_factory=dict)
    """Hierarchies, their files, or how they are made: `prefixes`, `dates`, `intervals:5:20`."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """What the loss of an attribute counts; 1 by default."""
    nominal: tuple[str, ...] = ()
    """Numbers and dates that stand for categories: generalized to sets, not to ranges."""

    def check(self, attributes: Sequence[str]) -> None:
        """Refuse what makes no sense whatever the columns hold.

        Raises
        ------
        BadInput
            If a column that is named is not generalized, or a weight is not positive.
        """
        named = {"weight": self.weights, "give a hierarchy": self.hierarchies, "list as nominal": self.nominal}
        for what, names in named.items():
            for name in names:
                if name not in attributes:
                    raise BadInput(
                        f"there is no attribute {name!r} to {what}; those that are generalized are "
                        f"{', '.join(map(repr, attributes))}"
                    )
        for name, weight in self.weights.items():
            if not 0 < weight < inf:
                raise BadInput(f"weight of {name!r} ({weight:g}) must be a positive number")


# no slots: what it is for an engine is worked out when it is first asked for
@dataclass(frozen=True, eq=False)
class Domain:
    """The values of a column, numbered from 0 on, as its text shows them. Protected where no file declares them."""

    name: str
    values: tuple[str | None, ...]
    """None is what is missing: a value of its own."""
    numbers: Floats | None = None
    """Of a range, the number of every value, ascending; NaN, the first, is what is missing."""
    labels: tuple[str | None, ...] = ()
    """Of a hierarchy, the labels of its nodes: the values, then their groups."""
    parents: tuple[int, ...] = ()
    """Of a hierarchy, the parent of every node."""
    weight: float = 1.0

    @property
    def kind(self) -> Kind:
        """How several values are generalized."""
        return "range" if self.numbers is not None else "tree" if self.parents else "set"

    @cached_property
    def attribute(self) -> Attribute:
        """The same for an engine."""
        if self.numbers is not None:
            return Attribute("range", len(self.values), numbers=self.numbers, weight=self.weight)
        if self.parents:
            return hierarchical(self.parents, len(self.values), self.weight)
        return nominal(len(self.values), self.weight)


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Which records are never mixed. Protected."""

    name: str
    values: tuple[str | None, ...]
    """None is what is missing: a stratum of its own."""
    codes: Ints
    """Of every record, shape (n,)."""


@dataclass(frozen=True, eq=False)
class CodedDomains:
    """Records as the engines take them, and what their numbers stand for. Protected."""

    domains: tuple[Domain, ...]
    codes: Ints
    """Shape (n, attributes)."""
    trees: Mapping[str, Tree] = field(default_factory=dict)
    """The hierarchies."""
    strata: Strata | None = None

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The domains for an engine."""
        return tuple(domain.attribute for domain in self.domains)

    @property
    def stratum_codes(self) -> Ints | None:
        """Stratum of every record, where records have one."""
        return None if self.strata is None else self.strata.codes

    @cached_property
    def layout(self) -> Layout:
        """Where extents of these attributes have what."""
        return layout_of(self.attributes)

    def own_extents(self, extents: Ints) -> list[tuple[Domain, Ints]]:
        """Return every domain with its columns of some extents."""
        ends = self.layout.offsets
        return [(domain, extents[:, ends[place] : ends[place + 1]]) for place, domain in enumerate(self.domains)]


def generalized_attributes(
    opened: WithColumns, roles: Roles, asked: Sequence[str], choices: Generalizing
) -> tuple[str, ...]:
    """Return the columns to generalize: those asked for, else the quasi-identifiers.

    Raises
    ------
    BadInput
        If one is missing, holds what cannot be generalized, or has another role; or there is none; or what is chosen
        is not about these.
    """
    roles.check(column.name for column in opened.columns)
    for name in asked:
        opened.named(name)
        if roles.of(name) not in ATTRIBUTES:
            raise BadInput(f"column {name!r} is declared as {roles.of(name)}; generalize others")
    chosen = tuple(dict.fromkeys(asked)) or roles.quasi_identifiers
    if not chosen:
        raise BadInput("say what an attacker may know: --quasi-identifier A,B, or --attribute A,B")
    choices.check(chosen)
    for name in chosen:
        column = opened.named(name)
        if column.sort == "other":
            raise BadInput(
                f"column {name!r} ({column.type.lower()}) is neither numbers, dates nor categories; choose others"
            )
    return chosen


def read_domains(
    opened: OpenRecords, names: Sequence[str], choices: Generalizing, stratum: str | None = None
) -> CodedDomains:
    """Return attributes of records with their domains, and the strata in a column.

    Raises
    ------
    BadInput
        If a hierarchy cannot be made.
    BadFile
        If the records or a hierarchy cannot be read, a category is not in its hierarchy (names the record, never the
        category), or a number is not finite.
    """
    domains, trees = domains_of(opened, names, choices)
    with record_errors(opened.source):
        codes = [coded(opened.connection, VIEW, domain.name, domain.values) for domain in domains]
        strata = None if stratum is None else _strata(opened.connection, stratum)
    if not len(codes[0]):
        raise opened.source.bad("has no records below its header; give a file that holds records")
    return CodedDomains(domains, np.column_stack(codes), trees, strata)


def domains_of(
    opened: OpenRecords, names: Sequence[str], choices: Generalizing
) -> tuple[tuple[Domain, ...], dict[str, Tree]]:
    """Return the domains of attributes, and the hierarchies of those that have one.

    Raises
    ------
    BadInput, BadFile
        As :func:`read_domains`.
    """
    trees: dict[str, Tree] = {}
    with record_errors(opened.source):
        return tuple(_domain(opened, name, choices, trees) for name in names), trees


def coded(connection: Any, relation: str, name: str, values: Sequence[str | None]) -> Ints:
    """Return the number of the value of every record among some values, shape (n,); −1 where it is none of them."""
    texts, indices = texts_of(connection, relation, name)
    place = {text: code for code, text in enumerate(values)}
    return np.array([place.get(text, -1) for text in texts], dtype=np.int64)[indices]


def _strata(connection: Any, name: str) -> Strata:
    values = categories_of(connection, VIEW, name)
    return Strata(name, values, coded(connection, VIEW, name, values))


def _domain(opened: OpenRecords, name: str, choices: Generalizing, trees: dict[str, Tree]) -> Domain:
    """Return the domain of a column; its hierarchy, where it has one, is put among the trees."""
    weight, column = float(choices.weights.get(name, 1)), opened.named(name)
    in_order = column.sort == "number" or column.type in TIMES
    if in_order and name not in choices.nominal and name not in choices.hierarchies:
        return _range(opened, name, weight)
    there = categories_of(opened.connection, VIEW, name)
    if name in choices.hierarchies:
        trees[name] = _hierarchy(opened, name, there, choices.hierarchies[name])
        return _in_tree(name, there, trees[name], weight)
    if len(there) > MOST_CATEGORIES:
        raise BadInput(
            f"attribute {name!r} has {count(len(there))} categories, more than the {count(MOST_CATEGORIES)} that a "
            "set of them is published for; give a hierarchy, or leave it out"
        )
    return Domain(name, there, weight=weight)


def _range(opened: OpenRecords, name: str, weight: float) -> Domain:
    column = opened.named(name)
    value = quoted(name)
    number, finite = f"CAST({value} AS DOUBLE)", f"isfinite(CAST({value} AS DOUBLE))"
    if column.sort != "number":
        # a time without end is no number
        number, finite = TIMES[column.type].number.format(value), f"isfinite({value})"
    connection = opened.connection
    without = connection.execute(f'SELECT count(*) FROM "{VIEW}" WHERE NOT {finite}').fetchone()[0]
    if without:
        raise opened.source.bad(
            f"has {counted(without, 'record', 'records')} whose number or date in {name!r} is not finite; leave these "
            "records out, or list the column with --nominal"
        )
    found = connection.execute(
        f"SELECT CAST({value} AS VARCHAR), CAST({number} AS DOUBLE) FROM "
        f'(SELECT DISTINCT {value} FROM "{VIEW}") ORDER BY {value} NULLS FIRST'
    ).fetchall()
    # None, for what is missing, becomes NaN
    numbers = np.array([one for _, one in found], dtype=np.float64)
    return Domain(name, tuple(text for text, _ in found), numbers, weight=weight)


def _hierarchy(opened: OpenRecords, name: str, there: Sequence[str | None], given: str | Tree) -> Tree:
    if isinstance(given, Tree):
        return given
    categories = [text for text in there if text is not None]
    if is_made(given):
        try:
            return made_hierarchy(given, categories)
        except BadInput as error:
            raise BadInput(f"hierarchy of {name!r}: {error}") from error
    known = set(categories)
    tree = read_hierarchy(Path(given), known)
    unknown = known.difference(tree.categories)
    if unknown:
        row = _first_row(opened, name, unknown)
        raise opened.source.bad(
            f"has {counted(len(unknown), 'category', 'categories')} of {name!r} that {given} does not have, the first "
            f"in record {count(row)}; add them there"
        )
    return tree


def _in_tree(name: str, there: Sequence[str | None], tree: Tree, weight: float) -> Domain:
    if None not in there:
        return Domain(name, tree.categories, None, tree.labels, tree.parents, weight)
    return Domain(name, (*tree.categories, None), None, *_with_missing(tree), weight)


def _with_missing(tree: Tree) -> tuple[tuple[str | None, ...], tuple[int, ...]]:
    """Return the nodes of a tree and their parents with what is missing as a value of its own below the root."""
    size, labels, parents = tree.size, tree.labels, tree.parents
    if len(labels) == size:
        # the only category is its own root
        labels, parents = (*labels, ROOT), (size,) * (size + 1)
    root = next(node for node, parent in enumerate(parents) if node == parent)
    moved = [parent + (parent >= size) for parent in parents]
    return (*labels[:size], None, *labels[size:]), (*moved[:size], root + 1, *moved[size:])


def _first_row(opened: OpenRecords, name: str, unknown: set[str]) -> int:
    texts, indices = texts_of(opened.connection, VIEW, name)
    wanted = [place for place, text in enumerate(texts) if text in unknown]
    return int(np.flatnonzero(np.isin(indices, wanted))[0]) + 1
