"""Anonymize a graph under constraints, with a proven bound or a proven no."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.networks.constraints import Constraints
from graphkit.networks.driver import check_k
from graphkit.networks.effort.progress import Progress, silent
from graphkit.networks.graphs.interchange import as_view
from graphkit.networks.variants.problem import Problem
from graphkit.networks.variants.result import ConstrainedAnonymization
from graphkit.networks.variants.search import Search


def anonymize_under(
    graph: Any,
    k: int,
    constraints: Constraints | None = None,
    *,
    allow: Collection[str] = ("add",),
    plausible: bool = False,
    seed: int | np.random.Generator = 0,
    time_limit: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> ConstrainedAnonymization:
    """Return changes after which every protected vertex shares its degree with k − 1 others, within the constraints.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph, GraphView or array of int, shape (m, 2)
        As for :func:`~graphkit.networks.driver.anonymize`.
    k : int
        Required block size, at least 2 and at most the number of protected vertices.
    constraints : Constraints, optional
        Who is protected, what must not be touched, how much a degree may grow, and what is out already.
    allow : collection of str, optional
        ``{"add"}``, or ``{"add", "delete"}``: whether edges may also be deleted, and so switched.
    plausible : bool, optional
        Whether, of equally many added edges, those are preferred that look like edges of the graph.
    seed : int or numpy.random.Generator, optional
        Same graph, k, constraints, seed and version: the same edges, as long as there is no time limit.
    time_limit, clock, progress : optional
        As for :func:`~graphkit.networks.driver.anonymize`.

    Returns
    -------
    ConstrainedAnonymization
        A valid answer, `optimal` when its size equals the proven bound; or `infeasible`, which is proven, with the
        reason.

    Raises
    ------
    InvalidInput
        If the graph, `k`, `seed` or a constraint cannot be used, or there is a time limit without a clock.
    LimitReached
        If no valid answer was found and none was proven not to exist.

    Notes
    -----
    *Infeasible* is said for three reasons only: a class of vertices that must be told apart by nothing but their degree
    has fewer than k vertices; no degrees within the constraints are k-anonymous
    (:func:`~graphkit.networks.variants.sequence.cheapest_levels`, a relaxation); or, for small networks, the integer
    program of :mod:`~graphkit.networks.variants.exact` has no solution.

    *The bound*: an edge that is added or deleted changes two degrees by one, so half the least total change of degrees,
    rounded up, is one. Where nothing is deleted and all vertices are protected, every answer is also one to the
    unconstrained problem, whose bound holds as well. For a subset X, let d be the growth of its vertices and i the part
    of it that leads to others of X. The new edges at X are ``Σ d − Σ i / 2``. Firstly ``i_v`` is at most the number of
    vertices of X that v is not tied to, so growth beyond that counts whole. Secondly i are the degrees of a graph: for
    any r vertices R the inequality of Erdős and Gallai gives ``Σ i ≤ r(r−1) + Σ_{v∉R} (min(r, d_v) + d_v)``, hence
    ``2·size ≥ Σ d + Σ_R (d_v + min(r, d_v)) − Σ min(r, d_v) − r(r−1)``, which is what
    :func:`~graphkit.networks.bounds.relaxed_erdos_gallai.relaxed_erdos_gallai_bound` minimizes.

    References
    ----------
    Chester, Gaertner, Stege, Venkatesh 2012 (subsets); Casas-Roma, Herrera-Joancomartí, Torra 2013 (deletions);
    Medforth, Wang 2011 (versions).

    Examples
    --------
    >>> import numpy as np
    >>> from graphkit.networks.constraints import Constraints
    >>> never = Constraints(forbidden_edges=np.array([[2, 3]]))
    >>> result = anonymize_under([(0, 1), (1, 2), (3, 4)], 2, never)
    >>> result.status, result.size
    ('optimal', 1)
    >>> anonymize_under([(0, 1), (1, 2)], 2, Constraints(max_increase=0)).status
    'infeasible'
    """
    budget = Budget(clock, time_limit)
    view = as_view(graph)
    check_k(view, k)
    limits = (constraints or Constraints()).checked(view.vertex_count, k)
    deletions = _deletions(allow)
    search = Search(Problem.of(view, k, limits, deletions=deletions), seed, budget, progress or silent, plausible)
    return search.result()


def _deletions(allow: Collection[str]) -> bool:
    if isinstance(allow, str) or set(allow) not in ({"add"}, {"add", "delete"}):
        raise InvalidInput("allow must be {'add'} or {'add', 'delete'}")
    return "delete" in allow
