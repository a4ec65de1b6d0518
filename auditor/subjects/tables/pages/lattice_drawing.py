"""The lattice of a table on its page: few variables as a graph whose nodes are links, many as counts by level."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.reports.charts.drawing import tidy
from auditor.reports.names import readable
from auditor.subjects.tables.charts.lattice import box_words, lattice_edges
from auditor.subjects.tables.charts.statuses import marker
from auditor.subjects.tables.releases.lattice import STATUSES, TableLattice
from auditor.web.pages.addresses import marginal_url
from graphkit.tables.structure.lattice_positions import axes_of, lattice_positions

MOST_NODES = 6
"""The most variables whose marginals are drawn one by one."""

_LETTER, _APART, _RISE, _TOP, _HIGH = 7.3, 6, 70.0, 20.0, 30
_BESIDE = 28
_WIDEST = 1000.0


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The marginals of so many variables."""

    variables: int
    size: int
    counts: dict[str, int]
    """By status."""
    bar: Markup


@dataclass(frozen=True, slots=True)
class LatticeDrawing:
    """A drawing of a lattice."""

    svg: Markup
    key: list[tuple[str, str]]
    """The letters that stand for names, where they do."""


def draw_lattice(table: str, found: TableLattice) -> LatticeDrawing | None:
    """Return the lattice as a graph, every node a link to its marginal; None if it has too many variables.

    Notes
    -----
    Where the names do not fit, letters stand for them; every node says its names to whoever points at it or hears it.
    """
    k = len(found.names)
    if k > MOST_NODES:
        return None
    words, wide, key = _labels(found.names)
    places = lattice_positions(k)
    level = places[:, 1].astype(int)
    sizes = np.bincount(level)
    width = max(float(((wide + _APART) * sizes).max()) + 8, 300.0)
    x, y = width / 2 + places[:, 0] * (wide + _APART)[level], _TOP + (k - level) * _RISE
    parts = [
        Markup(
            '<svg class="lattice" role="group" aria-labelledby="lattice-title" width="{0}" height="{1}" '
            'viewBox="0 0 {0} {1}"><title id="lattice-title">All marginals of {2}, the largest on top</title>'
        ).format(tidy(width), tidy(_TOP * 2 + k * _RISE), readable(table))
    ]
    parts += lattice_edges(x, y)
    for number in np.lexsort((x, y)).tolist():
        status = STATUSES[found.statuses[number]]
        names = [found.names[axis] for axis in axes_of(number)]
        parts.append(
            _node(table, names, status, words[number], float(x[number]), float(y[number]), wide[level[number]])
        )
    return LatticeDrawing(Markup("").join([*parts, Markup("</svg>")]), key)


def level_rows(found: TableLattice) -> list[LevelRow]:
    """Return how many marginals of each size have each status, the largest marginals first."""
    rows = []
    for variables, counts in reversed(list(enumerate(found.by_level().tolist()))):
        rows.append(LevelRow(variables, sum(counts), dict(zip(STATUSES, counts, strict=True)), _bar(counts)))
    return rows


def _node(table: str, names: Sequence[str], status: str, words: str, x: float, y: float, wide: float) -> Markup:
    full = Markup("<title>{}: {}</title>").format(readable(", ".join(names)) or "the total", status)
    box = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="7"/>').format(
        tidy(x - wide / 2), tidy(y - _HIGH / 2), tidy(wide), _HIGH
    )
    text = Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(tidy(x + 7), tidy(y + 4.5), words)
    inside = Markup("").join([full, box, marker(status, x - wide / 2 + 11, y), text])
    if not names:
        return Markup('<g class="{}">{}</g>').format(status, inside)
    return Markup('<g class="{}"><a href="{}" aria-label="{}: {}">{}</a></g>').format(
        status, marginal_url(table, [], names), readable(", ".join(names)), status, inside
    )


def _labels(names: Sequence[str]) -> tuple[list[str], NDArray[np.float64], list[tuple[str, str]]]:
    """Return what stands in every box, how wide the boxes of each level are, and what letters mean."""
    words, wide = _boxes(names)
    sizes = np.bincount([number.bit_count() for number in range(len(words))])
    if ((wide + _APART) * sizes).max() <= _WIDEST:
        return words, wide, []
    return *_boxes(ascii_uppercase[: len(names)]), list(zip(ascii_uppercase, names, strict=False))


def _boxes(names: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
    words, longest = box_words([readable(name) for name in names])
    return words, longest * _LETTER + _BESIDE


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
