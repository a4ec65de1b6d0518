"""The lattice of a table's marginals, the total at the bottom: boxes with names, or marks, or a bar for each level."""

from collections.abc import Sequence
from string import ascii_uppercase

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from auditor.reports.charts.drawing import tidy
from auditor.subjects.tables.charts.picture import fitted, hover, label, page
from auditor.subjects.tables.charts.statuses import PATTERNS, STATUS_STYLE, legend, marker, status_bar
from graphkit.numbers import count
from graphkit.tables.structure.lattice_positions import axes_of, lattice_positions, level_order

_MOST_LABELLED, _MOST_DRAWN = 6, 12
_LETTER, _BESIDE, _WIDEST, _NARROWEST = 7.4, 36, 1240, 720.0
_TOP, _APART, _RISE = 104, 10, 74.0
_STYLE = STATUS_STYLE + (
    ".edge{stroke:#c5cad3;stroke-width:1;fill:none}.level{font-weight:600}"
    ".number{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
)


def lattice_picture(
    name: str, remark: str, names: Sequence[str], statuses: Sequence[str], of_marginals: NDArray[np.int8]
) -> str:
    """Return a picture of all marginals, coloured and marked by status.

    Parameters
    ----------
    name : str
        Of the table.
    remark : str
        What the statuses mean, such as the policy they were decided under.
    names : sequence of str
        Of the variables.
    statuses : sequence of str
        What a marginal can be, in the order of the legend.
    of_marginals : ndarray of int8, shape (2^k,)
        Of every marginal by its number, a place in `statuses`.

    Notes
    -----
    Up to 6 variables every marginal has a box with its variables, and lines to those it covers; up to 12 a mark,
    grouped by status within a level; beyond, each level is a bar of shares.
    """
    k = len(names)
    counts = {status: int((of_marginals == code).sum()) for code, status in enumerate(statuses)}
    kinds = [statuses[code] for code in of_marginals.tolist()]
    if k <= _MOST_LABELLED:
        width, height, marks = _boxes(names, kinds)
    elif k <= _MOST_DRAWN:
        width, height, marks = _grid(names, kinds, statuses)
    else:
        width, height, marks = _bars(kinds, statuses, k)
    width = max(width, _NARROWEST)
    said = ", ".join(f"{status} {count(number)}" for status, number in counts.items() if number)
    about = f"{count(len(kinds))} marginals of {k} variables: {said}. {remark}."
    head = [label(16, 50, fitted(remark, int(width / 6.6)), "quiet"), *legend(counts, 76, bars=k > _MOST_DRAWN)]
    return page(width, height, f"{name}: marginals", about, _STYLE, [PATTERNS, *head, *marks])


def _boxes(names: Sequence[str], kinds: Sequence[str]) -> tuple[float, float, list[Markup]]:
    """Return a box with the variables of each marginal; letters stand for names that are too long."""
    k, key = len(names), []
    words, longest = box_words(names)
    wide = longest * _LETTER + _BESIDE
    positions = lattice_positions(k)
    sizes = np.bincount(positions[:, 1].astype(int))
    if ((wide + _APART) * sizes).max() > _WIDEST and list(names) != list(ascii_uppercase[:k]):
        words, longest = box_words(ascii_uppercase[:k])
        wide = longest * _LETTER + _BESIDE
        key = _key(names)
    width = max(float(((wide + _APART) * sizes).max()) + 32, _NARROWEST)
    level = positions[:, 1].astype(int)
    x, y = width / 2 + positions[:, 0] * (wide + _APART)[level], _TOP + 20 + (k - level) * _RISE
    marks = lattice_edges(x, y)
    for number, kind in enumerate(kinds):
        left, middle, long = x[number] - wide[level[number]] / 2, y[number], wide[level[number]]
        box = Markup('<rect class="box-{}" x="{}" y="{}" width="{}" height="28" rx="6"/>').format(
            kind, tidy(left), tidy(middle - 14), tidy(long)
        )
        text = label(x[number] + 8, middle + 4.5, words[number], "", "middle")
        marks.append(hover(_full(names, number, kind), box, marker(kind, left + 14, middle), text))
    bottom = _TOP + 20 + k * _RISE + 14
    marks += [label(16, bottom + 26 + 18 * place, line, "quiet") for place, line in enumerate(key)]
    return width, bottom + 20 + 18 * len(key), marks


