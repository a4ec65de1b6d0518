"""What a microaggregated file claims, as manifest, store and ledger hold it, and back."""

from collections.abc import Mapping
from typing import Any

from auditor.core.errors import BadInput
from auditor.exports.manifest import claimed_number
from auditor.exports.record import Export
from graphkit.microdata.verify import GroupClaim

CLAIM_KIND = "microaggregation"


_MEANS = "mean"
_AGGREGATES = {_MEANS, "median", "lower median", "mode"}
_TREATMENTS = {"error", "group", "impute"}
_EACH = "by attribute"
"""What versions that know means alone refuse: they could not check it."""


def claim_as_record(claim: GroupClaim) -> dict[str, Any]:
    """Return a claim as JSON holds it: what is promised beside means only where it is.

    Examples
    --------
    >>> claim_as_record(GroupClaim(3, 9, ("age",)))["attributes"]
    ['age']
    >>> claim_as_record(GroupClaim(3, 9, ("age",), aggregates={"age": "median"}))["aggregates"]
    {'age': 'median'}
    """
    held: dict[str, Any] = {"k": claim.k, "n": claim.n, "attributes": list(claim.attributes)}
    held["whole_numbers"] = list(claim.whole_numbers)
    if claim.aggregates or claim.times or claim.missing != "error":
        held["aggregates"] = {name: claim.aggregate_of(name) for name in claim.attributes}
        held["times"] = dict(claim.times)
        held["scales"] = {name: list(scale) for name, scale in claim.scales.items()}
        held["missing"] = claim.missing
    if claim.stratum is not None:
        held["stratum"] = claim.stratum
    if claim.household is not None:
        held["household"] = claim.household
    return {"kind": CLAIM_KIND, "aggregate": _EACH if "aggregates" in held else _MEANS, **held}


def least_of(export: Export) -> int:
    """Return the k that an export of records claims, whatever else it claims."""
    return int(export.claim["k"])


def claim_of(record: Mapping[str, Any]) -> GroupClaim:
    """Return the claim in a record; other keys, which store and manifest keep beside a claim, are left alone.

    Raises
    ------
    BadInput
        If the record is none, or promises what this version does not know: it could not be checked.

    Examples
    --------
    >>> claim_of(claim_as_record(GroupClaim(3, 9, ("age",)))) == GroupClaim(3, 9, ("age",))
    True
    """
    if record.get("kind") != CLAIM_KIND or record.get("aggregate") not in (_MEANS, _EACH):
        raise BadInput("the claim promises what this version cannot check; use the version that made the export")
    try:
        aggregates = {str(name): str(one) for name, one in record.get("aggregates", {}).items()}
        claim = GroupClaim(
            claimed_number(record["k"], 2),
            claimed_number(record["n"], 0),
            tuple(str(name) for name in record["attributes"]),
            tuple(str(name) for name in record["whole_numbers"]),
            {name: one for name, one in aggregates.items() if one != _MEANS},
            {str(name): str(kind) for name, kind in record.get("times", {}).items()},
            {str(name): tuple(map(str, scale)) for name, scale in record.get("scales", {}).items()},
            str(record.get("missing", "error")),
            None if record.get("stratum") is None else str(record["stratum"]),
            None if record.get("household") is None else str(record["household"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("the claim lacks k, n or the attributes, or holds something else there") from error
    named = {*claim.whole_numbers, *aggregates, *claim.times, *claim.scales}
    if not claim.attributes or not named <= set(claim.attributes) or len(set(claim.attributes)) < len(claim.attributes):
        raise BadInput("the claim names no attribute, one twice, or promises something of another column")
    if not set(aggregates.values()) <= _AGGREGATES or claim.missing not in _TREATMENTS:
        raise BadInput("the claim promises what this version cannot check; use the version that made the export")
    return claim
