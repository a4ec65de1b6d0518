"""Checks of what was promised: who shares a degree or a trail with whom, and what was changed."""

from collections.abc import Callable, Iterator

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.verify.check import degrees_check
from graphkit.networks.verify.claim import DegreeClaim, Terms
from graphkit.networks.verify.correspondence import Correspondence
from graphkit.networks.verify.file_checks import edge_keys
from graphkit.verification import Check

Test = Callable[[Correspondence], bool]


def anonymity_check(claim: DegreeClaim, edges: Ints, terms: Terms, matched: Correspondence | str) -> Check:
    """Check that every degree in the scope of the claim is shared by k vertices of that scope."""
    if claim.scope == "whole":
        return degrees_check(claim.k, _smallest_block(np.bincount(edges.ravel(), minlength=claim.n)) >= claim.k)
    name = "k-anonymous within the subset"
    members = _members(claim, terms, matched)
    if isinstance(members, str) or isinstance(matched, str):
        return Check(name, False, str(members))
    passed = _smallest_block(matched.after[members]) >= claim.k
    text = f"every vertex of the subset shares its degree with at least {claim.k - 1} others of the subset"
    return Check(name, passed, text if passed else "a vertex of the subset shares its degree with too few others of it")


def trail_check(claim: DegreeClaim, terms: Terms, matched: Correspondence | str) -> Check:
    """Check that every trail of degrees over the earlier versions and this one is shared by k vertices of the scope."""
    name = "k-anonymous with the earlier versions"
    members = _members(claim, terms, matched)
    if isinstance(members, str) or isinstance(matched, str):
        return Check(name, False, str(members))
    earlier = terms.earlier_degrees
    if earlier is None or earlier.shape != (claim.n, claim.earlier):
        return Check(name, False, "the degrees in the earlier versions are not at hand")
    trails = np.column_stack((earlier, matched.after))[members]
    _, sizes = np.unique(trails, axis=0, return_counts=True)
    passed = sizes.size == 0 or int(sizes.min()) >= claim.k
    text = f"every list of degrees over {claim.earlier + 1} versions is shared by at least {claim.k} vertices"
    return Check(
        name, passed, text if passed else f"fewer than {claim.k} vertices share a list of degrees over versions"
    )


def _members(claim: DegreeClaim, terms: Terms, matched: Correspondence | str) -> Ints | str:
    """Return the vertices that are to be protected, or why they are not known."""
    if isinstance(matched, str):
        return matched
    if claim.scope == "whole":
        return np.arange(claim.n)
    if terms.subset is None:
        return "the subset is not at hand"
    # a vertex that is named twice is still one person
    members = np.unique(terms.subset)
    if members.size and (members[0] < 0 or members[-1] >= claim.n):
        return "the subset names a vertex that is not there"
    return members


def _smallest_block(degrees: Ints) -> int:
    """Return how often the rarest degree occurs; a huge number without vertices."""
    blocks = np.bincount(degrees)
    return int(blocks[blocks > 0].min(initial=np.iinfo(np.int64).max))


def change_checks(claim: DegreeClaim, terms: Terms, matched: Correspondence | str) -> Iterator[Check]:
    """Yield the checks of what was promised about the difference between release and original, in a fixed order."""
    for name, holds, text, otherwise in _promises(claim, terms):
        if isinstance(matched, str):
            yield Check(name, False, matched)
        else:
            passed = holds(matched)
            yield Check(name, passed, text if passed else otherwise)


def _promises(claim: DegreeClaim, terms: Terms) -> Iterator[tuple[str, Test, str, str]]:
    """Yield name, test, and what is said when it holds and when not. No text holds a number: they are protected."""
    if claim.supergraph:
        yield (
            "contains the original",
            lambda found: found.deleted.shape[0] == 0,
            "every edge of the original is there under the relabelling",
            "an edge of the original is missing",
        )
    if terms.additions is not None:
        yield (
            "edges added",
            lambda found: found.added.shape[0] == terms.additions,
            "as many edges were added as was said",
            "more or fewer edges were added than was said",
        )
    if terms.deletions is not None:
        yield (
            "edges deleted",
            lambda found: found.deleted.shape[0] == terms.deletions,
            "as many edges were deleted as was said",
            "more or fewer edges were deleted than was said",
        )
    if (pairs := terms.forbidden_edges) is not None:
        yield (
            "forbidden edges",
            lambda found: _are_vertices(pairs, claim.n) and not _share_an_edge(found.added, pairs, claim.n),
            "no forbidden edge was added",
            "a forbidden edge was added, or one names a vertex that is not there",
        )
    if (vertices := terms.forbidden_vertices) is not None:
        yield (
            "forbidden vertices",
            lambda found: _are_vertices(vertices, claim.n) and not _touches(found, vertices),
            "no edge was added or deleted at a forbidden vertex",
            "an edge at a forbidden vertex was added or deleted, or one is not there",
        )
    if (bound := terms.max_increase) is not None:
        yield (
            "degree increase",
            lambda found: bool((found.after - found.before <= bound).all()),
            "no degree grew by more than was said",
            "a degree grew by more than was said",
        )


def _are_vertices(named: Ints, n: int) -> bool:
    return named.size == 0 or bool(named.min() >= 0 and named.max() < n)


def _share_an_edge(added: Ints, pairs: Ints, n: int) -> bool:
    return bool(np.isin(edge_keys(added, n), edge_keys(pairs.reshape(-1, 2), n)).any())


def _touches(found: Correspondence, vertices: Ints) -> bool:
    return any(bool(np.isin(edges, vertices).any()) for edges in (found.added, found.deleted))
