"""The lattice of a table on its page: every marginal is a link, level by level, or those beside the selected one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from urllib.parse import quote, urlencode

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.reports.names import readable
from auditor.subjects.tables.charts.lattice import box_words
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice
from graphkit.tables.structure.hypergraph import Axes, mask_of
from graphkit.tables.structure.lattice_positions import axes_of, level_order

MOST_NODES = 8
"""The most variables whose marginals are all shown; beyond, those beside the selected one."""

_LETTER, _BESIDE, _WIDEST = 7.3, 42, 1000.0
_FEW = 40


@dataclass(frozen=True, slots=True)
class Node:
    """A marginal in the lattice."""

    number: int
    names: tuple[str, ...]
    status: str
    label: str
    """What stands in it, which may be letters, or what it has more or less than the selected one."""
    url: str
    relation: str
    """To the selected one: ``here``, ``below``, ``above``, or nothing."""

    @property
    def words(self) -> str:
        """Its name in full."""
        return readable(", ".join(self.names)) or "the total"


@dataclass(frozen=True, slots=True)
class NodeRow:
    """Marginals that stand side by side."""

    title: str
    nodes: list[Node]


@dataclass(frozen=True, slots=True)
class LatticeView:
    """What of a lattice is shown, the largest marginals on top."""

    rows: list[NodeRow]
    key: list[tuple[str, str]]
    """The letters that stand for names, where they do."""
    whole: bool
    """Whether every marginal is there."""

    @property
    def many(self) -> bool:
        """Whether they are so many that a small window scrolls through them."""
        return sum(len(row.nodes) for row in self.rows) > _FEW


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The marginals of so many variables."""

    variables: int
    size: int
    counts: dict[str, int]
    """By status."""
    bar: Markup


def selection_url(table: str, names: Iterable[str]) -> str:
    """Return the address of a table's page with a marginal selected in its lattice; the total is the empty name.

    Examples
    --------
    >>> selection_url("survey", ["sex", "ill"]), selection_url("survey", [])
    ('/tables/survey?v=sex&v=ill#selected', '/tables/survey?v=#selected')
    """
    return f"/tables/{quote(table, safe='')}?{urlencode([('v', name) for name in names] or [('v', '')])}#selected"


def view_lattice(table: str, found: TableLattice, selected: Axes | None) -> LatticeView:
    """Return what of a lattice is shown.

    Parameters
    ----------
    table : str
        Its name.
    found : TableLattice
    selected : tuple of int, optional
        The selected marginal. Beyond :data:`MOST_NODES` variables its neighbours are shown: those with one variable
        more and with one less; without one, those of the total.
    """
    if len(found.names) > MOST_NODES:
        return _neighbourhood(table, found, selected or ())
    k, (labels, key) = len(found.names), _labels(found.names)
    order = level_order(np.arange(1 << k, dtype=np.int64)).tolist()
    rows = [
        NodeRow(
            _title(level),
            [_node(table, found, number, labels[number], selected) for number in order if number.bit_count() == level],
        )
        for level in range(k, -1, -1)
    ]
    return LatticeView(rows, key, whole=True)


def level_rows(found: TableLattice) -> list[LevelRow]:
    """Return how many marginals of each size have each status, the largest marginals first."""
    rows = []
    for variables, counts in reversed(list(enumerate(found.by_level().tolist()))):
        rows.append(LevelRow(variables, sum(counts), dict(zip(STATUSES, counts, strict=True)), _bar(counts)))
    return rows


def _neighbourhood(table: str, found: TableLattice, selected: Axes) -> LatticeView:
    number = mask_of(selected)
    more, less = (
        [
            _node(table, found, number ^ 1 << axis, f"{sign} {readable(name)}", selected)
            for axis, name in enumerate(found.names)
            if (axis in selected) == inside
        ]
        for sign, inside in (("+", False), ("−", True))
    )
    here = [_node(table, found, number, "", selected)]
    parts = (("one variable more", more), (_title(len(selected)), here), ("one variable less", less))
    return LatticeView([NodeRow(title, nodes) for title, nodes in parts if nodes], [], whole=False)


def _node(table: str, found: TableLattice, number: int, label: str, selected: Axes | None) -> Node:
    names = tuple(found.names[axis] for axis in axes_of(number))
    status = STATUSES[found.statuses[number]]
    words = label or readable(", ".join(names)) or "total"
    return Node(number, names, status, words, selection_url(table, names), _relation(number, selected))


def _relation(number: int, selected: Axes | None) -> str:
    if selected is None:
        return ""
    other = mask_of(selected)
    if number == other:
        return "here"
    return "below" if number & other == number else "above" if number & other == other else ""


def _title(level: int) -> str:
    return "total" if not level else "1 variable" if level == 1 else f"{level} variables"


def _labels(names: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return what stands in every marginal, and what letters mean where a level of names would not fit on a line."""
    words, longest = box_words([readable(name) for name in names])
    sizes: NDArray[np.int64] = np.bincount([number.bit_count() for number in range(len(words))])
    if ((longest * _LETTER + _BESIDE) * sizes).max() <= _WIDEST or longest[-1] == len(names):
        return words, []
    return box_words(ascii_uppercase[: len(names)])[0], list(zip(ascii_uppercase, names, strict=False))


def _bar(counts: Sequence[int]) -> Markup:
    total, x, parts = sum(counts), 0.0, []
    for status, number in zip(STATUSES, counts, strict=True):
        if number:
            wide = 100 * number / total
            parts.append(
                Markup('<rect class="bar-{}" x="{}" y="0" width="{}" height="10"/>').format(
                    status, f"{x:.3f}", f"{wide:.3f}"
                )
            )
            x += wide
    return Markup(
        '<svg class="level" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(Markup("").join(parts))
