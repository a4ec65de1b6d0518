"""All checks of one release, in a fixed order."""

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify.claim import DegreeClaim, Terms
from graphkit.networks.verify.correspondence import correspondence
from graphkit.networks.verify.file_checks import simple_check, vertex_check
from graphkit.networks.verify.promises import anonymity_check, change_checks, trail_check
from graphkit.verification import Verification


def verify_release(
    claim: DegreeClaim,
    edges: Ints,
    vertices: Ints,
    original: SimpleGraph | None = None,
    published: Ints | None = None,
    terms: Terms | None = None,
) -> Verification:
    """Return the checks of a release against its claim.

    Parameters
    ----------
    claim : DegreeClaim
        What was promised in public.
    edges : ndarray of int64, shape (m, 2)
        Edges exactly as read back from the file: nothing sorted, dropped or merged.
    vertices : ndarray of int64
        Vertex ids exactly as read back; isolated vertices included.
    original : SimpleGraph, optional
        The graph that was protected; without it what was claimed about it fails.
    published : ndarray of int64, shape (n,)
        ``published[v]`` is the id under which vertex v of the original was published.
    terms : Terms, optional
        What was promised to the owner besides; nothing by default.

    Returns
    -------
    Verification
        `vertices` and `simple`, and only if these hold: `k-anonymous` (or `k-anonymous within the subset`),
        `k-anonymous with the earlier versions`, `contains the original`, `edges added`, `edges deleted`, `forbidden
        edges`, `forbidden vertices`, `degree increase`, each where it was promised. No text holds a protected value.

    Notes
    -----
    O(m log m). Degrees are counted here, anew, from the edges. A term that names a vertex that is not there fails:
    the verifier answers and does not raise.

    Examples
    --------
    >>> import numpy as np
    >>> claim = DegreeClaim(k=2, n=4)
    >>> original = SimpleGraph.from_edges([(0, 1)], n=4)
    >>> edges, published = np.array([[0, 1], [2, 3]]), np.array([2, 3, 0, 1])
    >>> verify_release(claim, edges, np.arange(4), original, published).passed
    True
    >>> never = Terms(forbidden_edges=np.array([[2, 3]]))
    >>> checks = verify_release(claim, edges, np.arange(4), original, published, never).checks
    >>> [check.name for check in checks if not check.passed]
    ['forbidden edges']
    """
    checks = [vertex_check(claim.n, vertices), simple_check(claim.n, edges)]
    if not all(check.passed for check in checks):
        return Verification(tuple(checks))
    terms = Terms() if terms is None else terms
    matched = correspondence(edges, claim.n, original, published)
    checks.append(anonymity_check(claim, edges, terms, matched))
    if claim.earlier:
        checks.append(trail_check(claim, terms, matched))
    return Verification((*checks, *change_checks(claim, terms, matched)))
