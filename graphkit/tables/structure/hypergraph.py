"""Hypergraphs of sets of variables: the largest sets, and whether they fit together like a tree."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole

Axes = tuple[int, ...]
"""Positions of variables, ascending, each once."""


def axes_named(variables: Iterable[str | int], names: Sequence[str]) -> Axes:
    """Return the positions of variables among all names, ascending: the same for every order of the variables.

    Parameters
    ----------
    variables : iterable of str or int
        Names or positions.
    names : sequence of str
        Those of all variables.

    Raises
    ------
    InvalidInput
        If there is no such variable, or one is there twice.

    Examples
    --------
    >>> axes_named(["c", 0], ["a", "b", "c"])
    (0, 2)
    """
    known = {name: axis for axis, name in enumerate(names)}
    found = []
    for variable in variables:
        axis = int(variable) if is_whole(variable) else known.get(str(variable), -1)
        if not 0 <= axis < len(names):
            raise InvalidInput(f"no variable '{variable}'; the table has {', '.join(names)}")
        found.append(axis)
    if len(set(found)) < len(found):
        raise InvalidInput("a marginal names a variable twice")
    return tuple(sorted(found))


def mask_of(axes: Iterable[int]) -> int:
    """Return a set of variables as a number: bit i stands for variable i.

    Examples
    --------
    >>> mask_of((0, 2))
    5
    """
    mask = 0
    for axis in axes:
        mask |= 1 << axis
    return mask


def maximal_sets(sets: Iterable[Axes]) -> tuple[Axes, ...]:
    """Return the sets that no other one contains, the largest first, then in lexicographic order.

    Parameters
    ----------
    sets : iterable of tuple of int
        In any order; one that is there twice counts once.

    Notes
    -----
    O(m² k) for m sets of up to k variables; O(m log m) where all have the same size.

    Examples
    --------
    >>> maximal_sets([(0,), (0, 1), (1, 2), (0, 1), ()])
    ((0, 1), (1, 2))
    """
    kept: list[Axes] = []
    masks: list[int] = []
    larger = 0
    for axes in sorted(set(sets), key=lambda axes: (-len(axes), axes)):
        if kept and len(kept[-1]) > len(axes):
            larger = len(kept)
        mask = mask_of(axes)
        # a set of the same size is no superset of another one
        if not any(mask & other == mask for other in masks[:larger]):
            kept.append(axes)
            masks.append(mask)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class PerfectSequence:
    """Hyperedges in an order in which each meets all before it inside a single one of them.

    Parameters
    ----------
    edges : tuple of tuple of int
        The hyperedges.
    separators : tuple of tuple of int
        What ``edges[i]`` shares with all hyperedges before it. One for each hyperedge but the first: a separator is
        there as often as it separates, and it is empty where the hypergraph falls apart.
    parents : tuple of int
        Place of a hyperedge before ``edges[i]`` that contains its separator; one for each hyperedge but the first.
    """

    edges: tuple[Axes, ...]
    separators: tuple[Axes, ...]
    parents: tuple[int, ...]


def perfect_sequence(sets: Collection[Axes]) -> PerfectSequence | None:
    """Return the maximal sets in a perfect sequence (running intersection ordering), or None: they are not acyclic.

    Parameters
    ----------
    sets : collection of tuple of int
        Sets of variables; those within another one are left out.

    Notes
    -----
    A tree over the hyperedges is a join tree if those that hold a variable hang together, for every variable. Every
    variable is then in one separator less than in hyperedges, and no tree has larger separators: the hypergraph is
    acyclic if and only if the separators of a maximum spanning tree add up to Σ|edge| − |variables|. Graham's reduction
    decides the same. A chordal graph is not enough: the three pairs of three variables are no acyclic hypergraph.
    O(k²) for k variables, after :func:`maximal_sets`: an acyclic hypergraph has at most k maximal sets.

    References
    ----------
    .. [1] C. Beeri, R. Fagin, D. Maier, M. Yannakakis, On the desirability of acyclic database schemes, JACM 30, 1983.
    .. [2] P. A. Bernstein, N. Goodman, Power of natural semijoins, SIAM J. Comput. 10, 1981.

    Examples
    --------
    >>> perfect_sequence([(1, 5), (0, 1, 2, 4), (0, 3, 4)])
    PerfectSequence(edges=((0, 1, 2, 4), (0, 3, 4), (1, 5)), separators=((0, 4), (1,)), parents=(0, 0))
    >>> perfect_sequence([(0, 1), (1, 2), (0, 2)]) is None
    True
    """
    edges = maximal_sets(sets)
    if not edges:
        return PerfectSequence((), (), ())
    masks = [mask_of(edge) for edge in edges]
    variables = mask_of(axis for edge in edges for axis in edge)
    if len(edges) > max(variables.bit_count(), 1):
        return None
    order, parents = _spanning_tree(masks)
    separators = [masks[edge] & masks[parent] for edge, parent in zip(order[1:], parents, strict=True)]
    if sum(map(len, edges)) - variables.bit_count() != sum(map(int.bit_count, separators)):
        return None
    place = {edge: number for number, edge in enumerate(order)}
    return PerfectSequence(
        tuple(edges[edge] for edge in order),
        tuple(
            tuple(axis for axis in edges[edge] if separator >> axis & 1)
            for edge, separator in zip(order[1:], separators, strict=True)
        ),
        tuple(place[parent] for parent in parents),
    )


def _spanning_tree(masks: list[int]) -> tuple[list[int], list[int]]:
    """Return the hyperedges as Prim's algorithm reaches them, most shared variables first, and each one's parent."""
    order, parents = [0], []
    best = {edge: (-(masks[edge] & masks[0]).bit_count(), edge, 0) for edge in range(1, len(masks))}
    while best:
        _, edge, parent = min(best.values())
        del best[edge]
        order.append(edge)
        parents.append(parent)
        for other, (size, _, _) in best.items():
            shared = (masks[other] & masks[edge]).bit_count()
            if shared > -size:
                best[other] = (-shared, other, edge)
    return order, parents
