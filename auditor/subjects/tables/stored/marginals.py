"""Marginals of a stored table: what became of each, the counts that are out, and the bounds that were proven.

They are written inside the transaction of a decision, which holds the table's lock
(:func:`auditor.subjects.tables.stored.rows.lock_table`). Which marginal covers which, and what that means, is not known
here.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from auditor.core.clock import parse_time, time_text
from auditor.subjects.tables.stored.cells import read_cells, write_cells
from auditor.subjects.tables.stored.rows import TableRow, raise_revision
from graphkit.errors import BrokenClaim
from graphkit.hierarchies.grouping import Grouping
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import dense_counts, sparse_counts

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

MarginalStatus = Literal["released", "refused", "undecided", "none"]
"""``none``: nobody asked for it yet."""

_BATCH = 1_000

# read, under the table's lock
_KNOWN = "MATCH (m:AuditorMarginal) WHERE m.id IN $ids RETURN m.id AS id, m.status = 'released' AS out"
# write: a MERGE of the relation would look through all marginals of the data, each time
_CREATE = """
MATCH (d:AuditorTableData {id: $data})
UNWIND $rows AS row
CREATE (m:AuditorMarginal {id: row.id, data: $data, axes: row.axes, names: row.names, groups: row.groups})
SET m += row.properties
CREATE (m)-[:OF]->(d)
"""
# write
_UPDATE = "UNWIND $rows AS row MATCH (m:AuditorMarginal {id: row.id}) SET m += row.properties"
_COLUMNS = """
RETURN m.id AS id, m.axes AS axes, m.groups AS groups, m.status AS status, m.released_at AS released_at,
       m.simulated AS simulated, m.chunks AS chunks, m.cells AS cells, m.counts AS counts, m.bound_cells AS bound_cells,
       m.bound_lower AS bound_lower, m.bound_upper AS bound_upper, m.bound_status AS bound_status
