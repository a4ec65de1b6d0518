"""Parts across whose borders no tuple reaches: how a table is cut into them, and what becomes of all."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

from graphkit.errors import InvalidInput
from graphkit.microdata.progress import Progress
from graphkit.microdata.table.closed_parts import STRATUM, ClosedWork
from graphkit.microdata.table.engine import LOSS, PART
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.table.mapping import mapped_parts

if TYPE_CHECKING:
    import ibis.expr.types as ir

_CUT, _SIZE = "cut", "size"


def with_parts(connection: Any, whole: ir.Table, cut: Any, part_size: int, k: int) -> ir.Table:
    """Return a table with the part of every record, none of which has records of two strata.

    Parameters
    ----------
    connection : ibis.BaseBackend
    whole : ibis Table
        With a column ``stratum``, where there are strata.
    cut : ibis expression
        Part by what records hold.
    part_size : int
        A stratum of no more records is one part; larger ones are cut.
    k : int
        What a part has too few for, twice as many, is joined to the largest part of its stratum.

    Raises
    ------
    InvalidInput
        If a stratum has fewer than `k` records.
    """
    held = whole.mutate(**{_CUT: cut})
    if STRATUM not in whole.columns:
        return held.rename({PART: _CUT})
    import ibis
    import pyarrow as pa

    sizes = connection.to_pyarrow(held.group_by([STRATUM, _CUT]).agg(**{_SIZE: lambda t: t.count()})).to_pylist()
    numbers = _numbers(sorted((int(row[STRATUM]), int(row[_CUT]), int(row[_SIZE])) for row in sizes), part_size, k)
    strata, cuts = zip(*numbers, strict=True)
    known = ibis.memtable(pa.table({STRATUM: strata, _CUT: cuts, PART: list(numbers.values())}))
    return held.join(known, [STRATUM, _CUT]).drop(_CUT)


def _numbers(sizes: list[tuple[int, int, int]], part_size: int, k: int) -> dict[tuple[int, int], int]:
    """Return the part of every piece of a stratum, given stratum, piece and how many records it has."""
    pieces: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for stratum, piece, size in sizes:
        pieces[stratum].append((size, piece))
    numbers: dict[tuple[int, int], int] = {}
    last = 0
    for stratum, own in pieces.items():
        records = sum(size for size, _ in own)
        if records < k:
            raise InvalidInput(f"a stratum has {records} records, fewer than k = {k}; join strata, or lower k")
        is_cut = records > part_size
        largest, last = last, last + 1
        for at, (size, piece) in enumerate(sorted(own, reverse=True)):
            if at and is_cut and size >= 2 * k:
                numbers[stratum, piece], last = last, last + 1
            else:
                numbers[stratum, piece] = largest
    return numbers


def covered_apart(
    connection: Any, held: ir.Table, work: ClosedWork, records: int, progress: Progress
) -> TableGeneralization:
    """Return what the tuples of every part cover, as a table in the database."""
    found = mapped_parts(connection, held, PART, work, work.columns(), partial(progress, "search", 1.0, 0.0))
    losses = connection.to_pyarrow(found.filter(~found[LOSS].isnan()).select(LOSS)).column(LOSS).to_pylist()
    released = int(connection.to_pyarrow(found.count()).as_py())
    return TableGeneralization(
        work.k,
        work.method,
        records,
        len(losses),
        len(losses),
        math.fsum(losses) / released,
        found,
        suppressed=records - released,
        demands=tuple(work.demands),
        totals=work.totals,
    )
