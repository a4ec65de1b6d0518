"""A protected export of a file of records larger than memory: grouped part by part, written and verified in DuckDB."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from auditor.config import EdgeTableSettings, SparkSettings
from auditor.core.errors import BadInput
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published, publish_release
from auditor.formats.records.categories import categories_of, decimal_commas
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.spark.exchange import workplace
from auditor.subjects.microdata.exports.attributes.aggregating import is_whole
from auditor.subjects.microdata.exports.attributes.sensitive_groups import keys_demanded
from auditor.subjects.microdata.exports.attributes.treatment import Treatment, chosen_attributes
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, check_request
from auditor.subjects.microdata.exports.large_file import MeansRelease, numbered
from auditor.subjects.microdata.exports.unchanged import Unchanged, unchanged_columns
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.table.result import TableMicroaggregation
from graphkit.microdata.verify import GroupClaim
from graphkit.numbers import counted

MANY_RECORDS = 2_000_000
"""Records of a file from which on it is worked on in parts, where nobody says otherwise."""
_EXACT = 2.0**53
MEMORY = "3GB"
"""Of the database, where nobody says otherwise."""
_NUMBERS = "auditor numbers"
_ENGINE = ("method", "seed", "effort")


@dataclass(frozen=True, slots=True, eq=False)
class ExportedParts:
    """As :class:`~auditor.subjects.microdata.exports.exporting.ExportedRecords`; effects are not measured."""

    answer: TableMicroaggregation
    claim: GroupClaim
    rounded_loss: float | None
    removed: tuple[str, ...]
    unchanged: Unchanged
    effects: None = None
    aggregate_loss: None = None
    treatment: Treatment = field(default_factory=Treatment)
    remarks: tuple[str, ...] = ()
    published: Published | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Columns that were aggregated."""
        return self.claim.attributes


def is_large(opened: OpenRecords, request: MicroaggregationRequest) -> bool:
    """Whether a file is worked on in parts without being asked: it has many records, and parts can do what is asked."""
    return (opened.rows or 0) > MANY_RECORDS and not _too_much(request)


def export_large(
    opened: OpenRecords,
    request: MicroaggregationRequest,
    settings: EdgeTableSettings,
    *,
    spark: SparkSettings | None = None,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress = silent,
) -> ExportedParts:
    """Group the records part by part, write the means aside, read back, verify, and publish, in bounded memory.

    Parameters
    ----------
    opened : OpenRecords
        The records; their database may use the memory of the settings, by default 3 GB.
    request : MicroaggregationRequest
        Of stored records none: these exports are not recorded.
    settings : EdgeTableSettings
    spark : SparkSettings, optional
        Where Spark groups the records, which DuckDB reads, writes and verifies; otherwise DuckDB does it all.
    phase, progress : callable, optional
        Called with what is being done, and with what the engine has reached.

    Raises
    ------
    BadInput
        As :func:`~auditor.subjects.microdata.exports.exporting.export_records`; and if something is asked for that
        needs all records at once.
    BadFile, NotDelivered, RoomExhausted, VerificationFailed
        As there.
    EngineUnavailable
        If Spark is to be used, and cannot be.
    """
    from graphkit.microdata.table import microaggregate_table

    check_request(request, opened.source.path)
    if missing := _too_much(request):
        raise BadInput(f"{missing} needs all records at once; leave out --large, or that")
    phase("read")
    attributes = chosen_attributes(
        opened.columns, opened.source.name, request.roles, request.attributes, request.treatment
    )
    for name in attributes:
        if opened.named(name).sort != "number":
            commas = decimal_commas(name, categories_of(opened.connection, VIEW, name))
            raise BadInput(
                commas or f"column {name!r} holds something else than numbers, which need all records at once"
            )
    if settings.memory is None:
        opened.connection.execute(f"SET memory_limit = '{MEMORY}'")
    own = [f"a{number}" for number in range(len(attributes))]
    selected = ", ".join(
        f"CAST({quoted(name)} AS DOUBLE) AS {column}" for name, column in zip(attributes, own, strict=True)
    )
    # before the file is read: a Spark that cannot be reached is told at once
    with workplace(opened.connection, spark, place_between(settings, request.destination)) as place:
        with record_errors(opened.source):
            opened.connection.execute(
                f"CREATE OR REPLACE TABLE {quoted(_NUMBERS)} AS SELECT {selected}, record FROM {numbered(VIEW)}"
            )
            _check_finite(opened, attributes, own)
            whole = _whole_numbers(opened, attributes, own) if request.keep_integers else ()
        opened.check_unchanged()
        with record_errors(opened.source):
            connection = place.here
            answer = microaggregate_table(
                place.connection,
                place.sent(_NUMBERS),
                request.k,
                attributes=own,
                whole_numbers=[column for name, column in zip(attributes, own, strict=True) if name in whole],
                clock=time.monotonic,
                progress=progress,
                **{name: request.engine[name] for name in _ENGINE if name in request.engine},
            )
            answer = replace(answer, table=place.fetched(answer.table))
    claim = GroupClaim(request.k, answer.records, attributes, whole)
    result = ExportedParts(
        answer,
        claim,
        answer.rounded_loss(connection) if whole else None,
        request.roles.kept_back,
        unchanged_columns(opened, request.roles, attributes, request.roles.kept_back),
    )
    if request.destination is None:
        return result
    leaving = tuple(column for column in opened.columns if column.name not in request.roles.kept_back)
    release = MeansRelease(opened, connection, claim, leaving, answer.table, request.destination)
    return replace(result, published=publish_release(release, None, phase))


