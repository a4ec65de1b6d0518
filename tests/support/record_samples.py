"""Small files of records, and the definitions of the risks word by word: the oracles of the engines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st

Rows = list[tuple[Any, ...]]


@st.composite
def rows(draw: st.DrawFn, max_columns: int = 5, max_rows: int = 14) -> tuple[Rows, int]:
    """Rows of few categories, some missing, and the number of columns."""
    width = draw(st.integers(1, max_columns))
    category = st.one_of(st.none(), st.integers(0, 3))
    return draw(st.lists(st.tuples(*[category] * width), max_size=max_rows)), width


def names_of(width: int) -> list[str]:
    return [f"c{number}" for number in range(width)]


def columns_of(given: Rows, width: int) -> dict[str, list[Any]]:
    return {name: [row[place] for row in given] for place, name in enumerate(names_of(width))}


def classes_by_hand(given: Rows) -> dict[tuple[Any, ...], list[int]]:
    """The records of each combination."""
    classes: dict[tuple[Any, ...], list[int]] = {}
    for number, row in enumerate(given):
        classes.setdefault(row, []).append(number)
    return classes


def minimal_uniques_by_hand(given: Rows, width: int, largest: int) -> list[tuple[int, tuple[int, ...]]]:
    """Every record with each of its minimal sample uniques."""

    def is_alone(record: int, chosen: Sequence[int]) -> bool:
        return sum(all(row[c] == given[record][c] for c in chosen) for row in given) == 1

    return [
        (record, chosen)
        for record in range(len(given))
        for size in range(1, min(largest, width) + 1)
        for chosen in combinations(range(width), size)
        if is_alone(record, chosen)
        and not any(is_alone(record, part) for less in range(1, size) for part in combinations(chosen, less))
    ]


def shares(values: Sequence[Any], categories: Sequence[Any]) -> list[float]:
    counted = Counter(values)
    return [counted[category] / len(values) for category in categories]


def ordered_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Earth mover's distance of two distributions over ranks: what is carried past each rank."""
    carried, work = 0.0, 0.0
    for p, q in zip(one, other, strict=True):
        carried += p - q
        work += abs(carried)
    return work / max(len(one) - 1, 1)


def inverse_mean_by_hand(f: int, p: float, terms: int) -> float:
    """Mean of 1/F for F negative binomial: f successes of probability p, summed term by term."""
    population = np.arange(f, f + terms)
    growth = np.log1p(-p) + np.log(population / (population - f + 1))
    log_terms = f * math.log(p) + np.concatenate(([0.0], np.cumsum(growth)[:-1]))
    return float((np.exp(log_terms) / population).sum())
