"""Geographic units of a file of records: which ones occur, and how many people live in each."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords, open_records
from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.relation import quoted

POPULATION = "population"
"""The column of a file of populations that holds them; its other columns name the units."""

Unit = tuple[str, ...]


def units_in(opened: OpenRecords, columns: Sequence[str], weight: str | None) -> tuple[list[Unit], Ints, Floats]:
    """Return the units that occur, the records of each, and the sum of their weights. Protected.

    Parameters
    ----------
    opened : OpenRecords
    columns : sequence of str
        A unit is a combination of their values. Records that lack one of them name no unit and are left out.
    weight : str or None
        Column of sampling weights; without it the sums are NaN.

    Raises
    ------
    BadFile
        If the file cannot be read to its end.
    """
    texts = [f"CAST({quoted(name)} AS VARCHAR)" for name in columns]
    summed = "CAST('nan' AS DOUBLE)" if weight is None else f"sum(CAST({quoted(weight)} AS DOUBLE))"
    there = " AND ".join(f"{text} IS NOT NULL" for text in texts)
    with record_errors(opened.source):
        found = opened.connection.execute(
            f"SELECT {', '.join(texts)}, count(*), {summed} FROM {quoted(VIEW)} WHERE {there} GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    units = [tuple(row[: len(texts)]) for row in found]
    records = np.array([row[-2] for row in found], dtype=np.int64)
    return units, records, np.array([row[-1] for row in found], dtype=np.float64)


def read_populations(path: Path, columns: Sequence[str], settings: EdgeTableSettings) -> Mapping[Unit, float]:
    """Return how many people live in each geographic unit.

    Parameters
    ----------
    path : Path
        Of a file of any format of records: the columns that name a unit, and `population`.
    columns : sequence of str
        What makes a unit.
    settings : EdgeTableSettings

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile, BadInput
        If it cannot be read, lacks a column, names a unit twice, or holds something else than populations.
    """
    with open_records(path, settings) as opened:
        for name in columns:
            opened.named(name)
        if opened.named(POPULATION).sort != "number":
            raise opened.source.bad(f"column {POPULATION!r} holds something else than numbers; correct it")
        texts = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in columns)
        with record_errors(opened.source):
            rows = opened.connection.execute(
                f"SELECT {texts}, CAST({quoted(POPULATION)} AS DOUBLE) FROM {quoted(VIEW)}"
            ).fetchall()
        found: dict[Unit, float] = {}
        for *unit, people in rows:
            if tuple(unit) in found:
                raise opened.source.bad("names a unit twice; give one population for each")
            if people is None or not 0 <= people < float("inf"):
                raise opened.source.bad("holds a population that is missing, negative or infinite; correct it")
            found[tuple(unit)] = people
    return found
