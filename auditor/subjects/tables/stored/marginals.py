"""Marginals of a stored table: what became of each, the counts that are out, and the bounds that were proven.

They are written inside the transaction of a decision, which holds the table's lock
(:func:`auditor.subjects.tables.stored.rows.lock_table`). What it means that one covers another is not known here.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from auditor.core.clock import parse_time, time_text
from auditor.core.plain import plain
from auditor.core.transactions import Transaction
from auditor.subjects.tables.stored.cells import read_cells, write_cells
from auditor.subjects.tables.stored.rows import TableRow, raise_revision
from graphkit.errors import BrokenClaim
from graphkit.hierarchies.grouping import Grouping
from graphkit.tables.hierarchies.recoding import RecodedMarginal

MarginalStatus = Literal["released", "refused", "undecided", "none"]
"""``none``: nobody asked for it yet."""

_BOUNDS = ("cells", "lower", "upper", "status")

# read, under the table's lock
_STATUS = "MATCH (m:AuditorMarginal {id: $id}) RETURN m.status AS status"
# write: a MERGE of the relation would look through all marginals of the data, each time
_CREATE = """
MATCH (d:AuditorTableData {id: $data})
CREATE (m:AuditorMarginal {id: $id, data: $data})-[:OF]->(d)
SET m += $values
"""
# write
_UPDATE = "MATCH (m:AuditorMarginal {id: $id}) SET m += $values"
# write: both ways, with what is stored of one variable more or less; those with merged categories have no place there
_COVER = """
MATCH (m:AuditorMarginal {id: $id})
MATCH (other:AuditorMarginal {data: $data})
WHERE abs(size(other.axes) - size(m.axes)) = 1 AND m.groups IS NULL AND other.groups IS NULL
WITH CASE WHEN size(other.axes) > size(m.axes) THEN other ELSE m END AS above,
     CASE WHEN size(other.axes) > size(m.axes) THEN m ELSE other END AS below
WHERE all(axis IN below.axes WHERE axis IN above.axes)
MERGE (above)-[:COVERS]->(below)
"""
# read
_READ = "MATCH (m:AuditorMarginal {id: $id}) RETURN properties(m) AS marginal"
# read
_READ_RELEASED = "MATCH (m:AuditorMarginal {data: $data, status: 'released'}) RETURN properties(m) AS marginal"


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


def marginal_id(data: str, axes: Sequence[int], groupings: Sequence[Grouping] | None = None) -> str:
    """Return the key of a marginal: that of its data, the positions of its variables, and what is merged.

    Examples
    --------
    >>> marginal_id("9f3c/1", (0, 2))
    '9f3c/1:0-2'
    >>> marginal_id("9f3c/1", (0, 2), ((0, 0, 1), (0, 1)))
    '9f3c/1:0-2:abbde4a5ef8e788d'
    """
    key = f"{data}:{'-'.join(map(str, axes))}"
    if groupings is None:
        return key
    # groups of many categories would be too long for an index
    return f"{key}:{hashlib.sha256(' '.join(_group_texts(groupings)).encode()).hexdigest()[:16]}"


def write_marginal(tx: Transaction, row: TableRow, marginal: StoredMarginal) -> None:
    """Write a marginal of a locked table, a new one or a known one; if it goes out, the table's revision is raised.

    Parameters
    ----------
    tx : Transaction
        Of the decision; it holds the table's lock.
    row : TableRow
        As :func:`~auditor.subjects.tables.stored.rows.lock_table` returned it.
    marginal : StoredMarginal
        Without bounds it takes away those that were stored. If it is out already, only bounds are written.

    Raises
    ------
    BrokenClaim
        If a marginal that is out would become anything else: what is out stays out.
    """
    id = marginal_id(row.data, marginal.axes, marginal.groupings)
    known = tx.run(_STATUS, id=id).single()
    was_out = known is not None and known["status"] == "released"
    if was_out and marginal.status != "released":
        raise BrokenClaim("a marginal that is out was to be stored as if it were not")
    # None takes a property away
    values: dict[str, Any] = {f"bound_{name}": plain(getattr(marginal.bounds, name, None)) for name in _BOUNDS}
    if not was_out:
        values |= {
            "axes": [*marginal.axes],
            "names": [row.names[axis] for axis in marginal.axes],
            "groups": None if marginal.groupings is None else _group_texts(marginal.groupings),
            "status": marginal.status,
            "simulated": marginal.simulated,
        }
        if marginal.cells is not None and marginal.counts is not None and marginal.released_at is not None:
            values["released_at"] = time_text(marginal.released_at)
            values |= write_cells(tx, id, marginal.cells, marginal.counts)
    tx.run(_CREATE if known is None else _UPDATE, id=id, data=row.data, values=values).consume()
    tx.run(_COVER, id=id, data=row.data).consume()
    if marginal.status == "released" and not was_out:
        raise_revision(tx, row.population)


def read_marginal(
    tx: Transaction, data: str, axes: Sequence[int], groupings: Sequence[Grouping] | None = None
) -> StoredMarginal | None:
    """Return a marginal of a version of the data, None if nothing is stored of it."""
    record = tx.run(_READ, id=marginal_id(data, axes, groupings)).single()
    return None if record is None else _marginal(tx, record["marginal"])


def read_released(tx: Transaction, data: str) -> list[StoredMarginal]:
    """Return the marginals that are out of a version of the data; small sets of variables first."""
    found = [_marginal(tx, record["marginal"]) for record in list(tx.run(_READ_RELEASED, data=data))]
    return sorted(found, key=lambda marginal: (len(marginal.axes), marginal.axes, marginal.groupings or ()))


def _marginal(tx: Transaction, stored: Mapping[str, Any]) -> StoredMarginal:
    bounds = cells = counts = None
    if "bound_cells" in stored:
        numbers, lower, upper = (np.array(stored[f"bound_{name}"], np.int64) for name in ("cells", "lower", "upper"))
        bounds = CellBounds(numbers, lower, upper, tuple(stored["bound_status"]))
    at = stored.get("released_at")
    if at is not None:
        cells, counts = read_cells(tx, stored["id"], stored)
    return StoredMarginal(
        tuple(stored["axes"]),
        stored["status"],
        None if at is None else parse_time(at),
        cells,
        counts,
        stored.get("simulated", False),
        bounds,
        parse_groups(stored.get("groups")),
    )


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
