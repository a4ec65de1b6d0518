"""A generalized export of a file of records larger than memory: made part by part, written and verified in DuckDB."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

import numpy as np

from auditor.config import EdgeTableSettings, SparkSettings
from auditor.core.errors import BadInput
from auditor.exports.publishing import Published, publish_release
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.spark.exchange import workplace
from auditor.subjects.microdata.exports.generalized.cells import written_cells
from auditor.subjects.microdata.exports.generalized.domains import Domain, domains_of, generalized_attributes
from auditor.subjects.microdata.exports.generalized.exporting import GeneralizationRequest, Seen, required_by
from auditor.subjects.microdata.exports.generalized.large_demands import (
    STRATUM,
    demanded,
    fewest_seen,
    write_demanded,
)
from auditor.subjects.microdata.exports.generalized.large_file import LargeGeneralizedRelease
from auditor.subjects.microdata.exports.generalized.sensitive import demands_for
from auditor.subjects.microdata.exports.large import MANY_RECORDS, MEMORY, place_between
from auditor.subjects.microdata.exports.large_file import numbered
from auditor.subjects.microdata.exports.released_file import check_records_place
from auditor.subjects.microdata.exports.unchanged import Unchanged, unchanged_columns
from graphkit.arrays import Ints
from graphkit.machine import fresh_generator
from graphkit.microdata.generalization.extents import layout_of, losses_of
from graphkit.microdata.generalization.result import loss_of_all
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.table.generalization_result import TableGeneralization
from graphkit.microdata.verify_freeform import FreeformClaim

_CODES, _CELLS = "auditor codes", "auditor cells"
_ENGINE = ("method", "seed", "effort")
_SECRETS = 4
_BATCH = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class GeneralizedParts:
    """What was reached, and what was published; of what others measure there is the loss alone."""

    answer: TableGeneralization
    domains: tuple[Domain, ...]
    """Protected."""
    losses: dict[str, float]
    removed: tuple[str, ...]
    unchanged: Unchanged
    queries: None = None
    kept: None = None
    sensitive: tuple[Seen, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By what was done: reading, search, draw, and so on until the verification."""
    published: Published | None = None

    @property
    def k(self) -> int:
        """Among how many each record hides."""
        return self.answer.k

    @property
    def records(self) -> int:
        """Number of records, those that were left out among them."""
        return self.answer.records

    @property
    def suppressed(self) -> int:
        """Number of records that were left out."""
        return self.answer.suppressed

    @property
    def gcp(self) -> float:
        """The global certainty penalty: the mean loss of all released records and attributes, by their weights."""
        return self.answer.loss

    @property
    def gcp_with_suppressed(self) -> float:
        """The same of all records, of which those that were left out lose all: 1 each."""
        return loss_of_all(self.gcp, self.records - self.suppressed, self.suppressed)


def is_large(opened: OpenRecords, request: GeneralizationRequest) -> bool:
    """Whether a file is worked on in parts without being asked: it has many records, and parts can do what is asked."""
    return (opened.rows or 0) > MANY_RECORDS and not _too_much(opened, request)


