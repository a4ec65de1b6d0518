"""API of the package: microaggregation of a table of any size, part by part, in the database that holds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Floats
from graphkit.budget import Budget
from graphkit.effort import units_of
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.microdata.microaggregation.driver import UNITS_A_RECORD
from graphkit.microdata.microaggregation.search._many import rounds_of
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.table.engine import GROUP, LOSS, PART, RECORD, PartWork, value
from graphkit.microdata.table.mapping import drop, mapped_parts
from graphkit.microdata.table.result import TableMicroaggregation
from graphkit.microdata.table.sampling import sampled
from graphkit.microdata.table.scaling import Scaling, scaling_of
from graphkit.microdata.table.tree import Tree, grown
from graphkit.parameters import check_block_size, check_least_size

if TYPE_CHECKING:
    import ibis.expr.types as ir

PART_SIZE = 250_000
"""Records of a part, which bound the memory: about 1 kB each."""
METHODS = ("search", "mdav")
# rounds by the most records of a part: small parts have more of them near a border, and cheap rounds
_ROUNDS = ((25_000, 24), (50_000, 8), (math.inf, 4))
_TWO_PARTS = 50_000
_SAMPLE, _SAMPLE_OF_A_PART = 200_000, 2_000


def microaggregate_table(
    connection: Any,
    table: ir.Table,
    k: int,
    *,
    attributes: Sequence[str],
    record: str = RECORD,
    whole_numbers: Sequence[str] = (),
    method: str = "search",
    seed: int = 0,
    effort: float | None = None,
    part_size: int = PART_SIZE,
    rounds: int | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress = silent,
) -> TableMicroaggregation:
    """Return groups of at least k similar records each, with their means, as a table in the database.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the table is: DuckDB or Spark. Opened, limited and closed by the caller.
    table : ibis Table
        A row a record.
    k : int
        Least number of records of a group, at least 2 and at most the number of records.
    attributes : sequence of str
        Columns of numbers that are aggregated together.
    record : str, optional
        Column of whole numbers from 0 to 2³¹, a different one for each record.
    whole_numbers : sequence of str, optional
        Attributes whose means are rounded.
    method : {"search", "mdav"}, optional
    seed : int, optional
        Same records, numbers, k, attributes, method, seed, effort, size of parts and version: the same bits, on DuckDB
        as on Spark, also when Spark computes a lost part again.
    effort : float, optional
        As for :func:`~graphkit.microdata.microaggregation.driver.microaggregate`.
    part_size : int, optional
        Records of a part, about; smaller ones need less memory and lose more.
    rounds : int, optional
        How often parts are drawn; by default the more often the smaller they are, as more records are near a border.
    clock, progress : callable, optional
        As for :func:`~graphkit.microdata.microaggregation.driver.microaggregate`.

    Raises
    ------
    InvalidInput
        If `k` is below 2 or above the number of records, an attribute is missing, is no number or has a value that is
        missing, a parameter is no whole number or not positive, the method is another one, or there are no attributes.

    Notes
    -----
    The table is split by a k-d tree, each part is grouped in memory, and the next round draws the borders elsewhere, as
    the search in memory does; it differs from that in the number of rounds. One sort of the table by parts for each
    round but the first on one machine, one exchange on a cluster; memory beside what the database may use is that of
    two parts.

    Examples
    --------
    >>> import ibis
    >>> connection = ibis.duckdb.connect()
    >>> rows = ibis.memtable({"record": [0, 1, 2, 3], "age": [20.0, 61.0, 22.0, 63.0]})
    >>> result = microaggregate_table(connection, connection.create_table("people", rows), 2, attributes=["age"])
    >>> connection.to_pyarrow(result.table.order_by("record")).column("m0").to_pylist()
    [21.0, 62.0, 21.0, 62.0]
    """
    check_block_size(k)
    units, budget = units_of(effort, prove=False, time_limit=None), Budget(clock)
    if method not in METHODS:
        raise InvalidInput(f"method {method!r} needs all records at once; on parts there are {' and '.join(METHODS)}")
    if part_size < 4 * k:
        raise InvalidInput(f"parts of {part_size} records are too small for k = {k}; make them larger")
    names = tuple(dict.fromkeys(attributes))
    plain = _plain(table, names, record)
    scaling = scaling_of(connection, plain, tuple(value(number) for number in range(len(names))))
    check_least_size(k, scaling.records)
    if effort is None:
        units = max(units, UNITS_A_RECORD * scaling.records)
    whole = tuple(name in whole_numbers for name in names)
    seconds = {"read": budget.elapsed()}
    # with that many records both cores are worth more than what a border loses
    parts = max(2 if scaling.records > _TWO_PARTS else 1, round(scaling.records / part_size))
    if rounds is None:
        # a single part has no border
        rounds = next(count for most, count in _ROUNDS if (part_size if parts > 1 else math.inf) <= most)
    if rounds < 1:
        raise InvalidInput(f"rounds ({rounds}) must be at least 1")
    cooling = rounds_of(rounds if method == "search" else 1)
    sample = _sample(connection, plain, scaling, max(_SAMPLE, parts * _SAMPLE_OF_A_PART))
    trees = [grown(sample, parts, np.random.default_rng([seed, number])) for number in range(len(cooling))]
    held, trees[0], count = _first_parts(connection, plain, trees[0], scaling, 2 * k)
    varying = float((scaling.spreads > 0).sum())
    # of all records as one group
    loss = sst = scaling.records * varying
    for number, of in enumerate(cooling):
        work = PartWork(
            k,
            scaling,
            whole,
            units / scaling.records if method == "search" else 0.0,
            (seed, number),
            of,
            number == 0,
            trees[number + 1] if number + 1 < len(cooling) else None,
        )
        phase = f"search, round {number + 1} of {len(cooling)}"
        done = partial(progress, phase, loss, 0.0)
        before = held
        try:
            held = mapped_parts(connection, before, PART, work, work.columns(), done)
        finally:
            if number:
                drop(connection, before)
        losses = connection.to_pyarrow(held.filter(~held[LOSS].isnan()).select(LOSS)).column(LOSS).to_pylist()
        loss = math.fsum(losses)
        progress(phase, loss, 0.0)
    sizes = held.group_by(GROUP).agg(size=lambda t: t.count())
    figures = connection.to_pyarrow(
        sizes.aggregate(groups=sizes.count(), least=sizes["size"].min(), most=sizes["size"].max())
    ).to_pylist()[0]
    if figures["least"] < k:
        raise BrokenClaim(f"a group has fewer than {k} records")
    seconds["search"] = budget.elapsed() - seconds["read"]
    return TableMicroaggregation(
        k,
        method,
        scaling.records,
        int(figures["groups"]),
        int(figures["most"]),
        count,
        loss,
        sst,
        held,
        scaling.spreads,
        seconds,
    )


def _plain(table: ir.Table, names: tuple[str, ...], record: str) -> ir.Table:
    """Return the table with our names of columns, which differ from all data, and the types of the engine."""
    if not names:
        raise InvalidInput("name at least one attribute")
    for name in (*names, record):
        if name not in table.columns:
            raise InvalidInput(f"the table has no column {name!r}")
        if not table[name].type().is_numeric():
            raise InvalidInput(f"column {name!r} holds something else than numbers")
    return table.select(
        **{RECORD: table[record].cast("int64")},
        **{value(number): table[name].cast("float64") for number, name in enumerate(names)},
    )


def _sample(connection: Any, plain: ir.Table, scaling: Scaling, size: int) -> Floats:
    """Return some records as they are compared, each with its number in the last column; the same on every backend."""
    found = sampled(connection, plain, scaling.records, size)
    return np.column_stack((scaling.scaled(np.ascontiguousarray(found[:, :-1])), found[:, -1]))


def _first_parts(
    connection: Any, plain: ir.Table, tree: Tree, scaling: Scaling, least: int
) -> tuple[ir.Table, Tree, int]:
    """Return the records with their parts of the first round, none smaller than `least` unless it is the only one."""
    attributes = [plain[name] for name in plain.columns if name != RECORD]
    # borders of scaled values, as values: the database compares what it holds
    inside = tree.columns >= 0
    borders = tree.borders.copy()
    scales = np.append(np.where(scaling.spreads > 0, scaling.spreads, 1.0), 1.0)
    centers = np.append(scaling.centers, 0.0)
    borders[inside] = centers[tree.columns[inside]] + scales[tree.columns[inside]] * borders[inside]
    tree = Tree(tree.columns, tree.children, borders)

    def routed(by: Tree) -> ir.Table:
        return plain.mutate(**{PART: by.expression([*attributes, plain[RECORD]])})

    counted = connection.to_pyarrow(routed(tree).group_by(PART).agg(size=lambda t: t.count())).to_pylist()
    tree = tree.without_small({int(row[PART]): int(row["size"]) for row in counted}, least)
    return routed(tree), tree, tree.parts().size
