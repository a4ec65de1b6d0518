"""All bounds that are worth asking for, one after the other, each time with more work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count

from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.hub_program import ask_hub_program
from graphkit.networks.bounds.relaxed_erdos_gallai import relaxed_erdos_gallai_bound
from graphkit.networks.bounds.sequence import sequence_bound
from graphkit.networks.bounds.top_set import top_set_bound
from graphkit.networks.graph_view import GraphView
from graphkit.networks.standing import Standing
from graphkit.networks.work import COVERAGE_EDGE, LABEL, SECOND, SEQUENCE_STEPS, SIMPLEX_COLUMNS

__all__ = ["proving"]

_FIRST = SECOND // 4
# with less not even its linear program is solved
_FIRST_PROGRAM = SECOND
_GROWTH = 4
# what used less of its work than this ended by itself, and would end the same way with more
_CUT = 0.7

_Ask = Callable[[GraphView, int, Standing, int], tuple[int, bool]]
"""Returns a proven bound, and whether more work may prove more."""


def proving(view: GraphView, k: int, standing: Standing) -> Iterator[bool]:
    """Raise the bound of what stands, step by step.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size.
    standing : Standing
        Its size is what a bound aims at; its bound is raised.

    Yields
    ------
    bool
        Whether anything was asked. Where every bound has said all it can about the size that stands, there is nothing
        to do until the search finds a smaller one.

    Notes
    -----
    Each bound has its turn; one that used all of its work gets four times as much the next time. One that ended by
    itself is asked again when a smaller size stands.
    """
    yield standing.prove(sequence_bound(view.block_sequence(), k), "sequence") or True
    asked: dict[str, int] = {}
    quotas = dict.fromkeys(_WAYS, _FIRST) | {"hub-program": _FIRST_PROGRAM}
    for turn in count():
        worked = False
        for name, ask in _WAYS.items():
            # the program begins with what the others leave open
            if asked.get(name) == standing.size or (turn == 0 and name == "hub-program"):
                continue
            size = standing.size
            bound, is_open = ask(view, k, standing, quotas[name])
            standing.prove(bound, name)
            if is_open:
                quotas[name] *= _GROWTH
            else:
                asked[name] = size
            worked = True
            yield True
        if not worked:
            yield False


def _relaxed(view: GraphView, k: int, standing: Standing, quota: int) -> int:
    blocks = view.block_sequence()
    return relaxed_erdos_gallai_bound(blocks, k, work=quota * SEQUENCE_STEPS, budget=standing.budget)


def _diagram(view: GraphView, k: int, standing: Standing, quota: int) -> int:
    size, bound, work = standing.size, standing.bound, max(1, quota // LABEL)
    return group_diagram_bound(view, k, target=size, known=bound, work=work, budget=standing.budget)


def _top_set(view: GraphView, k: int, standing: Standing, quota: int) -> int:
    size, bound, work = standing.size, standing.bound, max(1, int(quota / COVERAGE_EDGE))
    return top_set_bound(view, k, target=size, known=bound, work=work, budget=standing.budget)


def _hub_program(view: GraphView, k: int, standing: Standing, quota: int) -> tuple[int, bool]:
    size, bound, work = standing.size, standing.bound, quota * SIMPLEX_COLUMNS
    return ask_hub_program(view, k, size, bound, standing.obstacles, work, standing.budget)


def _by_use(ask: Callable[[GraphView, int, Standing, int], int]) -> _Ask:
    """Return a bound that is cut short by its work as one that says so: if it used most of it."""

    def asked(view: GraphView, k: int, standing: Standing, quota: int) -> tuple[int, bool]:
        before = standing.budget.work
        bound = ask(view, k, standing, quota)
        return bound, standing.budget.work - before >= _CUT * quota

    return asked


_WAYS: Mapping[str, _Ask] = {
    "relaxed-erdos-gallai": _by_use(_relaxed),
    "group-diagram": _by_use(_diagram),
    "top-set": _by_use(_top_set),
    "hub-program": _hub_program,
}
