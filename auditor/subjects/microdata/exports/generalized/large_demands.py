"""What is demanded of a generalized file of more records than fit in memory: households, sensitive values, strata.

Nothing here imports an engine.
"""

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from auditor.formats.records.opening import VIEW
from auditor.subjects.microdata.exports.large_file import numbered
from auditor.subjects.microdata.exports.reading_back import RELEASED
from graphkit.microdata.demand import Demand
from graphkit.microdata.risk.closeness import t_closeness
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.risk.relational.sensitive import counted_pairs
from graphkit.microdata.verify_diversity import households_check, seen_check
from graphkit.microdata.verify_freeform import FreeformClaim
from graphkit.verification import Check

STRATUM = "stratum"
_ROUNDING = 1e-9


def demanded(place: int) -> str:
    """Return the column of the table of codes that has the values of a demand."""
    return f"s{place}"


def write_demanded(duck: Any, demands: Sequence[Demand], stratum: str | None, codes: str) -> None:
    """Add to the table of codes a number for the value of every demand, and for the stratum; by rank where that counts.

    A record without a household is one of its own; no sensitive value, and no stratum, is a value like others.

    Parameters
    ----------
    duck : DuckDBPyConnection
    demands : sequence of Demand
    stratum : str or None
        Column.
    codes : str
        Table with a column ``record``. Protected.
    """
    wanted = [(demanded(place), demand.sensitive, demand) for place, demand in enumerate(demands)]
    joins, selected = [], []
    for name, column, demand in [*wanted, *([] if stratum is None else [(STRATUM, stratum, None)])]:
        ordered = demand is not None and demand.distance == "ordered"
        value, of = f"{quoted(VIEW)}.{quoted(column)}", f"of_{name}"
        value = value if ordered else f"CAST({value} AS VARCHAR)"
        known = (
            "SELECT value, row_number() OVER (ORDER BY value NULLS LAST) AS number FROM "
            f"(SELECT DISTINCT {value} AS value FROM {quoted(VIEW)})"
        )
        joins.append(f"LEFT JOIN ({known}) AS {of} ON {of}.value IS NOT DISTINCT FROM {value}")
        number = f"{of}.number"
        if demand is not None and demand.of_households:
            number = f"CASE WHEN {value} IS NULL THEN -1 - {quoted(VIEW)}.record ELSE {number} END"
        selected.append(f"{number} AS {name}")
    if selected:
        duck.execute(
            f"CREATE OR REPLACE TABLE {quoted(codes)} AS SELECT codes.*, {', '.join(selected)} FROM {numbered(VIEW)} "
            f"JOIN {quoted(codes)} AS codes ON codes.record = {quoted(VIEW)}.record {' '.join(joins)}"
        )


def fewest_seen(duck: Any, place: int, codes: str, covered: str) -> int:
    """Return how many different values of a demand an original sees at least."""
    return _count(duck, f"SELECT min(different) FROM ({_seen(_coded_values(place, codes), covered)})")


