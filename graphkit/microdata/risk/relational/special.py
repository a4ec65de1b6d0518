"""Special uniques, searched in DuckDB combination by combination."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.microdata.risk.relational.records_table import RECORDS, RecordsTable
from graphkit.microdata.risk.special_uniques import LEAST_WORK, SpecialUniqueRisk, found_risk, score_of

_MINIMAL = "auditor_counted_minimal"


@dataclass(frozen=True, slots=True, eq=False)
class CountedUniques:
    """What :class:`~graphkit.microdata.risk.special_uniques.SpecialUniques` tells, without saying of which records."""

    risk: SpecialUniqueRisk
    scores: Ints
    """Different SUDA scores, rising."""
    records: Ints
    """How many records have each."""


def special_uniques_in(
    table: RecordsTable,
    *,
    largest_size: int = 4,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> "CountedUniques":
    """Return which combinations of quasi-identifiers single records out, and how many records have which score.

    Parameters
    ----------
    table : RecordsTable
    largest_size, budget, progress
        As :func:`~graphkit.microdata.risk.special_uniques.special_uniques`: the same work, in the same order, so that a
        limit of work ends both searches after the same combination.

    Notes
    -----
    Level by level, as there. Between two levels stand the numbers of the records that are alone in each combination, in
    tables that DuckDB keeps on the disk where they exceed its memory.
    """
    budget = budget if budget is not None else Budget()
    names, connection = table.quasi_identifiers, table.connection
    m, largest = len(names), min(largest_size, len(names))
    total = sum(comb(m, size) for size in range(1, largest + 1))
    found: list[tuple[tuple[int, ...], int, int]] = []
    searched = size_searched = 0
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {_MINIMAL} (id BIGINT, size TINYINT)")
    kept: list[tuple[int, ...]] = []
    try:
        for size in range(1, largest + 1):
            before, kept = kept, []
            for chosen in combinations(range(m), size):
                if budget.is_spent():
                    kept += before
                    return _risk(table, largest_size, found, (searched, total, size_searched), largest)
                kept.append(chosen)
                found.append((chosen, *_search(table, chosen)))
                searched += 1
                budget.charge(max(table.n, LEAST_WORK))
                if progress is not None:
                    progress(searched, total)
            for chosen in before:
                connection.execute(f"DROP TABLE IF EXISTS {_alone(chosen)}")
            size_searched = size
        return _risk(table, largest_size, found, (searched, total, size_searched), largest)
    finally:
        for dropped in (*map(_alone, kept), _MINIMAL):
            connection.execute(f"DROP TABLE IF EXISTS {dropped}")


def _search(table: RecordsTable, chosen: tuple[int, ...]) -> tuple[int, int]:
    """Return how many records are alone in a combination, and how many of them in none of its parts."""
    connection, keys = table.connection, ", ".join(f"q{place}" for place in chosen)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {_alone(chosen)} AS "
        f"SELECT min(id) AS id FROM {RECORDS} GROUP BY {keys} HAVING count(*) = 1"
    )
    parts = [] if len(chosen) == 1 else list(combinations(chosen, len(chosen) - 1))
    minimal = f"SELECT id FROM {_alone(chosen)}" + "".join(f" EXCEPT SELECT id FROM {_alone(part)}" for part in parts)
    connection.execute(f"INSERT INTO {_MINIMAL} SELECT id, {len(chosen)} FROM ({minimal})")
    alone = connection.execute(f"SELECT count(*) FROM {_alone(chosen)}").fetchone()[0]
    return alone, connection.execute(f"SELECT count(*) FROM ({minimal})").fetchone()[0]


def _alone(chosen: tuple[int, ...]) -> str:
    """Return the table of the records that are alone in a combination."""
    return "auditor_counted_alone_" + "_".join(map(str, chosen))


def _risk(
    table: RecordsTable,
    largest_size: int,
    found: list[tuple[tuple[int, ...], int, int]],
    searched: tuple[int, int, int],
    largest: int,
) -> CountedUniques:
    connection, m = table.connection, len(table.quasi_identifiers)
    smallest = dict(
        connection.execute(
            f"SELECT size, count(*) FROM (SELECT min(size) AS size FROM {_MINIMAL} GROUP BY id) GROUP BY size"
        ).fetchall()
    )
    scores = " ".join(f"WHEN {size} THEN {score_of(size, m, largest)}" for size in range(1, largest + 1))
    score = f"CASE size {scores} END" if scores else "0"
    counted = connection.execute(
        f"SELECT CAST(score AS BIGINT), count(*) FROM (SELECT sum({score}) AS score FROM {_MINIMAL} GROUP BY id) "
        "GROUP BY score ORDER BY score"
    ).fetchall()
    values, records = np.array(counted, dtype=np.int64).reshape(-1, 2).T
    risk = found_risk(
        table.n,
        table.quasi_identifiers,
        largest_size,
        found,
        searched,
        smallest_sizes=tuple(smallest.get(size, 0) for size in range(1, largest + 1)),
        largest_score=int(values.max(initial=0)),
    )
    return CountedUniques(risk, values, records)
