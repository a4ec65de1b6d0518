"""API of the package: generalization of a table of any size, part by part, in the database that holds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.budget import Budget
from graphkit.effort import units_of
from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.extents import Layout, layout_of
from graphkit.microdata.generalization.parts import PART as AT_ONCE
from graphkit.microdata.generalization.registry import METHODS
from graphkit.microdata.generalization.rounds.hungarian import round_units
from graphkit.microdata.generalization.search._chain import cost, heat_of
from graphkit.microdata.generalization.stratum import DEFAULT_METHOD
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.table.closed_parts import STRATUM, ClosedWork, Totals, sensitive_value
from graphkit.microdata.table.closed_run import covered_apart, with_parts
from graphkit.microdata.table.code_tree import CodeTree, grown_codes
from graphkit.microdata.table.covering_parts import CoveringWork, code
from graphkit.microdata.table.engine import LOSS, PART, RECORD
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.table.mapping import drop, mapped_parts
from graphkit.microdata.table.sampling import sampled
from graphkit.numbers import counted
from graphkit.parameters import check_block_size, check_least_size

if TYPE_CHECKING:
    import ibis.expr.types as ir

MEMORY = 1 << 30
"""Bytes that parts take by default, those of all threads of a machine together."""
REGION = 1_000_000
"""Records that are drawn together, about; no tuple covers records of two regions."""
# of the default effort: half as much as in memory, where a quarter goes into a bound
_UNITS_A_RECORD = 1_500
_ROUNDS = 4
_ANNEALINGS = 2
# with that many records both cores are worth more than what a border loses
_TWO_PARTS = 50_000
_MOST, _THREADS = 250_000, 2
_SAMPLE, _SAMPLE_OF_A_PART = 200_000, 2_000


def generalize_table(
    connection: Any,
    table: ir.Table,
    attributes: Sequence[Attribute],
    k: int,
    *,
    columns: Sequence[str],
    record: str = RECORD,
    method: str = DEFAULT_METHOD,
    demands: Sequence[Demand] = (),
    sensitive: Sequence[str] = (),
    stratum: str | None = None,
    suppressed: float = 0.0,
    seed: int = 0,
    effort: float | None = None,
    memory: int = MEMORY,
    part_size: int | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress = silent,
) -> TableGeneralization:
    """Return which k records each recoded tuple covers, as a table in the database.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the table is: DuckDB or Spark. Opened, limited and closed by the caller.
    table : ibis Table
        A row a record.
    attributes : sequence of Attribute
        The domains, in the order of `columns`.
    k : int
        How many records every tuple covers, and tuples every record; at least 2 and at most the number of records.
    columns : sequence of str
        Columns with the number of the value of every record in the domain of every attribute.
    record : str, optional
        Column of whole numbers from 0 to 2³¹, a different one for each record.
    method : str, optional
        A name in :data:`~graphkit.microdata.generalization.registry.METHODS`.
    demands : sequence of Demand, optional
        As for :func:`~graphkit.microdata.generalization.driver.generalize`; `t` is the distance from the whole table.
    sensitive : sequence of str, optional
        Of each demand, the column with the number of the category of every record, by rank.
    stratum : str, optional
        Column with a whole number: every tuple covers records with the same one only.
    suppressed : float, optional
        Share of the records of every part that may be left out, at most, where that lowers the mean loss of the others.
    seed : int, optional
        Same records, numbers, domains, k, method, seed, effort, size of parts and version: the same bits, on DuckDB as
        on Spark, also when Spark computes a lost part again.
    effort : float, optional
        How much work is done, about seconds of one core on the machine of docs/performance.md. 20 by default, and 150
        for 100 000 records, in proportion, where that is more.
    memory : int, optional
        Bytes that may be spent on two parts, from which the size of a part follows.
    part_size : int, optional
        Records of a part, about, where that is to be said; smaller ones need less memory and lose more.
    clock, progress : callable, optional
        As for :func:`~graphkit.microdata.generalization.driver.generalize`.

    Returns
    -------
    TableGeneralization
        Always valid. What is published needs a draw: :func:`~graphkit.microdata.table.drawing.drawn_table`.

    Raises
    ------
    InvalidInput
        If `k` is below 2 or above the number of records, or of those of a stratum; if it is proven that no covering of
        a part meets the demands, `t` is demanded where records may be left out, or `suppressed` is not within [0, 1);
        if a column is missing or holds what is no value of its domain, a parameter is no whole number or not positive,
        the method is unknown, or there are no attributes.
    LimitReached
        If there are demands, and no covering of a part was found that meets them.

    Notes
    -----
    A tree cuts the table across attributes that lose much; each part is covered in memory, and the next rounds draw the
    borders elsewhere: tuples near each other exchange what they cover, with whatever each of them covers, so that every
    record stays covered k times. One sort of the table by parts for each round on one machine, one exchange on a
    cluster; memory beside what the database may use is that of two parts. Where there are demands or strata, or records
    may be left out, no tuple reaches across a border: each part is generalized by itself, in one round.

    Examples
    --------
    >>> import ibis
    >>> from graphkit.microdata import nominal, numeric
    >>> connection = ibis.duckdb.connect()
    >>> rows = ibis.memtable({"record": [0, 1, 2, 3], "age": [0, 3, 1, 2], "sex": [0, 1, 0, 1]})
    >>> people, domains = connection.create_table("people", rows), [numeric([20, 21, 40, 41]), nominal(2)]
    >>> answer = generalize_table(connection, people, domains, 2, columns=["age", "sex"], effort=0.01)
    >>> sorted(map(sorted, connection.to_pyarrow(answer.table).column("covered").to_pylist()))
    [[0, 2], [0, 2], [1, 3], [1, 3]]
    """
    check_block_size(k)
    units, budget = units_of(effort, prove=False, time_limit=None), Budget(clock)
    if method not in METHODS:
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(sorted(METHODS))}")
    whole = _whole(table, columns, record, attributes, sensitive, stratum)
    plain = whole.select(RECORD, *map(code, range(len(attributes))))
    records = _checked(connection, plain, columns, attributes)
    check_least_size(k, records)
    layout = layout_of(attributes)
    if part_size is None:
        part_size = part_size_of(memory, k, layout)
    if part_size < 4 * k:
        raise InvalidInput(f"parts of {part_size} records are too small for k = {k}; allow more memory or larger parts")
    seconds = {"read": budget.elapsed()}
    if effort is None:
        units = max(units, _UNITS_A_RECORD * records)
    rounds = _ROUNDS if METHODS[method].improve is not None else 1
    heats = np.geomspace(*heat_of(k), _ROUNDS * _ANNEALINGS + 1)
    parts = max(2 if records > _TWO_PARTS else 1, round(records / part_size))
    sample = sampled(connection, plain, records, max(_SAMPLE, parts * _SAMPLE_OF_A_PART))
    numbers, codes = sample[:, -1], np.ascontiguousarray(sample[:, :-1])

    def tree(many: int, number: int, top: CodeTree | None = None) -> CodeTree:
        return grown_codes(layout, codes, numbers, many, np.random.default_rng([seed, number]), top)

    if demands or stratum is not None or suppressed:
        closed = ClosedWork(k, tuple(attributes), method, units / records, seed, tuple(demands), suppressed)
        closed.check(records, sensitive)
        closed = replace(closed, totals=_totals(connection, whole, demands))
        cut = _without_small(connection, plain, tree(parts, 0), 2 * k)
        held = with_parts(connection, whole, _routed(whole, cut), part_size, k)
        answer = covered_apart(connection, held, closed, records, progress)
        seconds["search"] = budget.elapsed() - seconds["read"]
        return replace(answer, seconds=seconds)
    top = _without_small(connection, plain, tree(max(1, round(records / REGION)), rounds), 2 * k)
    trees = [*(tree(parts, number, top) for number in range(rounds)), top]
    trees[0] = _without_small(connection, plain, trees[0], 2 * k)
    held, loss = plain.mutate(**{PART: _routed(plain, trees[0])}), 1.0
    for number in range(rounds):
        inside = range(_ANNEALINGS * number, _ANNEALINGS * (number + 1))
        work = CoveringWork(
            k,
            layout,
            method,
            tuple((float(heats[one]), float(heats[one + 1])) for one in inside) if rounds > 1 else (),
            _proposals(units, records, k, layout),
            (seed, number),
            number == 0,
            number + 1 == rounds,
            trees[number + 1],
        )
        phase = f"search, round {number + 1} of {rounds}"
        before = held
        try:
            held = mapped_parts(connection, before, PART, work, work.columns(), partial(progress, phase, loss, 0.0))
        finally:
            if number:
                drop(connection, before)
        losses = connection.to_pyarrow(held.filter(~held[LOSS].isnan()).select(LOSS)).column(LOSS).to_pylist()
        loss = math.fsum(losses) / records
        progress(phase, loss, 0.0)
    seconds["search"] = budget.elapsed() - seconds["read"]
    return TableGeneralization(k, method, records, trees[0].parts().size, top.parts().size, loss, held, seconds)


def part_size_of(memory: int, k: int, layout: Layout) -> int:
    """Return how many records a part may have so that those in work take no more memory, in bytes."""
    d = layout.kinds.size
    # as they come, as they go, and as they are worked on; codes of what is covered take most
    bytes_a_record = 3 * (8 * k + 4 * k * d) + 24 * k + 8 * (3 * d + 2 * int(layout.offsets[-1]) + 32)
    return int(min(_MOST, memory // (_THREADS * bytes_a_record)))


def _whole(
    table: ir.Table,
    columns: Sequence[str],
    record: str,
    attributes: Sequence[Attribute],
    sensitive: Sequence[str],
    stratum: str | None,
) -> ir.Table:
    """Return the table with our names of columns, which differ from all data, and the types of the engine."""
    if not columns or len(columns) != len(attributes):
        raise InvalidInput("name at least one column, and as many as there are attributes")
    for name in (*columns, record, *sensitive, *([] if stratum is None else [stratum])):
        if name not in table.columns:
            raise InvalidInput(f"the table has no column {name!r}")
        if not table[name].type().is_integer():
            raise InvalidInput(f"column {name!r} holds something else than numbers of values")
    return table.select(
        **{RECORD: table[record].cast("int64")},
        **{code(place): table[name].cast("int64") for place, name in enumerate(columns)},
        **{sensitive_value(place): table[name].cast("int64") for place, name in enumerate(sensitive)},
        **({} if stratum is None else {STRATUM: table[stratum].cast("int64")}),
    )


def _checked(connection: Any, plain: ir.Table, columns: Sequence[str], attributes: Sequence[Attribute]) -> int:
    """Return how many records there are."""
    wanted = {"records": plain.count()}
    for place, attribute in enumerate(attributes):
        wanted[code(place)] = (~plain[code(place)].between(0, attribute.size - 1)).fill_null(True).sum()
    found = connection.to_pyarrow(plain.aggregate(**wanted)).to_pylist()[0]
    for place, name in enumerate(columns):
        if found[code(place)]:
            bad = counted(int(found[code(place)]), "record", "records")
            raise InvalidInput(f"{bad} with a number in {name!r} that is not in its domain")
    return int(found["records"])


def _totals(connection: Any, whole: ir.Table, demands: Sequence[Demand]) -> Totals:
    """Return, of each demand of a distance from the whole table, its categories and how many records have each."""

    def total(name: str) -> tuple[Any, Any]:
        sizes = connection.to_pyarrow(whole.group_by(name).agg(size=lambda t: t.count()).order_by(name))
        return sizes.column(name).to_numpy(), sizes.column("size").to_numpy()

    return tuple(None if demand.t is None else total(sensitive_value(place)) for place, demand in enumerate(demands))


def _routed(table: ir.Table, tree: CodeTree) -> Any:
    codes = [name for name in table.columns if name.startswith(code(""))]
    return tree.expression([table[name] for name in (*codes, RECORD)])


def _without_small(connection: Any, plain: ir.Table, tree: CodeTree, least: int) -> CodeTree:
    """Return a tree no part of which is smaller than `least`, unless it is the only one."""
    sizes = plain.mutate(**{PART: _routed(plain, tree)}).group_by(PART).agg(size=lambda t: t.count())
    found = connection.to_pyarrow(sizes).to_pylist()
    return tree.without_small({int(row[PART]): int(row["size"]) for row in found}, least)


def _proposals(units: int, records: int, k: int, layout: Layout) -> float:
    """Return how many exchanges each annealing proposes for a tuple: the work that nearness leaves of all."""
    d, annealings = layout.kinds.size, _ROUNDS * _ANNEALINGS
    near = (annealings + k - 1) * round_units(AT_ONCE, d) * -(-records // AT_ONCE)
    return max(1.0, (units - near) / annealings / cost(k, d) / records)
