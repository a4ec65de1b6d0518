"""How attributes are compared and aggregated, as it was asked for and as it is claimed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import cast

from auditor.core.errors import BadInput
from auditor.formats.records.columns import Column, named
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.exports.attributes.times import TIMES
from graphkit.microdata.microaggregation.aggregates import Aggregate
from graphkit.microdata.microaggregation.scaling import SPREADS, Preparation, Scaling
from graphkit.microdata.verify import GroupClaim

_MISSING = ("error", "group", "impute")
_OF_NUMBERS = ("mean", "median")


@dataclass(frozen=True, slots=True)
class Treatment:
    """What may be chosen about attributes, beside which they are; names are those of columns."""

    scaling: str = "standard"
    """`standard`, `robust`, `range` or `none`."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """What the squared distance in an attribute counts; 1 by default."""
    aggregate: str = "mean"
    """`mean` or `median`: of numbers and times, unless `aggregates` names another."""
    aggregates: Mapping[str, str] = field(default_factory=dict)
    nominal: tuple[str, ...] = ()
    """Numbers that stand for categories; text and truth values always do."""
    scales: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Categories in order."""
    missing: str = "error"
    """What becomes of missing values: `error`, `group` or `impute`."""

    def check(self, attributes: Sequence[str]) -> None:
        """Refuse what makes no sense whatever the columns hold.

        Raises
        ------
        BadInput
            If a word is unknown, a weight is not positive, or a column that is named is not aggregated.
        """
        for word, known in ((self.scaling, tuple(SPREADS)), (self.aggregate, _OF_NUMBERS), (self.missing, _MISSING)):
            if word not in known:
                raise BadInput(f"unknown word {word!r}; choose {', '.join(known)}")
        named = {"weight": self.weights, "aggregate": self.aggregates, "list as nominal": self.nominal}
        for what, names in {**named, "order": self.scales}.items():
            for name in names:
                if name not in attributes:
                    raise BadInput(
                        f"there is no attribute {name!r} to {what}; those that are aggregated are "
                        f"{', '.join(map(repr, attributes))}"
                    )
        for name, weight in self.weights.items():
            if not 0 < weight < inf:
                raise BadInput(f"weight of {name!r} ({weight:g}) must be a positive number")
        for name, scale in self.scales.items():
            if name in self.nominal:
                raise BadInput(f"{name!r} is declared both nominal and ordinal; choose one")
            if len(scale) < 2 or len(set(scale)) < len(scale):
                raise BadInput(f"the order of {name!r} must name two categories or more, each once")


def chosen_attributes(
    columns: Sequence[Column], where: str, roles: Roles, asked: Sequence[str], treatment: Treatment
) -> tuple[str, ...]:
    """Return the columns to aggregate: those asked for, else the numbers among the quasi-identifiers, else all numbers.

    Parameters
    ----------
    columns : sequence of Column
    where : str
        What the records are called in a message.
    roles : Roles
    asked : sequence of str
    treatment : Treatment

    Raises
    ------
    BadInput
        If one is missing, holds what cannot be aggregated, or has another role; or there is none; or the treatment is
        not one of these.
    """
    roles.check(column.name for column in columns)
    for name in asked:
        named(columns, name, where)
        if roles.of(name) not in ATTRIBUTES:
            raise BadInput(f"column {name!r} is declared as {roles.of(name)}; aggregate others")
    numbers = [column.name for column in columns if column.sort == "number"]
    if roles.quasi_identifiers:
        numbers = [name for name in roles.quasi_identifiers if name in numbers]
    else:
        numbers = [name for name in numbers if roles.of(name) == "other"]
    chosen = tuple(dict.fromkeys(asked)) or tuple(numbers)
    if not chosen:
        raise BadInput(f"{where} has no column of numbers to aggregate; name others (--attribute)")
    treatment.check(chosen)
    for name in chosen:
        _check_aggregate(named(columns, name, where), treatment)
    return chosen


def claim_for(
    opened: OpenRecords, roles: Roles, k: int, attributes: tuple[str, ...], treatment: Treatment
) -> GroupClaim:
    """Return what will be claimed, but for the number of records and the whole numbers: the values say these."""
    found = {name: _aggregate(opened.named(name), treatment) for name in attributes}
    return GroupClaim(
        k,
        0,
        attributes,
        aggregates={name: aggregate for name, aggregate in found.items() if aggregate != "mean"},
        times={
            name: opened.named(name).type
            for name in attributes
            if opened.named(name).sort == "time" and found[name] in _OF_NUMBERS
        },
        scales={name: treatment.scales[name] for name in attributes if name in treatment.scales},
        missing=treatment.missing,
        stratum=roles.stratum,
        household=roles.household,
    )


def preparation_for(claim: GroupClaim, treatment: Treatment) -> Preparation:
    """Return the same for the engine."""
    places = dict(enumerate(claim.attributes))
    weights = tuple(float(treatment.weights.get(name, 1)) for name in claim.attributes)
    return Preparation(
        cast(Scaling, treatment.scaling),
        weights if treatment.weights else (),
        tuple(at for at, name in places.items() if claim.aggregate_of(name) == "mode" and name not in claim.scales),
        tuple(at for at, name in places.items() if name in claim.scales),
        "group" if claim.missing == "group" else "error",
    )


def aggregates_for(claim: GroupClaim) -> tuple[Aggregate, ...]:
    """Return the aggregate of each attribute, in order."""
    return tuple(cast(Aggregate, claim.aggregate_of(name)) for name in claim.attributes)


def _aggregate(column: Column, treatment: Treatment) -> str:
    asked = treatment.aggregates.get(column.name)
    if column.name in treatment.scales:
        return "mode" if asked == "mode" else "lower median"
    if column.name in treatment.nominal or column.sort in ("text", "truth"):
        return "mode"
    return asked or treatment.aggregate


def _check_aggregate(column: Column, treatment: Treatment) -> None:
    name, asked = column.name, treatment.aggregates.get(column.name)
    if column.sort == "other" or (column.sort == "time" and column.type not in TIMES):
        raise BadInput(
            f"column {name!r} ({column.type.lower()}) is neither numbers, dates nor categories; choose other attributes"
        )
    if name in treatment.scales:
        known: tuple[str, ...] = ("median", "mode")
    elif name in treatment.nominal or column.sort in ("text", "truth"):
        known = ("mode",)
    else:
        known = _OF_NUMBERS
    if asked is not None and asked not in known:
        raise BadInput(f"{name!r} cannot take the {asked} of its group; choose {' or '.join(known)}")
