"""Was nothing changed but what may be changed, and as much as was said?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.verify.check import Check
from graphkit.networks.verify.claim import DegreeClaim, Terms
from graphkit.networks.verify.correspondence import Correspondence
from graphkit.networks.verify.file_checks import edge_keys

__all__ = ["change_checks"]

Test = Callable[[Correspondence], bool]


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