"""
# read
_READ = f"MATCH (m:AuditorMarginal {{id: $id}}) {_COLUMNS}"
# read
_READ_ALL = f"MATCH (m:AuditorMarginal {{data: $data}}) WHERE m.status IN $statuses {_COLUMNS}"


@dataclass(frozen=True, slots=True, eq=False)
class CellBounds:
    """Bounds of cells, as an engine proved them. Protected: they tell which cells are sensitive."""

    cells: NDArray[np.int64]
    """Numbers of the cells, in the table that the caller bounds; the store does not look at them."""
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    status: tuple[str, ...]
    """Of every cell, such as ``sharp``."""

    def __post_init__(self) -> None:
        if not self.cells.shape == self.lower.shape == self.upper.shape == (len(self.status),):
            raise BrokenClaim("bounds to be stored are not as many as their cells")


@dataclass(frozen=True, slots=True, eq=False)
class StoredMarginal:
    """A marginal of a table, and what became of it.

    Parameters
    ----------
    axes : tuple of int
        Positions of its variables in the table, ascending; none of them is the total.
    status : str
        See :data:`MarginalStatus`.
    released_at : datetime, optional
        Set exactly for a released one.
    cells, counts : ndarray of int64, optional
        What is out: the marginal's cells that are not zero, numbered in its own C order, and their counts.
    simulated : bool
        Whether the counts that are out are those of a simulated table.
    bounds : CellBounds, optional
    groupings : tuple of tuple of int, optional
        Where categories are merged: of each variable, the number of the group of each category. None if none are.

    Raises
    ------
    BrokenClaim
        If one of them does not fit the others.
    """

    axes: tuple[int, ...]
    status: MarginalStatus = "none"
    released_at: datetime | None = None
    cells: NDArray[np.int64] | None = None
    counts: NDArray[np.int64] | None = None
    simulated: bool = False
    bounds: CellBounds | None = None
    groupings: tuple[Grouping, ...] | None = None

    def __post_init__(self) -> None:
        if list(self.axes) != sorted(set(self.axes)) or self.status not in get_args(MarginalStatus):
            raise BrokenClaim("a marginal to be stored has variables out of order, or an unknown status")
        parts = (self.released_at, self.cells, self.counts)
        if any((part is not None) != (self.status == "released") for part in parts):
            raise BrokenClaim("a marginal has counts and a time of release exactly if it is released")

    def recoded(self, shape: Sequence[int]) -> RecodedMarginal:
        """Return which marginal it is, given the shape of the whole table."""
        plain = tuple(tuple(range(shape[axis])) for axis in self.axes)
        return RecodedMarginal(self.axes, self.groupings or plain)

    @classmethod
    def released(
        cls,
        axes: Sequence[int],
        counts: NDArray[np.int64],
        at: datetime,
        *,
        simulated: bool = False,
        bounds: CellBounds | None = None,
        groupings: tuple[Grouping, ...] | None = None,
    ) -> StoredMarginal:
        """Return a released marginal from its counts, one axis a variable."""
        flat = np.ascontiguousarray(counts, dtype=np.int64).reshape(-1)
        return cls(tuple(axes), "released", at, *sparse_counts(flat), simulated, bounds, groupings)

    def dense(self, shape: Sequence[int]) -> NDArray[np.int64]:
        """Return the counts that are out, one axis a variable, given the shape of the whole table.

        Raises
        ------
        BrokenClaim
            If nothing is out.
        """
        if self.cells is None or self.counts is None:
            raise BrokenClaim("a marginal that is not out was asked for its counts")
        own = tuple(max(grouping) + 1 for grouping in self.recoded(shape).groupings)
        return dense_counts(self.cells, self.counts, math.prod(own)).reshape(own)


def marginal_id(data: str, axes: Sequence[int], groupings: Sequence[Grouping] | None = None) -> str:
    """Return the key of a marginal: that of its data, the positions of its variables, and what is merged.

    Examples
    --------
    >>> marginal_id("9f3c/1", (0, 2))
    '9f3c/1:0-2'
    >>> marginal_id("9f3c/1", (0, 2), ((0, 0, 1), (0, 1)))
    '9f3c/1:0-2:abbde4a5ef8e788d'
    """
    plain = f"{data}:{'-'.join(map(str, axes))}"
    if groupings is None:
        return plain
    # groups of many categories would be too long for an index
    return f"{plain}:{hashlib.sha256(' '.join(_group_texts(groupings)).encode()).hexdigest()[:16]}"


def write_marginals(tx: ManagedTransaction, row: TableRow, marginals: Iterable[StoredMarginal]) -> None:
    """Write marginals of a locked table, new ones and known ones; if one goes out, the table's revision is raised.

    Parameters
    ----------
    tx : ManagedTransaction
        Of the decision; it holds the table's lock.
    row : TableRow
        As :func:`~auditor.subjects.tables.stored.rows.lock_table` returned it.
    marginals : iterable of StoredMarginal
        One without bounds takes away those that were stored. Of one that is out already, only bounds are written.

    Raises
    ------
    BrokenClaim
        If a marginal that is out would become anything else: what is out stays out.
    """
    given = {marginal_id(row.data, marginal.axes, marginal.groupings): marginal for marginal in marginals}
    out = {record["id"]: record["out"] for record in tx.run(_KNOWN, ids=list(given))}
    if any(was_out and given[id].status != "released" for id, was_out in out.items()):
        raise BrokenClaim("a marginal that is out was to be stored as if it were not")
    rows: dict[str, list[dict[str, Any]]] = {_CREATE: [], _UPDATE: []}
    for id, marginal in given.items():
        values = {
            "id": id,
            "axes": list(marginal.axes),
            "names": [row.names[axis] for axis in marginal.axes],
            "groups": None if marginal.groupings is None else _group_texts(marginal.groupings),
            "properties": _bounds(marginal) | ({} if out.get(id) else _state(tx, id, marginal)),
        }
        rows[_UPDATE if id in out else _CREATE].append(values)
    for query, chosen in rows.items():
        for start in range(0, len(chosen), _BATCH):
            tx.run(query, data=row.data, rows=chosen[start : start + _BATCH]).consume()
    if any(marginal.status == "released" and not out.get(id) for id, marginal in given.items()):
        raise_revision(tx, row.population)


def read_marginal(
    tx: ManagedTransaction, data: str, axes: Sequence[int], groupings: Sequence[Grouping] | None = None
) -> StoredMarginal | None:
    """Return a marginal of a version of the data, None if nothing is stored of it."""
    record = tx.run(_READ, id=marginal_id(data, axes, groupings)).single()
    return None if record is None else _marginal(tx, record)


def read_marginals(
    tx: ManagedTransaction, data: str, statuses: Sequence[MarginalStatus] = get_args(MarginalStatus)
) -> list[StoredMarginal]:
    """Return the marginals of a version of the data that have one of some statuses; small sets of variables first."""
    found = [_marginal(tx, record) for record in list(tx.run(_READ_ALL, data=data, statuses=list(statuses)))]
    return sorted(found, key=lambda marginal: (len(marginal.axes), marginal.axes, marginal.groupings or ()))


def _state(tx: ManagedTransaction, id: str, marginal: StoredMarginal) -> dict[str, Any]:
    """What is set on the node of a marginal that is not out yet."""
    values: dict[str, Any] = {"status": marginal.status, "simulated": marginal.simulated}
    if marginal.cells is not None and marginal.counts is not None and marginal.released_at is not None:
        values["released_at"] = time_text(marginal.released_at)
        values |= write_cells(tx, id, marginal.cells, marginal.counts)
    return values


def _bounds(marginal: StoredMarginal) -> dict[str, Any]:
    """What is set on the node for its bounds; None takes a property away."""
    bounds = marginal.bounds
    return {
        "bound_cells": None if bounds is None else bounds.cells.tolist(),
        "bound_lower": None if bounds is None else bounds.lower.tolist(),
        "bound_upper": None if bounds is None else bounds.upper.tolist(),
        "bound_status": None if bounds is None else list(bounds.status),
    }


def _marginal(tx: ManagedTransaction, record: Any) -> StoredMarginal:
    bounds = None
    if record["bound_cells"] is not None:
        cells, lower, upper = (np.array(record[f"bound_{name}"], np.int64) for name in ("cells", "lower", "upper"))
        bounds = CellBounds(cells, lower, upper, tuple(record["bound_status"]))
    axes, status, simulated = tuple(record["axes"]), record["status"], record["simulated"]
    groupings = parse_groups(record["groups"])
    if record["released_at"] is None:
        return StoredMarginal(axes, status, simulated=simulated, bounds=bounds, groupings=groupings)
    cells, counts = read_cells(tx, record["id"], record)
    at = parse_time(record["released_at"])
    return StoredMarginal(axes, status, at, cells, counts, simulated, bounds, groupings)


def parse_groups(texts: Sequence[str] | None) -> tuple[Grouping, ...] | None:
    """Return the groups of a marginal's categories as the store has them, variable by variable.

    Examples
    --------
    >>> parse_groups(["0,0,1", "0,1"])
    ((0, 0, 1), (0, 1))
    """
    return None if texts is None else tuple(tuple(map(int, text.split(","))) for text in texts)


def _group_texts(groupings: Sequence[Grouping]) -> list[str]:
    return [",".join(map(str, grouping)) for grouping in groupings]