def export_large(
    opened: OpenRecords,
    request: GeneralizationRequest,
    settings: EdgeTableSettings,
    *,
    spark: SparkSettings | None = None,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress = silent,
) -> GeneralizedParts:
    """Generalize the records part by part, draw, write aside, read back, verify, and publish, in bounded memory.

    Parameters
    ----------
    opened : OpenRecords
        The records; their database may use the memory of the settings, by default 3 GB.
    request : GeneralizationRequest
        Of stored records none: these exports are not recorded.
    settings : EdgeTableSettings
    spark : SparkSettings, optional
        Where Spark makes and draws the covering of records that DuckDB reads, writes and verifies; otherwise DuckDB.
    phase, progress : callable, optional
        Called with what is being done, and with what the engine has reached.

    Raises
    ------
    BadInput
        As :func:`~auditor.subjects.microdata.exports.generalized.exporting.export_generalized`; and if something is
        asked for that needs all records at once.
    BadFile, NotDelivered, RoomExhausted, VerificationFailed
        As there.
    EngineUnavailable
        If Spark is to be used, and cannot be.
    """
    from graphkit.microdata.table import drawn_table, generalize_table
    from graphkit.microdata.table.mapping import drop

    if request.destination is not None:
        check_records_place(request.destination, (opened.source.path,))
    if missing := _too_much(opened, request):
        raise BadInput(f"{missing} needs all records at once; leave out --large, or that")
    phase("read")
    names = generalized_attributes(opened, request.roles, request.attributes, request.choices)
    if settings.memory is None:
        opened.connection.execute(f"SET memory_limit = '{MEMORY}'")
    # before the file is read: a Spark that cannot be reached is told at once
    with workplace(opened.connection, spark, place_between(settings, request.destination)) as place:
        domains, trees = domains_of(opened, names, request.choices)
        demands = demands_for(opened, request.roles, names, request.demanding, required_by(request), request.k)
        with record_errors(opened.source):
            _write_codes(opened, domains)
            write_demanded(opened.connection, demands, request.roles.stratum, _CODES)
        opened.check_unchanged()
        with record_errors(opened.source):
            answer = generalize_table(
                place.connection,
                place.sent(_CODES),
                [domain.attribute for domain in domains],
                request.k,
                columns=[f"c{place}" for place in range(len(domains))],
                demands=demands,
                sensitive=[demanded(place) for place in range(len(demands))],
                stratum=None if request.roles.stratum is None else STRATUM,
                suppressed=request.suppress,
                clock=time.monotonic,
                progress=progress,
                **{name: request.engine[name] for name in _ENGINE if name in request.engine},
            )
            timed = _Timed(phase, answer.seconds)
            timed("draw")
            # once, from the operating system, and forgotten
            secret = fresh_generator().integers(1 << 63, size=_SECRETS).tolist()
            drawn = place.fetched(drawn_table(place.connection, answer, secret)).op().name
            drop(place.connection, answer.table)
            timed("measure")
            losses = _write_cells(opened.connection, domains, drawn)
            seen = tuple(
                Seen(
                    demand.sensitive,
                    demand.text,
                    fewest_seen(opened.connection, place, _CODES, drawn),
                    demand.of_households,
                )
                for place, demand in enumerate(demands)
            )
    claim = FreeformClaim(
        request.k,
        answer.records - answer.suppressed,
        names,
        {domain.name: domain.kind for domain in domains},
        request.roles.stratum,
        demands,
        answer.suppressed,
    )
    result = GeneralizedParts(
        answer,
        domains,
        losses,
        (*request.roles.kept_back, *claim.withheld),
        unchanged_columns(opened, request.roles, names, (*request.roles.kept_back, *claim.withheld)),
        sensitive=seen,
    )
    if request.destination is None:
        return replace(result, seconds=timed.seconds())
    leaving = tuple(column for column in opened.columns if column.name not in result.removed)
    release = LargeGeneralizedRelease(
        opened, claim, leaving, domains, trees, _CELLS, drawn, _CODES, request.destination
    )
    published = publish_release(release, None, timed)
    return replace(result, published=published, seconds=timed.seconds())


class _Timed:
    """Calls what it is given with each phase, and remembers how long they take."""

    def __init__(self, phase: Callable[[str], None], seconds: Mapping[str, float]) -> None:
        self._phase, self._seconds, self._last = phase, dict(seconds), ("", 0.0)

    def __call__(self, name: str) -> None:
        self.seconds()
        self._last = (name, time.monotonic())
        self._phase(name)

    def seconds(self) -> dict[str, float]:
        """Return the phases so far, the last one until now."""
        name, began = self._last
        if name:
            self._seconds[name] = time.monotonic() - began
        return self._seconds


