"""Changes of the borders of groups whose vertices keep their order: a few cut at random, or a run of them cheaply."""

from graphkit.arrays import Ints, Words
from graphkit.kernels import in_place
from graphkit.networks.methods._level_moves import draw
from graphkit.networks.methods._levels import Levels, next_level, set_level
from graphkit.networks.sequences.group_costs import UNREACHABLE

_LARGE = 8
_RUN = 14
"""Groups beyond the second one that are cut cheaply at once, at most."""
UNIT = 16
"""Cost of a unit of demand, where a missing partner costs a weight of about as much."""


@in_place
def recut(state: Levels, k: int, random: Words, v: int) -> bool:
    """Cut up to three neighbouring groups anew at random; return whether every level has k then."""
    groups = 1 + draw(random, 3)
    n = _in_order(state, state.levels[v], groups, _LARGE * k)
    if n < k:
        return False
    parts: int = max(1, min(n // k, groups - 1 + draw(random, 3)))
    spare, start = n - parts * k, 0
    for part in range(parts):
        more = spare
        if part < parts - 1:
            more = draw(random, spare + 1)
            if more > 1 and draw(random, 2) == 0:
                more //= 2
        spare -= more
        end = start + k + more
        _join(state, start, end)
        start = end
    return True


@in_place
def regroup(state: Levels, k: int, random: Words, v: int, weight: int) -> int:
    """Cut a run of neighbouring groups anew as cheaply as can be, every other time behind a first group by chance.

    Returns
    -------
    int
        Steps that it took; of a run that is too short none, and nothing changes.

    Notes
    -----
    Where one border moves, those behind it are often better off elsewhere, too; one by one each of these changes is for
    the worse. One violated set is relaxed into the cost (:func:`cheapest_cut`), the worst one or any, by a multiplier
    that is drawn.
    """
    n = _in_order(state, state.levels[v], 2 + draw(random, _RUN), state.order.size)
    if n < 2 * k:
        return 0
    chosen = draw(random, state.kept[0])
    if draw(random, 2) == 0:
        for i in range(state.kept[0]):
            if state.excess[i] > state.excess[chosen]:
                chosen = i
    steps = cheapest_cut(state, k, n, chosen, draw(random, weight + 1))
    start, end = 0, state.ends[0]
    if draw(random, 2) == 0:
        by_chance = k + draw(random, k)
        if state.costs[by_chance] < UNREACHABLE:
            end = by_chance
    while start < n:
        _join(state, start, end)
        start, end = end, state.ends[end]
    return steps


@in_place
def cheapest_cut(state: Levels, k: int, n: int, chosen: int, price: int) -> int:
    """Cut the first n vertices of `order` into groups of the least cost; return the steps that it took.

    Parameters
    ----------
    state : Levels
        The cost of the groups from each place on, and the end of the first one of them, are written into `costs` and
        `ends`.
    k : int
        Least size of a group; the largest is 2k − 1, as a larger one could be two that ask for no more.
    n : int
        At least k.
    chosen : int
        A violated set.
    price : int
        What its excess costs, where a unit of demand costs 16.

    Notes
    -----
    Dynamic program from the last place to the first, O(n k) unless a vertex stands before one of higher degree. Each
    group ends at the highest degree in it. As :func:`~graphkit.networks.sequences.group_costs.best_groups`, but
    without an array of its own, and for vertices in any order.
    """
    costs, ends, order = state.costs, state.ends, state.order
    costs[n], ends[n] = 0, n
    steps = 0
    for start in range(n - 1, -1, -1):
        costs[start] = UNREACHABLE
        first, done, cost = order[start], start, 0
        for end in range(start + k, min(start + 2 * k, n + 1)):
            if costs[end] >= UNREACHABLE:
                continue
            before = first
            for i in range(done, end):
                first = min(first, order[i])
            if first != before:
                done, cost = start, 0
            for i in range(done, end):
                v = order[i]
                demand, cap = state.degrees[first] - state.degrees[v], state.caps[v, chosen]
                cost += UNIT * demand + price * (demand if cap < 0 else -min(demand, cap))
            steps += end - done
            done = end
            if cost + costs[end] < costs[start]:
                costs[start], ends[start] = cost + costs[end], end
    return steps


@in_place
def _in_order(state: Levels, level: int, groups: int, most: int) -> int:
    """Write the vertices of neighbouring groups, downwards from a level, into `order`; return how many.

    It ends before a group that others than the first w positions are in, or with which there are more than `most`.
    """
    n, order = 0, state.order
    for _ in range(groups):
        if level < 0 or state.sizes[level] != state.inside[level] or n + state.inside[level] > most:
            break
        begin = n
        for i in range(state.inside[level]):
            order[n] = state.members[level, i]
            n += 1
        _sort(order, begin, n)
        level = next_level(state, level, -1)
    return n


@in_place
def _join(state: Levels, start: int, end: int) -> None:
    """Let the vertices at these places of `order` end at the highest degree among them."""
    # positions descend by degree: the lowest position has the highest
    first = state.order[start]
    for i in range(start + 1, end):
        first = min(first, state.order[i])
    for i in range(start, end):
        set_level(state, state.order[i], state.degrees[first])


@in_place
def _sort(numbers: Ints, begin: int, end: int) -> None:
    """Sort numbers in place (Shell's method): what :func:`numpy.sort` returns is a new array."""
    gap = (end - begin) // 2
    while gap > 0:
        for i in range(begin + gap, end):
            number, at = numbers[i], i
            while at - gap >= begin and numbers[at - gap] > number:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = number
        gap //= 2
