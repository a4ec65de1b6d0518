"""Versions of tiny tables of the same people: variables are renamed, recoded, merged, derived, split or left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkit.hierarchies.grouping import Grouping
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.table_versions import VersionedMarginal
from graphkit.tables.versions.variable_link import VariableLink
from tests.support.small_tables import tables_with

__all__ = ["TinyVersions", "tiny_versions"]

SHAPES = [(2, 2, 2), (3, 2, 2), (4, 2), (2, 2, 2, 2), (3, 3)]
Codes = tuple[int, ...]
"""Of each cell of the finest table, the category of a variable."""


@dataclass(frozen=True, eq=False)
class TinyVersions:
    """What everybody is, in full detail, and the variables of two versions as functions of that."""

    counts: NDArray[np.int64]
    """The finest table, flat."""
    codes: tuple[tuple[Codes, ...], tuple[Codes, ...]]
    links: tuple[VariableLink, ...]
    """Of all variables of the first version that go with some of the second one, or with none."""
    facts: tuple[VersionedMarginal, ...]
    requested: RecodedMarginal

    def variables(self, version: int) -> tuple[Variable, ...]:
        """Names tell the version: nothing is known by its name."""
        return tuple(
            Variable(f"{'xy'[version - 1]}{place}", tuple(f"c{code}" for code in range(max(codes) + 1)))
            for place, codes in enumerate(self.codes[version - 1])
        )

    def table(self, version: int) -> ContingencyTable:
        """Return the table of a version."""
        variables = self.variables(version)
        counts = np.zeros([variable.size for variable in variables], dtype=np.int64)
        np.add.at(counts, tuple(np.array(self.codes[version - 1])), self.counts)
        return ContingencyTable.from_dense(counts, variables)

    def possible(self, version: int) -> NDArray[np.int64]:
        """Return all tables of a version that fit what is out and requested, by trying all of the finest ones."""
        cells = np.ravel_multi_index(np.array(self.codes[version - 1]), self.table(version).shape)
        found = []
        for counts in self._finest():
            table = np.zeros(self.table(version).size, dtype=np.int64)
            np.add.at(table, cells, counts.reshape(-1))
            found.append(table)
        return np.unique(np.array(found), axis=0)

    def _finest(self) -> Iterator[NDArray[np.int64]]:
        sums: dict[tuple[object, ...], int] = {("total",): int(self.counts.sum())}
        uses: list[list[tuple[object, ...]]] = [[("total",)] for _ in range(self.counts.size)]
        for number, fact in enumerate([*self.facts, VersionedMarginal(2, self.requested)]):
            codes = self.codes[fact.version - 1]
            for cell in range(self.counts.size):
                groups = zip(fact.marginal.axes, fact.marginal.groupings, strict=True)
                key = (number, tuple(grouping[codes[axis][cell]] for axis, grouping in groups))
                sums[key] = sums.get(key, 0) + int(self.counts[cell])
                uses[cell].append(key)
        return tables_with(sums, uses, (self.counts.size,))


@st.composite
def tiny_versions(draw: st.DrawFn, most: int = 7) -> TinyVersions | None:
    """Two versions with something out of them, and a request about the second one; None where nobody can say how."""
    shape = draw(st.sampled_from(SHAPES))
    size = prod(shape)
    people = draw(st.lists(st.integers(0, size - 1), max_size=most))
    counts = np.bincount(np.array(people, dtype=np.int64), minlength=size)
    first, second = draw(_versions(shape)), draw(_versions(shape))
    links = [_link(place, codes, second) for place, codes in enumerate(first)]
    if any(link is None for link in links):
        return None
    facts = draw(st.lists(_marginals(1, first), min_size=1, max_size=3))
    facts += draw(st.lists(_marginals(2, second), max_size=1))
    requested = draw(_marginals(2, second)).marginal
    return TinyVersions(counts, (first, second), tuple(link for link in links if link), tuple(facts), requested)


@st.composite
def _versions(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[Codes, ...]:
    """Variables, each a function of finest ones that no other has: so every combination is possible."""
    finest = np.array(np.unravel_index(np.arange(prod(shape)), shape))
    axes = draw(st.permutations(range(len(shape))))
    found: list[Codes] = []
    while axes:
        number = draw(st.sampled_from([1, 1, 1, 2]))
        taken, axes = list(axes[:number]), axes[number:]
        sizes = [shape[axis] for axis in taken]
        whole = np.ravel_multi_index(tuple(finest[taken]), sizes)
        kind = draw(st.sampled_from(["all", "all", "recoded", "merged", "gone"]))
        if kind == "gone" and (axes or found):
            continue
        labels = np.arange(prod(sizes))
        if kind == "recoded":
            labels = np.array(draw(st.permutations(labels.tolist())))
        elif kind == "merged" and labels.size > 2:
            labels = np.array(draw(st.lists(st.integers(0, 2), min_size=labels.size, max_size=labels.size)))
            labels = np.unique(labels, return_inverse=True)[1].reshape(-1)
        found.append(tuple(labels[whole].tolist()))
    return tuple(found)


@st.composite
def _marginals(draw: st.DrawFn, version: int, codes: tuple[Codes, ...]) -> VersionedMarginal:
    axes = sorted(draw(st.sets(st.integers(0, len(codes) - 1), min_size=1, max_size=3)))
    groupings = []
    for axis in axes:
        size = max(codes[axis]) + 1
        grouping: Grouping = tuple(range(size))
        if size > 2 and draw(st.integers(0, 3)) == 0:
            labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
            numbers: dict[int, int] = {}
            grouping = tuple(numbers.setdefault(label, len(numbers)) for label in labels)
        groupings.append(grouping)
    return VersionedMarginal(version, RecodedMarginal(tuple(axes), tuple(groupings)))


def _link(place: int, codes: Codes, second: tuple[Codes, ...]) -> VariableLink | None:
    """Return how a variable goes with those of the second version; None where it tells of them and neither follows."""
    if _is_free(codes, list(zip(*second, strict=True))):
        return VariableLink(f"x{place}")
    for number in range(1, len(second) + 1):
        for chosen in combinations(range(len(second)), number):
            together = list(zip(*(second[at] for at in chosen), strict=True))
            rows = sorted(set(zip(codes, together, strict=True)))
            forward = len({row[1] for row in rows}) == len(rows)
            backward = len({row[0] for row in rows}) == len(rows)
            rest = [other for at, other in enumerate(second) if at not in chosen]
            # of what follows from it nothing may be left out
            if forward or (backward and _is_free(codes, list(zip(*rest, strict=True)) or [()] * len(codes))):
                names = tuple(f"y{at}" for at in chosen)
                named = tuple((f"c{old}", *(f"c{code}" for code in new)) for old, new in rows)
                return VariableLink(f"x{place}", names, named)
    return None


def _is_free(codes: Codes, others: Sequence[tuple[int, ...]]) -> bool:
    """Whether every category stands beside every combination of others."""
    return len(set(zip(codes, others, strict=True))) == len(set(codes)) * len(set(others))
