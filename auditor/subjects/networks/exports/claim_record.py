"""A claim as manifest, store and ledger hold it, and back; records of earlier versions of the program included."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

from auditor.core.errors import BadInput
from auditor.exports.manifest import claimed_number
from graphkit.networks.verify import DegreeClaim, Scope

CLAIM_KIND = "k-degree-anonymous network"


def claim_as_record(claim: DegreeClaim, attributes: Sequence[str] = ()) -> dict[str, Any]:
    """Return a claim as JSON holds it, with the names of the vertex attributes that leave."""
    return {"kind": CLAIM_KIND, **asdict(claim), "attributes": list(attributes)}


def claim_of(record: Mapping[str, Any]) -> DegreeClaim:
    """Return the claim in a record; what an older record does not say has the meaning it had then.

    Other keys, which store and manifest keep beside a claim, are left alone.

    Raises
    ------
    BadInput
        If the record is none, or promises what this version does not know: it could not be checked.

    Examples
    --------
    >>> claim_of({"k": 5, "n": 100, "supergraph": True})
    DegreeClaim(k=5, n=100, supergraph=True, scope='whole', earlier=0)
    """
    if record.get("kind", CLAIM_KIND) != CLAIM_KIND or record.get("scope", "whole") not in get_args(Scope):
        raise BadInput("the claim promises what this version cannot check; use the version that made the export")
    try:
        return DegreeClaim(
            k=claimed_number(record["k"], 1),
            n=claimed_number(record["n"], 0),
            supergraph=_truth(record.get("supergraph", True)),
            scope=record.get("scope", "whole"),
            earlier=claimed_number(record.get("earlier", 0), 0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("the claim lacks k or n, or holds something else than a number there") from error


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value
