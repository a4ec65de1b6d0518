"""Does everybody who is to be protected share the degree, or the trail of degrees, with k − 1 others?"""

from __future__ import annotations

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.verify.check import Check
from graphkit.networks.verify.claim import DegreeClaim, Terms
from graphkit.networks.verify.correspondence import Correspondence

__all__ = ["anonymity_check", "trail_check"]


def anonymity_check(claim: DegreeClaim, edges: Ints, terms: Terms, matched: Correspondence | str) -> Check:
    """Check that every degree in the scope of the claim is shared by k vertices of that scope."""
    if claim.scope == "whole":
        passed = _smallest_block(np.bincount(edges.ravel(), minlength=claim.n)) >= claim.k
        text = f"every degree that occurs occurs at least {claim.k} times"
        return Check("k-anonymous", passed, text if passed else f"a degree occurs fewer than {claim.k} times")
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
