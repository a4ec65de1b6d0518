"""Independent check of what originals see of sensitive values in a freeform release.

Nothing here imports an engine: diversity and closeness are measured as an audit measures those of classes, with what an
original sees as a class.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.consistency import Consistency
from graphkit.microdata.demand import Demand
from graphkit.microdata.risk.classes import EquivalenceClasses
from graphkit.microdata.risk.closeness import t_closeness
from graphkit.microdata.risk.coded import CodedColumn
from graphkit.microdata.risk.diversity import l_diversity
from graphkit.microdata.risk.sensitive_counts import sensitive_counts
from graphkit.verification import Check, Verification


def verify_matchings(
    covered: Ints,
    matchings: Ints,
    demands: Sequence[Demand],
    values: Sequence[Ints],
    totals: Sequence[Ints | None] | None = None,
) -> Verification:
    """Check, before one is drawn, that matchings are those of a graph, and that demands are met under each.

    Parameters
    ----------
    covered : ndarray of int, shape (n, k)
        Records that each tuple covers; those that are left out are in no row.
    matchings : ndarray of int, shape (k, n)
        Record of every tuple in every matching.
    demands : sequence of Demand
    values : sequence of ndarray of int, shape (n,)
        Of each demand, the category of every record, by rank.
    totals : sequence of ndarray of int or None, optional
        Of each demand, how often each category is in the whole file, where these records are a part of it.

    Notes
    -----
    O(n k² log n) for each demand.
    """
    n, k = covered.shape
    kept = np.unique(covered)
    right = matchings.shape == (k, n) and kept.size == n and bool((np.sort(matchings, axis=1) == kept).all())
    # edges of the graph, each in one matching
    right = right and np.array_equal(np.sort(matchings.T, axis=1), np.sort(covered, axis=1))
    text = f"{k} disjoint matchings are the whole graph"
    checks = [Check("matchings", right, text if right else f"there are not {k} disjoint matchings of the graph")]
    if right:
        for demand, column, total in zip(demands, values, totals or [None] * len(demands), strict=True):
            met = all(_is_met(demand, _seen(covered, column[matching]), total) for matching in matchings)
            checks.append(seen_check(demand, met, " under every matching"))
            if demand.of_households:
                checks.append(households_check(demand, _is_apart(demand, covered, column)))
    return Verification(tuple(checks))


def verify_seen(
    covered: Ints, demands: Sequence[Demand], published: Sequence[Ints], drawn: Ints | None = None
) -> Verification:
    """Check what originals see in a release as it was written.

    Parameters
    ----------
    covered : ndarray of int, shape (n, k)
        Originals that each published record covers. Protected.
    demands : sequence of Demand
    published : sequence of ndarray of int, shape (n,)
        Of each demand, the published category of every published record, by rank; the household of every original,
        where it is about those.
    drawn : ndarray of int, shape (n,), optional
        Original whose values each published record has. Needed for households: they are not published.
    """
    checks = []
    for demand, column in zip(demands, published, strict=True):
        if not demand.of_households:
            checks.append(seen_check(demand, _is_met(demand, _seen(covered, column))))
        elif drawn is not None:
            checks.append(seen_check(demand, _is_met(demand, _seen(covered, column[drawn]))))
            checks.append(households_check(demand, _is_apart(demand, covered, column)))
    return Verification(tuple(checks))


def fewest_seen(covered: Ints, published: Ints) -> int:
    """Return how many different values an original sees at least; 0 without records.

    Parameters
    ----------
    covered : ndarray of int, shape (n, k)
        Originals that each published record covers. Protected.
    published : ndarray of int, shape (n,)
        Category of every published record.
    """
    seen = np.sort(_seen(covered, published), axis=1)
    return int((1 + (seen[:, 1:] != seen[:, :-1]).sum(axis=1)).min(initial=seen.shape[1])) if len(seen) else 0


def verify_consistent(
    graph: Consistency, demands: Sequence[Demand], published: Sequence[Ints], suppressed: int = 0
) -> Verification:
    """Check what can be checked without the key: how many values fit each original.

    Parameters
    ----------
    graph : Consistency
        Which published records fit which original.
    demands : sequence of Demand
        Of them, that on different values is checked: those that fit are at least those that cover an original. Nothing
        follows for entropy and t.
    published : sequence of ndarray of int, shape (n,)
        Of each demand, the published category of every published record; the household of every original, where it is
        about those: each published record is to fit originals of as many households.
    suppressed : int, optional
        Originals that were left out: so many may see less, since nobody without the key knows which they are.
    """
    from scipy.sparse import csr_array

    e, o = graph.extents.size, graph.originals.size
    fits = csr_array((np.ones(graph.found.size, dtype=np.int64), graph.found, graph.offsets), shape=(e, o))
    checks = []
    for demand, column in zip(demands, published, strict=True):
        if demand.of_households:
            ones = np.ones(column.size, dtype=np.int64)
            held = csr_array((ones, (graph.original_of, column)), shape=(o, int(column.max(initial=0)) + 1))
            households = (fits @ held).tocsr()
            households.sum_duplicates()
            right = bool((np.diff(households.indptr) >= demand.distinct).all())
            text = f"every record fits originals of at least {demand.distinct} households"
            checks.append(Check("fitting", right, text if right else "a record fits originals of fewer households"))
        elif demand.distinct > 1:
            ones = np.ones(column.size, dtype=np.int64)
            held = csr_array((ones, (graph.extent_of, column)), shape=(e, int(column.max(initial=0)) + 1))
            values = (fits.T @ held).tocsr()
            values.sum_duplicates()
            right = int(graph.originals[np.diff(values.indptr) < demand.distinct].sum()) <= suppressed
            text = f"records with at least {demand.distinct} values of {demand.sensitive!r} fit every original"
            if suppressed:
                text = f"{text} but {suppressed} at most"
            wrong = f"records with fewer than {demand.distinct} values of {demand.sensitive!r} fit an original"
            checks.append(Check("fitting", right, text if right else wrong))
    return Verification(tuple(checks))


def _seen(covered: Ints, published: Ints) -> Ints:
    """Return the values that each original that is published sees, shape (n, k), given those of published records."""
    n, k = covered.shape
    # each original that is there is covered k times
    holders = np.argsort(covered, axis=None, kind="stable") // k
    return np.asarray(published[holders].reshape(n, k), dtype=np.int64)


def _is_met(demand: Demand, seen: Ints, total: Ints | None = None) -> bool:
    n, k = seen.shape
    if total is None:
        # by rank among what is published: where records were left out, a value may be gone
        seen = np.unique(seen, return_inverse=True)[1].reshape(n, k)
    classes = EquivalenceClasses((), np.repeat(np.arange(n), k), np.full(n, k, dtype=np.int64))
    # each value is seen k times, so that shares among what is seen are those of the published file
    size = int(seen.max(initial=0)) + 1
    counted = sensitive_counts(classes, CodedColumn(demand.sensitive, seen.ravel().astype(np.uint32), size))
    if total is not None:
        counted = replace(counted, totals=total, records=int(total.sum()))
    if demand.distinct > 1 and not l_diversity(counted, demand.distinct).is_diverse:
        return False
    if demand.entropy > 1 and not l_diversity(counted, demand.entropy).is_entropy_diverse:
        return False
    return demand.t is None or t_closeness(counted, demand.t, demand.distance).is_close


def seen_check(demand: Demand, met: bool, when: str = "") -> Check:
    """Return the check of whether every original sees what is demanded."""
    text, wrong = f"every original sees {demand.seen}{when}", f"an original does not see {demand.seen}{when}"
    return Check("diverse", met, text if met else wrong)


def households_check(demand: Demand, met: bool) -> Check:
    """Return the check of whether every published record covers originals of as many households."""
    text, wrong = f"every record covers originals of {demand.text}", "a record covers originals of fewer than"
    return Check("households", met, text if met else f"{wrong} {demand.text}")


def _is_apart(demand: Demand, covered: Ints, households: Ints) -> bool:
    held = np.sort(households[covered], axis=1)
    return bool((1 + (held[:, 1:] != held[:, :-1]).sum(axis=1) >= demand.distinct).all())