def box_words(names: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
    """Return what stands in the box of every marginal, and how many letters that is at most in each level."""
    between = "" if all(len(name) == 1 for name in names) else ", "
    words = [between.join(names[axis] for axis in axes_of(number)) or "total" for number in range(1 << len(names))]
    longest = np.zeros(len(names) + 1)
    np.maximum.at(longest, [number.bit_count() for number in range(len(words))], [len(text) for text in words])
    return words, longest


def lattice_edges(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[Markup]:
    """Return a line from every marginal to those with one variable more, given the places of all by their numbers."""
    numbers, marks = np.arange(x.size), []
    for axis in range(x.size.bit_length() - 1):
        for lower in numbers[numbers >> axis & 1 == 0].tolist():
            ends = (x[lower], y[lower], x[lower | 1 << axis], y[lower | 1 << axis])
            marks.append(Markup('<path class="edge" d="M{},{}L{},{}"/>').format(*map(tidy, ends)))
    return marks


def _key(names: Sequence[str]) -> list[str]:
    """Return lines that tell what the letters mean."""
    lines = [""]
    for letter, name in zip(ascii_uppercase, names, strict=False):
        entry = f"{letter} = {fitted(name, 60)}"
        if lines[-1] and len(lines[-1]) + len(entry) > 90:
            lines.append("")
        lines[-1] += (" · " if lines[-1] else "") + entry
    return lines


def _grid(names: Sequence[str], kinds: Sequence[str], statuses: Sequence[str]) -> tuple[float, float, list[Markup]]:
    """Return a mark for each marginal, level by level, the largest marginals on top."""
    k, left, pitch, most = len(names), 176.0, 14.0, 70
    order = level_order(np.arange(1 << k, dtype=np.int64))
    level = np.bitwise_count(order)
    y, marks = float(_TOP), []
    for variables in range(k, -1, -1):
        numbers = order[level == variables].tolist()
        numbers.sort(key=lambda number: statuses.index(kinds[number]))
        marks += _level_label(variables, len(numbers), y + 4)
        for place, number in enumerate(numbers):
            x_mark, y_mark = left + place % most * pitch, y + place // most * pitch
            marks.append(hover(_full(names, number, kinds[number]), marker(kinds[number], x_mark, y_mark)))
        y += ((len(numbers) - 1) // most + 1) * pitch + 12
    return left + most * pitch + 16, y + 6, marks


def _bars(kinds: Sequence[str], statuses: Sequence[str], k: int) -> tuple[float, float, list[Markup]]:
    """Return for each level the shares of the statuses, with their numbers."""
    left, long, row = 170.0, 700.0, 26.0
    codes = np.array([statuses.index(kind) for kind in kinds])
    level = np.bitwise_count(np.arange(len(kinds)))
    marks = []
    for place, variables in enumerate(range(k, -1, -1)):
        y = _TOP - 8 + place * row
        numbers = np.bincount(codes[level == variables], minlength=len(statuses))
        size = int(numbers.sum())
        marks += _level_label(variables, size, y + 15)
        x = left
        for status, number in zip(statuses, numbers.tolist(), strict=True):
            if not number:
                continue
            wide = long * number / size
            bar = status_bar(status, x, y, max(wide, 1.0), 20)
            words = count(number)
            fits = wide > len(words) * _LETTER + 10
            shown = [label(x + wide / 2, y + 14.5, words, "number", "middle")] if fits else []
            full = f"{variables} variables: {status} {words} of {count(size)}"
            marks.append(hover(full, bar, *shown))
            x += wide
    return left + long + 24, _TOP + (k + 1) * row + 4, marks


def _level_label(variables: int, size: int, y: float) -> list[Markup]:
    words = "total" if not variables else ("1 variable" if variables == 1 else f"{variables} variables")
    return [label(16, y, words, "level"), label(156, y, count(size), "quiet", "end")]


def _full(names: Sequence[str], number: int, kind: str) -> str:
    return f"{', '.join(names[axis] for axis in axes_of(number)) or 'total'}: {kind}"
