"""Check of a generalized file of more records than fit in memory: by the graph of what covers what, in one pass.

Nothing here imports an engine.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from auditor.subjects.microdata.exports.generalized.cells import read_cells
from auditor.subjects.microdata.exports.generalized.domains import Domain
from auditor.subjects.microdata.exports.generalized.large_demands import demand_checks
from auditor.subjects.microdata.exports.reading_back import RELEASED
from graphkit.arrays import Ints
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify_freeform import FreeformClaim, least_extents
from graphkit.verification import Check

_BATCH = 50_000


def covering_checks(
    duck: Any, claim: FreeformClaim, domains: Sequence[Domain], codes: str, covered: str, key: str
) -> tuple[Check, ...]:
    """Check that every published record stands for its k originals, and each original is among those of k records.

    Parameters
    ----------
    duck : DuckDBPyConnection
        The published file is its view :data:`~auditor.subjects.microdata.exports.reading_back.RELEASED`.
    claim : FreeformClaim
    domains : sequence of Domain
        Of the attributes of the claim, in order.
    codes : str
        Table of the originals as numbers of values: ``record`` and ``c0`` …. Protected.
    covered : str
        Table with the originals that the record made of each one covers: ``record`` and a list ``covered``. Protected.
    key : str
        Table of the row of each original and of its published record: ``original`` and ``published``. Protected.

    Notes
    -----
    A graph in which every record has k edges, and every original too, is the union of k perfect matchings (König): each
    edge is in an assignment of all originals to all records. With extents that cover the graph, every original is so
    linked with at least k published records, and the reverse. Memory is that of some 50 000 records.
    """
    count = _count_check(duck, claim, codes, key)
    if not count.passed:
        return (count,)
    regular = _regular_check(duck, claim, covered)
    if not regular.passed:
        return count, regular
    extents = _extents_check(duck, claim, domains, codes, covered, key)
    demands = demand_checks(duck, claim, codes, covered, key)
    return count, regular, extents, _drawn_check(duck, claim, covered), *demands


def _count_check(duck: Any, claim: FreeformClaim, codes: str, key: str) -> Check:
    n, originals = claim.n, claim.originals
    right = _row(duck, f"SELECT count(*) FROM {RELEASED}") == (n,) and n >= claim.k
    for table, column, there in ((codes, "record", originals), (key, "published", n)):
        found = f"SELECT count(*), count(DISTINCT {column}), min({column}), max({column}) FROM {quoted(table)}"
        right = right and _row(duck, found) == (there, there, 0, there - 1)
    outside = f"count(*) FILTER (WHERE original NOT BETWEEN 0 AND {originals - 1})"
    right = right and _row(duck, f"SELECT count(DISTINCT original), {outside} FROM {quoted(key)}") == (n, 0)
    text = "as many records are there as were not left out" if claim.suppressed else "every record is there"
    return Check("records", right, text if right else "a record is missing")


def _regular_check(duck: Any, claim: FreeformClaim, covered: str) -> Check:
    k, n, table = claim.k, claim.n, quoted(covered)
    wanted = f"len(covered) = {k} AND len(list_distinct(covered)) = {k}"
    rows = f"SELECT count(*), count(DISTINCT record), count(*) FILTER (WHERE {wanted}) FROM {table}"
    edges = f"SELECT unnest(covered) AS original FROM {table}"
    times = f"SELECT original, count(*) AS times FROM ({edges}) GROUP BY original"
    originals = f"SELECT count(*), count(*) FILTER (WHERE times = {k}), min(original), max(original) FROM ({times})"
    found = _row(duck, originals)
    right = _row(duck, rows) == (n, n, n) and found[:2] == (n, n) and 0 <= found[2] <= found[3] < claim.originals
    there = "that is there " if claim.suppressed else ""
    text = f"each record covers {k} originals, and each original {there}is covered {k} times"
    return Check("regular", right, text if right else "the graph of what covers what is not regular")


def _drawn_check(duck: Any, claim: FreeformClaim, covered: str) -> Check:
    found = _row(duck, f"SELECT count(*) FROM {quoted(covered)} WHERE list_contains(covered, record)")
    right = found == (claim.n,)
    text = "sensitive values are those of a matching of the graph"
    return Check("drawn", right, text if right else "sensitive values are not those of a matching")


def _extents_check(
    duck: Any, claim: FreeformClaim, domains: Sequence[Domain], codes: str, covered: str, key: str
) -> Check:
    attributes = [domain.attribute for domain in domains]
    wrong = Check("extents", False, "an extent is not the least one of its originals")
    originals = _originals(duck, len(domains), claim.k, codes, covered, key)
    rows = 0
    for cells in _published(duck, claim):
        parts = [read_cells(domain, column) for domain, column in zip(domains, cells, strict=True)]
        if any(part is None for part in parts):
            return Check("extents", False, "a value is none that stands for values of its attribute")
        extents = np.concatenate([part for part in parts if part is not None], axis=1)
        own = originals.take(len(extents))
        behind = np.arange(own.shape[0]).reshape(-1, claim.k)
        if own.shape[0] < len(extents) * claim.k or not np.array_equal(least_extents(attributes, own, behind), extents):
            return wrong
        rows += len(extents)
    right = rows == claim.n
    return Check("extents", True, "each extent is the least that covers its originals") if right else wrong


def _published(duck: Any, claim: FreeformClaim) -> Iterator[list[list[str | None]]]:
    """Yield the cells of some published records at a time, attribute by attribute, in the order of the file."""
    selected = ", ".join(quoted(name) for name in claim.attributes)
    for batch in duck.execute(f"SELECT {selected} FROM {RELEASED}").to_arrow_reader(_BATCH):
        yield [column.to_pylist() for column in batch.columns]


class _Originals:
    """Originals by the published record that covers them, k for each, as they come in pieces."""

    def __init__(self, pieces: Iterator[Ints], width: int, k: int) -> None:
        self._pieces, self._k, self._left = pieces, k, np.empty((0, width), dtype=np.int64)

    def take(self, records: int) -> Ints:
        """Return the originals of so many published records, in their order; fewer at the end."""
        count, held = records * self._k, [self._left]
        while sum(map(len, held)) < count and (piece := next(self._pieces, None)) is not None:
            held.append(piece)
        rows = np.concatenate(held)
        self._left = rows[count:]
        return rows[:count]


def _originals(duck: Any, width: int, k: int, codes: str, covered: str, key: str) -> _Originals:
    """Return the originals that each published record covers, in the order of the file, as numbers of values."""
    selected = ", ".join(f"codes.c{place}" for place in range(width))
    # the file is read by the connection itself meanwhile
    reader = (
        duck.cursor()
        .execute(
            f"SELECT {selected} FROM (SELECT key.published, unnest(graph.covered) AS original "
            f"FROM {quoted(covered)} AS graph JOIN {quoted(key)} AS key ON key.original = graph.record) AS edges "
            f"JOIN {quoted(codes)} AS codes ON codes.record = edges.original ORDER BY edges.published"
        )
        .to_arrow_reader(_BATCH)
    )
    pieces = (np.column_stack([column.to_numpy() for column in batch.columns]).astype(np.int64) for batch in reader)
    return _Originals(pieces, width, k)


def _row(duck: Any, query: str) -> tuple[int, ...]:
    found: tuple[int, ...] = duck.execute(query).fetchone()
    return found
