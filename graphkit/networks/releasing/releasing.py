"""A network as it may be published: protected, relabelled, verified."""

from collections.abc import Callable
from typing import Any

import numpy as np

from graphkit.errors import BrokenClaim
from graphkit.machine import fresh_permutation
from graphkit.networks.driver import DEFAULT_METHOD, anonymize
from graphkit.networks.effort.progress import Progress
from graphkit.networks.graphs.interchange import as_named_graph
from graphkit.networks.releasing.relabelling import relabel
from graphkit.networks.releasing.released import ReleasedNetwork, ReleaseKey
from graphkit.networks.verify import DegreeClaim, Terms, verify_release


def release(
    graph: Any,
    k: int,
    *,
    method: str = DEFAULT_METHOD,
    seed: int | np.random.Generator = 0,
    effort: float | None = None,
    prove: bool = False,
    time_limit: float | None = None,
    gap: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> tuple[ReleasedNetwork, ReleaseKey]:
    """Return a version of a network that may be published, and the key that may not.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, sparse matrix, frame or array_like, shape (m, 2)
        The network; it is not changed. Names, weights and other attributes stay behind.
    k, method, seed, effort, prove, time_limit, gap, clock, progress : optional
        As for :func:`~graphkit.networks.driver.anonymize`.

    Returns
    -------
    released : ReleasedNetwork
        In it every degree that occurs occurs at least k times, and every edge of the original is there.
    key : ReleaseKey
        Who is who, and which edges are new.

    Raises
    ------
    InvalidInput
        As :func:`~graphkit.networks.driver.anonymize`.
    BrokenClaim
        If what would be released fails its check: our bug, and nothing is returned.

    Notes
    -----
    The new edges must not be distinguishable from the others: with them, the vertices that had the highest degrees can
    be found again. Adding `Anonymization.edges` to the original tells them: they come last, carry no attribute, and the
    vertices keep their order. Here the ids are a permutation drawn from the operating system's randomness, independent
    of `seed` and of any other release, and the edges are sorted by these ids, so their order tells nothing either. The
    new edges follow from the original and `seed`: keep both to yourself. A second release of the same network has other
    ids; both together may tell more than each alone.

    Examples
    --------
    >>> released, key = release([("ann", "bob"), ("bob", "eve"), ("dan", "fay")], k=2)
    >>> released
    ReleasedNetwork(k=2, vertices=5, edges=4, verified=True)
    >>> sorted(key.to_dict())
    ['ann', 'bob', 'dan', 'eve', 'fay']
    """
    original, names = as_named_graph(graph)
    result = anonymize(
        original,
        k,
        method=method,
        seed=seed,
        effort=effort,
        prove=prove,
        time_limit=time_limit,
        gap=gap,
        clock=clock,
        progress=progress,
    )
    published = fresh_permutation(original.n)
    network = relabel(original, result.edges, published)
    claim = DegreeClaim(k=k, n=original.n)
    terms = Terms(additions=result.size)
    verification = verify_release(claim, network.edges, np.arange(network.n), original, published, terms)
    if not verification.passed:
        raise BrokenClaim(f"what was to be released fails its check: {verification.failed}")
    # what was verified stays as it is
    network.edges.setflags(write=False)
    return ReleasedNetwork(network, claim, verification), ReleaseKey(published, names, result)
