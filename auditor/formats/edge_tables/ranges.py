"""Edges in their order, by Spark: each partition has a range of them, and sorts it."""

from __future__ import annotations

from typing import Any

from graphkit.networks.edge_table.vertices import spark_view

BITS = 31
MASK = (1 << BITS) - 1
"""An edge of vertices that Spark has numbered is one number: its lower end is the upper 31 bits."""


def in_ranges(connection: Any, pairs: Any, n: int) -> Any:
    """Return edges between `n` vertices as a table of numbers that is in order when it is written.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Of Spark.
    pairs : ibis Table
        Columns ``source`` < ``target``, in any order; fresh ids, so that every range of them is as likely.
    n : int
        Number of vertices.

    Notes
    -----
    To sort a table Spark computes it twice: first to find the borders of ranges. Here they are known: of two vertices
    drawn at random the lower one is below a share x of all with probability 1 - (1 - x)². Sorting one number is done
    by its digits, without comparisons.
    """
    from pyspark.sql import functions

    partitions = int(connection._session.conf.get("spark.sql.shuffle.partitions"))
    below = f"(1 - shiftright(key, {BITS}) / {n}D)"
    place = f"cast(least({partitions - 1}, floor({partitions} * (1 - {below} * {below}))) as int)"
    numbers = ", ".join(f"{number}L" for number in _numbers(connection._session, partitions))
    keys = pairs.select(key=(pairs.source << BITS) | pairs.target)
    return spark_view(
        connection,
        keys,
        lambda frame: frame.repartition(
            partitions, functions.expr(f"element_at(array({numbers}), {place} + 1)")
        ).sortWithinPartitions("key"),
    )


def _numbers(session: Any, partitions: int) -> list[int]:
    """Return a number for each partition that Spark puts into that one: it scatters numbers by their hash."""
    found: dict[int, int] = {}
    start, many = 0, 16 * partitions
    while len(found) < partitions:
        rows = session.sql(f"SELECT id, pmod(hash(id), {partitions}) AS place FROM range({start}, {start + many})")
        for number, place in rows.collect():
            found.setdefault(place, number)
        start += many
    return [found[place] for place in range(partitions)]
