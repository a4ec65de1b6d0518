"""Attributes as numbers: of the original and of what was published, by the same claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.records.categories import categories_of, decimal_commas, texts_of
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.subjects.microdata.exports.attributes.times import TIMES
from auditor.subjects.microdata.exports.numeric import read_households, read_strata
from graphkit.arrays import Floats
from graphkit.microdata.microaggregation.scaling import MOST_CATEGORIES
from graphkit.microdata.risk.relation import quoted
from graphkit.microdata.verify import GroupClaim, OriginalRecords
from graphkit.numbers import count, counted


@dataclass(frozen=True, slots=True, eq=False)
class ReadRecords:
    """The original, as the engines and the verification take it. Protected."""

    records: OriginalRecords
    categories: Mapping[str, tuple[str, ...]]
    """The text that each code of an attribute stands for."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to say of attributes of text that hold numbers."""
        return tuple(filter(None, (decimal_commas(name, texts) for name, texts in self.categories.items())))


def read_original(opened: OpenRecords, claim: GroupClaim) -> ReadRecords:
    """Return the attributes that a claim is about, with strata and households.

    Raises
    ------
    BadInput
        If an attribute has more categories than distances are measured between.
    BadFile
        If the file cannot be read to its end, or has a value that the claim does not allow; how many, never which.
    """
    with record_errors(opened.source):
        categories = categories_in(opened.connection, VIEW, claim)
        values = values_in(opened.connection, VIEW, claim, categories)
    for name, column in zip(claim.attributes, values.T, strict=True):
        _check_values(opened, claim, name, column, categories.get(name, ()))
    strata = None if claim.stratum is None else read_strata(opened, claim.stratum)
    households = None if claim.household is None else read_households(opened, claim.household)
    return ReadRecords(OriginalRecords(values, strata, households), categories)


def categories_in(connection: Any, relation: str, claim: GroupClaim) -> dict[str, tuple[str, ...]]:
    """Return the categories of every attribute that has some: the order declared, else that of their text."""
    found = {}
    for name in claim.attributes:
        if name in claim.scales:
            found[name] = claim.scales[name]
        elif claim.aggregate_of(name) == "mode":
            found[name] = tuple(text for text in categories_of(connection, relation, name) if text is not None)
    return found


def values_in(connection: Any, relation: str, claim: GroupClaim, categories: Mapping[str, tuple[str, ...]]) -> Floats:
    """Return the attributes of a relation, shape (n, attributes), in its order. Protected.

    What is missing is NaN; a category that is not among those given is infinite, which no check takes for a value.
    """
    columns = [_column(connection, relation, claim, name, categories.get(name)) for name in claim.attributes]
    return np.column_stack(columns)


def _column(connection: Any, relation: str, claim: GroupClaim, name: str, categories: tuple[str, ...] | None) -> Floats:
    if categories is not None:
        return _codes(connection, relation, name, categories)
    value = quoted(name)
    if name in claim.times:
        kind = claim.times[name]
        if kind not in TIMES:
            raise BadInput("the claim promises what this version cannot check; use the version that made the export")
        value = f"CAST({value} AS {kind})"
        # a time without end is no number
        value = f"CASE WHEN isfinite({value}) THEN {TIMES[kind].number.format(value)} END"
    found = connection.execute(f"SELECT CAST({value} AS DOUBLE) AS c FROM {quoted(relation)}").fetchnumpy()
    filled: Floats = np.ma.filled(found["c"], np.nan).astype(np.float64)
    return filled


def _codes(connection: Any, relation: str, name: str, categories: tuple[str, ...]) -> Floats:
    texts, places = texts_of(connection, relation, name)
    place = {text: float(code) for code, text in enumerate(categories)}
    codes = np.array([np.nan if text is None else place.get(text, np.inf) for text in texts], dtype=np.float64)
    return np.asarray(codes[places])


def _check_values(
    opened: OpenRecords, claim: GroupClaim, name: str, column: Floats, categories: tuple[str, ...]
) -> None:
    if not column.size:
        raise opened.source.bad("has no records below its header; give a file that holds records")
    unknown = int(np.isinf(column).sum())
    if unknown and name in claim.scales:
        raise opened.source.bad(
            f"has {counted(unknown, 'record', 'records')} whose {name!r} is none of the categories that were declared; "
            "declare all of them, in order"
        )
    if len(categories) > MOST_CATEGORIES:
        if commas := decimal_commas(name, categories):
            raise BadInput(commas)
        raise BadInput(
            f"attribute {name!r} has {count(len(categories))} categories, more than the {MOST_CATEGORIES} that "
            "distances are measured between; merge some, or leave it out"
        )
    missing = unknown if claim.missing != "error" else int((~np.isfinite(column)).sum())
    if missing:
        sort = "value" if categories or name in claim.times else "finite number"
        advice = "choose --missing group or --missing impute, or leave out these records first"
        raise opened.source.bad(
            f"has {counted(missing, 'record', 'records')} without a {sort} in {name!r}; "
            f"{'correct or leave out these records first' if unknown else advice}"
        )
    if np.isnan(column).all():
        raise opened.source.bad(f"has no value at all in {name!r}; choose other attributes")
