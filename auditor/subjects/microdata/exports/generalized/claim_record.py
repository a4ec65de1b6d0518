"""What a generalized file claims, as manifest, store and ledger hold it, and back; and what its owner keeps."""

import shlex
from collections.abc import Mapping
from typing import Any

from auditor.core.errors import BadInput
from auditor.exports.manifest import claimed_number
from auditor.subjects.microdata.exports.generalized.domains import CodedDomains
from auditor.subjects.microdata.exports.generalized.notation import notation_of
from graphkit.hierarchies.tree import Tree
from graphkit.microdata.demand import Demand
from graphkit.microdata.verify_freeform import FreeformClaim

CLAIM_KIND = "freeform generalization"
_TEST = "every record and every original extend to k perfect matchings; equal records are not to be counted"


def claim_for(coded: CodedDomains, k: int, demands: tuple[Demand, ...] = (), suppressed: int = 0) -> FreeformClaim:
    """Return what will be claimed of records, of which some are left out."""
    names = tuple(domain.name for domain in coded.domains)
    sorts = {domain.name: domain.kind for domain in coded.domains}
    stratum = None if coded.strata is None else coded.strata.name
    return FreeformClaim(k, coded.codes.shape[0] - suppressed, names, sorts, stratum, demands, suppressed)


def claim_as_record(claim: FreeformClaim) -> dict[str, Any]:
    """Return a claim as JSON holds it; it says how values are written, which test counts, and the command that runs it.

    Examples
    --------
    >>> claim_as_record(FreeformClaim(3, 9, ("age",), {"age": "range"}))["generalized"]
    {'age': 'range'}
    >>> claim_as_record(FreeformClaim(3, 9, ("job",), {"job": "tree"}))["run"]
    'auditor microdata verify ORIGINAL RELEASED --hierarchy job=FILE'
    """
    held: dict[str, Any] = {"k": claim.k, "n": claim.n, "attributes": list(claim.attributes)}
    if claim.suppressed:
        held["suppressed"] = claim.suppressed
    if claim.stratum is not None:
        held["stratum"] = claim.stratum
    if claim.demands:
        held["sensitive"] = [_demand_as_record(demand) for demand in claim.demands]
    return {
        "kind": CLAIM_KIND,
        **held,
        "generalized": dict(claim.sorts),
        "notation": notation_of(claim.sorts),
        "test": _TEST,
        "run": _how_to_run(claim),
    }


def is_freeform(record: Mapping[str, Any]) -> bool:
    """Whether a claim is about generalized records."""
    return record.get("kind") == CLAIM_KIND


def claim_of(record: Mapping[str, Any]) -> FreeformClaim:
    """Return the claim in a record; other keys, which store and manifest keep beside a claim, are left alone.

    Raises
    ------
    BadInput
        If the record is none, or promises what this version does not know: it could not be checked.

    Examples
    --------
    >>> claim = FreeformClaim(3, 9, ("age",), {"age": "range"})
    >>> claim_of(claim_as_record(claim)) == claim
    True
    """
    if not is_freeform(record):
        raise BadInput("the claim promises what this version cannot check; use the version that made the export")
    try:
        attributes = tuple(str(name) for name in record["attributes"])
        sorts = {name: record["generalized"][name] for name in attributes}
        stratum = None if record.get("stratum") is None else str(record["stratum"])
        # older claims demand nothing, and leave out nothing
        demands = tuple(_demand_of(held) for held in record.get("sensitive", ()))
        suppressed = claimed_number(record.get("suppressed", 0), 0)
        k, n = claimed_number(record["k"], 2), claimed_number(record["n"], 0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("the claim lacks k, n or the attributes, or holds something else there") from error
    if not attributes or len(sorts) < len(attributes):
        raise BadInput("the claim names no attribute, or one twice")
    if not set(sorts.values()) <= {"range", "set", "tree"}:
        raise BadInput("the claim promises what this version cannot check; use the version that made the export")
    return FreeformClaim(k, n, attributes, sorts, stratum, demands, suppressed)


def _how_to_run(claim: FreeformClaim) -> str:
    trees = [shlex.quote(f"{name}=FILE") for name in claim.attributes if claim.sorts.get(name) == "tree"]
    return " ".join(["auditor microdata verify ORIGINAL RELEASED", *(f"--hierarchy {tree}" for tree in trees)])


def _demand_as_record(demand: Demand) -> dict[str, Any]:
    """Return a demand as JSON holds it; what has decimals is text, as the ledger wants it."""
    held: dict[str, Any] = {"column": demand.sensitive, "distinct": demand.distinct}
    if demand.of_households:
        held["households"] = True
    if demand.entropy > 1:
        held["entropy"] = repr(float(demand.entropy))
    if demand.t is not None:
        held |= {"t": repr(float(demand.t)), "distance": demand.distance}
    return held


def _demand_of(held: Mapping[str, Any]) -> Demand:
    if not held.keys() <= {"column", "distinct", "entropy", "t", "distance", "households"}:
        raise ValueError("a demand that is not known")
    t = None if held.get("t") is None else float(held["t"])
    entropy, distance = float(held.get("entropy", 1)), held.get("distance", "equal")
    of_households = held.get("households", False) is True
    return Demand(str(held["column"]), claimed_number(held["distinct"], 1), entropy, t, distance, of_households)


def trees_as_record(trees: Mapping[str, Tree]) -> dict[str, Any]:
    """Return hierarchies as JSON holds them, for the owner alone: made from categories, they name them all."""
    return {
        "trees": {
            name: {"labels": list(tree.labels), "parents": list(tree.parents), "size": tree.size}
            for name, tree in trees.items()
        }
    }


def trees_of(record: Mapping[str, Any]) -> dict[str, Tree]:
    """Return the hierarchies in a record."""
    return {
        name: Tree(tuple(held["labels"]), tuple(held["parents"]), held["size"])
        for name, held in record.get("trees", {}).items()
    }