def place_between(settings: EdgeTableSettings, destination: Destination | None) -> Path:
    """Return beside what files go that DuckDB and Spark exchange."""
    if settings.folder is not None:
        return settings.folder
    return Path(tempfile.gettempdir()) if destination is None else destination.path.parent


def _too_much(request: MicroaggregationRequest) -> str | None:
    """Return what is asked for that parts cannot do."""
    if request.roles.stratum is not None:
        return "--stratum"
    if request.roles.household is not None:
        return "--household"
    if request.treatment != Treatment():
        return "another scaling, weight or aggregate, or a missing value,"
    if request.policy_demands and (asked := keys_demanded(request.roles, request.attributes, request.policy.microdata)):
        return f"what the policy demands of sensitive columns ({', '.join(asked)})"
    if request.pictures or request.curve:
        return "--report" if request.pictures else "--curve"
    if request.engine.get("method", "search") not in ("search", "mdav"):
        return f"--method {request.engine['method']}"
    for name in ("time_limit", "gap"):
        if request.engine.get(name) is not None:
            return f"--{name.replace('_', '-')}"
    return None


def _check_finite(opened: OpenRecords, attributes: tuple[str, ...], own: list[str]) -> None:
    found = ", ".join(f"count(*) FILTER (WHERE NOT coalesce(isfinite({column}), false))" for column in own)
    row: Any = opened.connection.execute(f"SELECT {found} FROM {quoted(_NUMBERS)}").fetchone()
    for name, missing in zip(attributes, row, strict=True):
        if missing:
            raise opened.source.bad(
                f"has {counted(missing, 'record', 'records')} without a finite number in {name!r}; "
                "impute or leave out these records first"
            )


def _whole_numbers(opened: OpenRecords, attributes: tuple[str, ...], own: list[str]) -> tuple[str, ...]:
    """Return the attributes whose columns hold whole numbers that floating-point numbers hold exactly."""
    largest = ", ".join(f"max(abs({column}))" for column in own)
    row: Any = opened.connection.execute(f"SELECT {largest} FROM {quoted(_NUMBERS)}").fetchone()
    return tuple(
        name for name, most in zip(attributes, row, strict=True) if is_whole(opened.named(name)) and most < _EXACT
    )