def demand_checks(duck: Any, claim: FreeformClaim, codes: str, covered: str, key: str) -> list[Check]:
    """Check what originals see in the written file, and that strata are apart.

    Parameters
    ----------
    duck : DuckDBPyConnection
        The published file is its view :data:`~auditor.subjects.microdata.exports.reading_back.RELEASED`.
    claim : FreeformClaim
    codes : str
        Table of the originals, with what :func:`write_demanded` added. Protected.
    covered : str
        Table with the originals that the record made of each one covers: ``record`` and a list ``covered``. Protected.
    key : str
        Table of the row of each original and of its published record: ``original`` and ``published``. Protected.

    Notes
    -----
    Values are those of the written file but for households, which are not published. One sort of n k rows for each
    demand, by the database.
    """
    checks = []
    for place, demand in enumerate(claim.demands):
        if demand.of_households:
            values = _coded_values(place, codes)
        else:
            values = (
                f"SELECT key.original, CAST({RELEASED}.{quoted(demand.sensitive)} AS VARCHAR) AS value "
                f"FROM {numbered(RELEASED)} JOIN {quoted(key)} AS key ON key.published = {RELEASED}.record"
            )
        originals, different, entropy = duck.execute(
            f"SELECT count(*), min(different), min(entropy) FROM ({_seen(values, covered)})"
        ).fetchone()
        met = originals == claim.n and different >= demand.distinct and entropy >= log(demand.entropy) - _ROUNDING
        met = met and (demand.t is None or _is_close(duck, demand, claim.n, covered, key))
        checks.append(seen_check(demand, met))
        if demand.of_households:
            households = _count(
                duck,
                f"SELECT count(*) FROM (SELECT graph.record FROM ({_edges(covered)}) AS graph "
                f"JOIN ({values}) AS held ON held.original = graph.original "
                f"GROUP BY graph.record HAVING count(DISTINCT held.value) >= {demand.distinct})",
            )
            checks.append(households_check(demand, households == claim.n))
    if claim.stratum is not None:
        mixed = _count(
            duck,
            f"SELECT count(*) FROM ({_edges(covered)}) AS graph "
            f"JOIN {quoted(codes)} AS one ON one.record = graph.record "
            f"JOIN {quoted(codes)} AS other ON other.record = graph.original WHERE one.{STRATUM} <> other.{STRATUM}",
        )
        text = "records cover originals of their own stratum"
        checks.append(Check("strata", mixed == 0, text if mixed == 0 else "a record covers one of another stratum"))
    return checks


def _is_close(duck: Any, demand: Demand, n: int, covered: str, key: str) -> bool:
    """Return whether what each original sees in the written file is no farther from all of it than is demanded."""
    column = quoted(demand.sensitive)
    ranks = (
        "SELECT value, total, row_number() OVER (ORDER BY value NULLS LAST) - 1 AS category FROM "
        f"(SELECT {column} AS value, count(*) AS total FROM {RELEASED} GROUP BY {column})"
    )
    found = duck.execute(f"SELECT total FROM ({ranks}) ORDER BY category").fetchnumpy()
    pairs = (
        f"SELECT graph.original, ranks.category, count(*) FROM ({_edges(covered)}) AS graph "
        f"JOIN {quoted(key)} AS key ON key.original = graph.record "
        f"JOIN {numbered(RELEASED)} ON {RELEASED}.record = key.published "
        f"JOIN ({ranks}) AS ranks ON ranks.value IS NOT DISTINCT FROM {RELEASED}.{column} GROUP BY ALL ORDER BY ALL"
    )
    totals = np.asarray(found["total"], dtype=np.int64)
    assert demand.t is not None
    return all(
        t_closeness(counted, demand.t, demand.distance).is_close
        for counted in counted_pairs(duck, pairs, demand.sensitive, totals, n)
    )


def _coded_values(place: int, codes: str) -> str:
    """Return a query of the value of every original, as it was read."""
    return f"SELECT record AS original, {demanded(place)} AS value FROM {quoted(codes)}"


def _edges(covered: str) -> str:
    return f"SELECT record, unnest(covered) AS original FROM {quoted(covered)}"


def _seen(values: str, covered: str) -> str:
    """Return a query of how many different values each original sees, and of their entropy."""
    times = (
        f"SELECT graph.original, held.value, count(*) AS times FROM ({_edges(covered)}) AS graph "
        f"JOIN ({values}) AS held ON held.original = graph.record GROUP BY graph.original, held.value"
    )
    share = "(times / sum(times) OVER (PARTITION BY original))"
    return (
        "SELECT original, count(*) AS different, -sum(share * ln(share)) AS entropy "
        f"FROM (SELECT original, {share} AS share FROM ({times})) GROUP BY original"
    )


def _count(duck: Any, query: str) -> int:
    return int(duck.execute(query).fetchone()[0])