def _too_much(opened: OpenRecords, request: GeneralizationRequest) -> str | None:
    """Return what is asked for that parts cannot do."""
    names = generalized_attributes(opened, request.roles, request.attributes, request.choices)
    demands = demands_for(opened, request.roles, names, request.demanding, required_by(request), request.k)
    if request.suppress and any(demand.t is not None for demand in demands):
        return "the distance from all that is published (--t, or the policy) with --suppress"
    if request.pictures or request.curve:
        return "--report" if request.pictures else "--curve"
    for name in ("time_limit", "gap"):
        if request.engine.get(name) is not None:
            return f"--{name.replace('_', '-')}"
    return None


def _write_codes(opened: OpenRecords, domains: tuple[Domain, ...]) -> None:
    """Make the table of the records as numbers of values."""
    import pyarrow as pa

    duck = opened.connection
    for place, domain in enumerate(domains):
        values = pa.table({"value": pa.array(domain.values, pa.string()), "code": np.arange(len(domain.values))})
        duck.register(f"auditor domain {place}", values)
    joins = " ".join(
        f"LEFT JOIN {quoted(f'auditor domain {place}')} AS d{place} "
        f"ON CAST({quoted(VIEW)}.{quoted(domain.name)} AS VARCHAR) IS NOT DISTINCT FROM d{place}.value"
        for place, domain in enumerate(domains)
    )
    selected = ", ".join(f"CAST(d{place}.code AS INTEGER) AS c{place}" for place in range(len(domains)))
    duck.execute(
        f"CREATE OR REPLACE TABLE {quoted(_CODES)} AS SELECT {quoted(VIEW)}.record, {selected} "
        f"FROM {numbered(VIEW)} {joins}"
    )
    for place in range(len(domains)):
        duck.unregister(f"auditor domain {place}")
    if not duck.execute(f"SELECT count(*) FROM {quoted(_CODES)}").fetchone()[0]:
        raise opened.source.bad("has no records below its header; give a file that holds records")


def _write_cells(duck: Any, domains: tuple[Domain, ...], drawn: str) -> dict[str, float]:
    """Make the table of what is published of every record, and return what each attribute loses."""
    import pyarrow as pa

    texts = [f"t{place}" for place in range(len(domains))]
    columns = ", ".join(f"{text} VARCHAR" for text in texts)
    duck.execute(f"CREATE OR REPLACE TABLE {quoted(_CELLS)} (record BIGINT, {columns})")
    ends = layout_of([domain.attribute for domain in domains]).offsets
    layouts = [layout_of([domain.attribute]) for domain in domains]
    sums: list[list[float]] = [[] for _ in domains]
    rows = 0
    for record, extents in _extents(duck, drawn):
        own = [np.ascontiguousarray(extents[:, ends[one] : ends[one + 1]]) for one in range(len(domains))]
        for one, part in enumerate(own):
            sums[one].append(float(losses_of(layouts[one], part).sum()))
        cells = [pa.array(written_cells(*pair), pa.string()) for pair in zip(domains, own, strict=True)]
        duck.register("auditor batch", pa.table([pa.array(record), *cells], names=["record", *texts]))
        duck.execute(f'INSERT INTO {quoted(_CELLS)} SELECT * FROM "auditor batch"')
        duck.unregister("auditor batch")
        rows += record.size
    return {domain.name: fsum(found) / rows for domain, found in zip(domains, sums, strict=True)}


def _extents(duck: Any, drawn: str) -> Iterator[tuple[Ints, Ints]]:
    """Yield some records at a time with what they are published as."""
    # the connection itself writes meanwhile
    reader = duck.cursor().execute(f"SELECT record, extent FROM {quoted(drawn)}").to_arrow_reader(_BATCH)
    for batch in reader:
        extents = batch.column(1).flatten().to_numpy().reshape(batch.num_rows, -1)
        yield batch.column(0).to_numpy(), np.asarray(extents, dtype=np.int64)
