"""Independent check of a freeform release: from the originals, the published extents and the claim alone.

Nothing here imports an engine. Of generalization it takes the domains of the attributes, which are data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.consistency import consistency
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.attribute import Attribute, Kind
from graphkit.microdata.linked import hidden_links
from graphkit.microdata.risk.classes import EquivalenceClasses
from graphkit.microdata.risk.closeness import ClosenessRisk, t_closeness
from graphkit.microdata.risk.coded import CodedColumn
from graphkit.microdata.risk.diversity import DiversityRisk, l_diversity
from graphkit.microdata.risk.sensitive_counts import sensitive_counts
from graphkit.verification import Check, Verification

_WORD = 62

WHICH_TEST_COUNTS = (
    "A freeform release is protected because each original is consistent with at least k published records, each of "
    "which some one-to-one assignment of all originals gives it. Published records need not be equal for that: the "
    "smallest equivalence class, and diversity and closeness within classes, describe a release by classes and say "
    "nothing against this one."
)
"""What is to be written beside the classic figures of a freeform release."""


@dataclass(frozen=True, slots=True)
class FreeformClaim:
    """What a freeform release promises in public; nothing in it is protected."""

    k: int
    """Every original could be that of at least so many published records, and the reverse."""
    n: int
    """Number of published records."""
    attributes: tuple[str, ...]
    """Columns that were generalized, in order."""
    sorts: Mapping[str, Kind] = field(default_factory=dict)
    """What stands for several values of an attribute: a range, a set, or a group of a hierarchy."""
    stratum: str | None = None
    """Column that is published as it was: originals and published records of different strata are not linked."""
    demands: tuple[Demand, ...] = ()
    """What every original sees of sensitive columns among the records that cover it, under each of the k matchings of
    which one was drawn."""
    suppressed: int = 0
    """Number of originals that were left out: nothing is published of them, and nothing is claimed about them."""

    @property
    def withheld(self) -> tuple[str, ...]:
        """Columns that must not be published: who knows them puts households together again."""
        return tuple(demand.sensitive for demand in self.demands if demand.of_households)

    @property
    def originals(self) -> int:
        """Number of originals, those that were left out among them."""
        return self.n + self.suppressed


@dataclass(frozen=True, slots=True, eq=False)
class FreeformKey:
    """How a freeform release was made, by row of the published records. Protected: it links them to originals."""

    covered: Ints
    """Originals that each published record was generalized to cover, shape (n, k); those that were left out are in no
    row."""
    drawn: Ints | None = None
    """Original whose sensitive values each published record has, shape (n,)."""


@dataclass(frozen=True, slots=True)
class ClassicFigures:
    """What tests by equivalence classes say of a release; of a freeform one see :data:`WHICH_TEST_COUNTS`."""

    smallest_class: int
    """Published records that are equal in all attributes, at least; 0 without records."""
    diversity: Mapping[str, DiversityRisk]
    """By sensitive column."""
    closeness: Mapping[str, ClosenessRisk]
    """By sensitive column, with all categories equally far from each other."""


def verify_freeform(
    claim: FreeformClaim, attributes: Sequence[Attribute], published: Ints, codes: Ints
) -> Verification:
    """Check that every original hides among k published records, whatever way the release was made.

    Parameters
    ----------
    claim : FreeformClaim
    attributes : sequence of Attribute
        Domains of the attributes, in the order of the claim; a range of numbers of strata is the last, where the claim
        names a stratum.
    published : ndarray of int, shape (n, width)
        Extents as they were read back: for each attribute in turn, of a range the number of its first and last value,
        of a set words of 62 bits each, of a tree a node.
    codes : ndarray of int, shape (n, d)
        The originals as numbers of values. Protected.

    Raises
    ------
    LimitReached
        If extents are so wide that what is consistent with what cannot be held in memory.

    Notes
    -----
    An edge of the graph of what is consistent with what counts if some matching of all published records contains it:
    with a maximum matching, it does if its ends are in one strongly connected component of the residual graph (Dulmage,
    Mendelsohn). Equal extents and equal originals are one vertex each, with as much flow as there are of them.

    Where originals were left out, the files do not tell which. Those that are published are among each other linked
    with k records, and each record with k of them. A set of originals of which all this holds is looked for: it must
    have as many as were published, at least. An original linked with fewer than k is in no such set, so it is taken
    out, until none is left; what remains is the largest set, and the published originals are in it. So all originals
    but as many as were left out are shown to hide. That none of these few was published only the key can show
    (:func:`verify_key`). Without any that were left out, this is the test above.

    References
    ----------
    Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity, Transactions on Data Privacy 2012,
    for the definition; Régin: A filtering algorithm for constraints of difference in CSPs, AAAI 1994, for the edges.
    """
    count = _count_check(claim, attributes, published, codes)
    if not count.passed:
        return Verification((count,))
    records, extents = hidden_links(consistency(attributes, published, codes), claim.k, claim.n)
    if records is None or extents is None:
        return Verification((count, Check("matching", False, _NO_MATCHING[claim.suppressed > 0])))
    matching = Check("matching", True, _MATCHING[claim.suppressed > 0])
    return Verification((count, matching, _hides(claim, records, True), _hides(claim, extents, False)))


def verify_key(
    claim: FreeformClaim, attributes: Sequence[Attribute], published: Ints, codes: Ints, key: FreeformKey
) -> Verification:
    """Check what only the owner can check: the graph is k-regular, extents are no wider than it, the draw is in it.

    The originals of the graph are those that were not left out.

    Parameters
    ----------
    claim, attributes, published, codes
        As :func:`verify_freeform` takes them.
    key : FreeformKey

    Notes
    -----
    O(n k d). A k-regular graph is the union of k perfect matchings: it proves what :func:`verify_freeform` checks, if
    extents cover it.
    """
    count = _count_check(claim, attributes, published, codes)
    regular = _is_regular(claim, key.covered)
    text = f"each record covers {claim.k} originals, and each original {_THAT_IS_THERE[claim.suppressed > 0]}is covered"
    text = f"{text} {claim.k} times"
    checks = [count, Check("regular", regular, text if regular else "the graph of what covers what is not regular")]
    if count.passed and regular:
        least = np.array_equal(least_extents(attributes, codes, key.covered), published)
        text = "each extent is the least that covers its originals"
        checks.append(Check("extents", least, text if least else "an extent is not the least one of its originals"))
        if key.drawn is not None:
            right = key.drawn.shape == (claim.n,) and np.array_equal(np.sort(key.drawn), np.unique(key.covered))
            right = right and bool((key.covered == key.drawn[:, None]).any(axis=1).all())
            text = "sensitive values are those of a matching of the graph"
            checks.append(Check("drawn", right, text if right else "sensitive values are not those of a matching"))
    return Verification(tuple(checks))


def classic_figures(
    published: Ints,
    sensitive: Mapping[str, Ints],
    *,
    l: float = 2,  # noqa: E741
    t: float = 0.2,
) -> ClassicFigures:
    """Return what tests by equivalence classes say.

    Parameters
    ----------
    published : ndarray of int, shape (n, width)
        Extents.
    sensitive : mapping of str to ndarray of int, shape (n,)
        Published categories of each sensitive column, numbered from 0 on.
    l, t : float, optional
        Required diversity and closeness, by which records that lack it are counted.

    Notes
    -----
    O(n log n) for each column.
    """
    of, sizes = np.unique(published, axis=0, return_inverse=True, return_counts=True)[1:]
    classes = EquivalenceClasses((), of.reshape(-1).astype(np.int64), sizes)
    counted = {}
    for name, column in sensitive.items():
        categories, ranks = np.unique(column, return_inverse=True)
        numbers = ranks.reshape(-1).astype(np.uint32)
        counted[name] = sensitive_counts(classes, CodedColumn(name, numbers, categories.size))
    return ClassicFigures(
        int(sizes.min()) if sizes.size else 0,
        {name: l_diversity(column, l) for name, column in counted.items()},
        {name: t_closeness(column, t) for name, column in counted.items()},
    )


def _count_check(claim: FreeformClaim, attributes: Sequence[Attribute], published: Ints, codes: Ints) -> Check:
    widths = [{"range": 2, "tree": 1, "set": -(-attribute.size // _WORD)}[attribute.kind] for attribute in attributes]
    right = len(attributes) == len(claim.attributes) + (claim.stratum is not None)
    right = right and claim.suppressed >= 0 and codes.shape == (claim.originals, len(attributes))
    right = right and published.shape == (claim.n, sum(widths)) and claim.n >= claim.k
    at = 0
    for place, attribute in enumerate(attributes if right else ()):
        column = codes[:, place]
        right = right and bool(((column >= 0) & (column < attribute.size)).all())
        if attribute.kind == "set":
            bits = published[:, at : at + widths[place]]
            ends = attribute.size - _WORD * np.arange(widths[place])
            outside = np.array([-1 << min(int(end), _WORD) for end in ends], dtype=np.int64)
            right = right and not (bits & outside).any() and bool(bits.any(axis=1).all())
        else:
            size = attribute.size if attribute.kind == "range" else attribute.parents.size
            ends = published[:, at : at + widths[place]]
            right = right and bool(((ends >= 0) & (ends < size) & (ends[:, :1] <= ends)).all())
        at += widths[place]
    text = "every record is there, and every value is of its domain"
    if claim.suppressed:
        text = "as many records are there as were not left out, and every value is of its domain"
    return Check("records", right, text if right else "a record is missing, or a value is not of its domain")


def _hides(claim: FreeformClaim, counts: Ints, of_originals: bool) -> Check:
    few, most = int((counts < claim.k).sum()), claim.suppressed if of_originals else 0
    right = few <= most
    what, among = ("original", "published records") if of_originals else ("published record", "originals")
    how = "assignments of all records"
    if claim.suppressed:
        how = "assignments of all published records to originals that are"
    text = f"every {what} is linked with at least {claim.k} {among} by {how}"
    if most:
        text = f"all originals but {most} at most are linked with at least {claim.k} {among} by {how}"
    if not right:
        text = f"a {what} is linked with fewer than {claim.k} {among} by {how}"
        if most:
            text = f"more than {most} originals are linked with fewer than {claim.k} {among} by {how}"
    return Check("hidden" if of_originals else "shared", right, text)


_MATCHING = (
    "an assignment gives each original a published record that fits",
    "an assignment gives each published record an original that it fits",
)
_NO_MATCHING = (
    "no assignment gives each original a record that fits",
    "no assignment gives each published record an original that it fits",
)
"""By whether originals were left out."""
_THAT_IS_THERE = ("", "that was not left out ")


def _is_regular(claim: FreeformClaim, covered: Ints) -> bool:
    if covered.shape != (claim.n, claim.k) or not covered.size or covered.min() < 0 or covered.max() >= claim.originals:
        return False
    ordered = np.sort(covered, axis=1)
    times = np.bincount(covered.ravel(), minlength=claim.originals)
    return bool((ordered[:, 1:] > ordered[:, :-1]).all() and np.isin(times, (0, claim.k)).all())


def least_extents(attributes: Sequence[Attribute], codes: Ints, covered: Ints) -> Ints:
    """Return the least extents that cover given records.

    Parameters
    ----------
    attributes : sequence of Attribute
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    covered : ndarray of int, shape (m, k)
        Records that each extent covers.

    Returns
    -------
    ndarray of int, shape (m, width)
        As :func:`verify_freeform` takes extents.
    """
    parts = []
    for place, attribute in enumerate(attributes):
        values = codes[covered, place]
        if attribute.kind == "range":
            parts += [values.min(axis=1), values.max(axis=1)]
        elif attribute.kind == "set":
            for word in range(-(-attribute.size // _WORD)):
                bits = np.where(values // _WORD == word, np.int64(1) << (values % _WORD), 0)
                parts.append(np.bitwise_or.reduce(bits, axis=1))
        else:
            parts.append(_ancestors(attribute, values))
    return np.stack(parts, axis=1)


def _ancestors(attribute: Attribute, values: Ints) -> Ints:
    """Return the lowest common ancestor of each row of values."""
    depths, found = attribute.depths, values[:, 0]
    for place in range(1, values.shape[1]):
        other = values[:, place]
        while (found != other).any():
            apart = found != other
            lower = apart & (depths[found] >= depths[other])
            found, other = (
                np.where(lower, attribute.parents[found], found),
                np.where(apart & ~lower, attribute.parents[other], other),
            )
    return found
