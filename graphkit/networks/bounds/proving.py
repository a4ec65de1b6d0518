"""All bounds that are worth asking for, where they raise what is proven, each time with more work."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graphkit.effort import SECOND
from graphkit.networks.bounds.graphic_sequences import GraphicSequences
from graphkit.networks.bounds.group_diagram import group_diagram_bound
from graphkit.networks.bounds.group_tree import GroupTrees
from graphkit.networks.bounds.hub_pairs import HubPairs
from graphkit.networks.bounds.hub_program import ask_hub_program
from graphkit.networks.bounds.integer_program import IntegerProgram
from graphkit.networks.bounds.relaxed_erdos_gallai import relaxed_erdos_gallai_bound
from graphkit.networks.bounds.sequence import sequence_bound
from graphkit.networks.bounds.top_set import TopSets
from graphkit.networks.effort.standing import Standing
from graphkit.networks.effort.work import (
    COVERAGE_EDGE,
    LABEL,
    RISING,
    SEQUENCE_STEPS,
    SIMPLEX_COLUMNS,
    SMALL_GAP,
    unpaid,
)
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import canonical_edges

_FIRST = SECOND // 4
# with less not even its linear program is solved
_FIRST_PROGRAM = SECOND
_GROWTH = 4
# of those whose questions take longer than they are given, and end soon after the work that they need; and of those
# that ask the first part again before they go on
_GROWTH_PROGRAM = 2
# one way is worth most, an integer program even more; but what the others tell with a second of work comes first
_EARLY = {"group-tree": 4, "hub-pairs": 8, "integer-program": 16}
# hubs that know one part in so many of all vertices, or more, hardly find others
_SCARCE = 2
# a program of all edges that takes longer waits for what the others tell
_LONG = 6 * SECOND
# from here on a group is large
_LARGE = 20
# so the last question takes no more than half of what is allowed beyond that
_PART = 2
# how fast one rises is told by so many questions
_STEPS = 4
# what used less of its work than this ended by itself, and would end the same way with more
_CUT = 0.7

_Ask = Callable[[Standing, int], tuple[int, bool]]
"""Returns a proven bound, and whether more work may prove more."""


@dataclass(slots=True)
class _Way:
    """One way to prove a bound, what it has cost, and what it would cost to ask it once more."""

    name: str
    ask: _Ask
    enough: int
    """Work with which it tells what it is worth."""
    quota: int = _FIRST
    growth: int = _GROWTH
    idle: int = 0
    """Units that what it raised the bound by has not paid for."""
    price: int = _FIRST
    """About what the same question takes."""
    is_due: bool = False
    """Whether it has that work however small the gap is."""
    is_whole: bool = False
    """Whether it says all there is to say: what it has cost counts as little as what comes, which may be longer."""
    early: int = 1
    """It is asked when others have spent this share of what it takes."""
    tried: int | None = None
    """The size that it was last asked about."""
    is_open: bool = False
    """Whether it was cut short by its work then; otherwise it has said all it can about that size."""
    given: int = 0
    """Units so far."""
    has_ended: bool = False
    is_behind: bool = False
    """Whether others have proven so much more that it is not asked again."""
    told: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_STEPS))
    """What it said in the last questions that was not known already, and the units that it had had by then."""
    is_rising: bool = False
    """Whether its own bound rose so fast that, given as much as all have been, it would overtake what is proven, or
    reach the size if it is the best."""

    @property
    def is_new(self) -> bool:
        """Whether it has not yet had the work that tells what it is worth."""
        return not self.has_ended and self.given < self.enough

    def goes_on_at(self, size: int) -> bool:
        """Return whether the next question is the last one with more work; one about a smaller size is another.

        Of all sets of a small graph few edges are asked about first: the same of every size.
        """
        return self.is_open and (self.is_whole or self.tried == size)

    def length_at(self, size: int) -> int:
        """Return about what the next question takes."""
        return self.growth * self.price if self.goes_on_at(size) else self.price

    def price_at(self, size: int) -> int:
        """Return what the next question counts where it is chosen."""
        return self.length_at(size) // self.early

    def cost_at(self, size: int) -> int:
        """Return what it counts, with its next question: who has cost least is next."""
        return self.price_at(size) + self.idle // (self.early if self.is_whole else 1)

    def is_short(self, size: int, work: int) -> bool:
        """Return whether the next question is a new one, or takes no more than a part of all work.

        A new one that says all there is to say can be so long that the search goes on first; others are asked then.
        """
        length = self.length_at(size)
        if self.goes_on_at(size):
            return length <= work // (1 if self.is_whole else _PART)
        return not self.is_whole or length <= RISING * work

    def ask_about(self, standing: Standing) -> None:
        """Ask it once, with more work if it was cut short at the same size."""
        size, gap, before = standing.size, standing.size - standing.bound, standing.budget.work
        if self.goes_on_at(size):
            self.quota *= self.growth
        elif self.tried != size:
            self.idle = 0
        self.tried = size
        bound, self.is_open = self.ask(standing, self.quota)
        used = standing.budget.work - before - standing.searched
        self.given += used
        # what is known says nothing of its own bound, and a first answer nothing of how fast that rises
        last = self.told[-1][0] if self.told else 0
        own = last if bound == standing.bound else bound
        first, before_given = self.told[0] if self.told else (own, 0)
        rise = own - first
        if own:
            self.told.append((own, self.given))
        standing.prove(bound, self.name)
        pace = rise * standing.budget.work // max(1, self.given - before_given)
        # the best one of all is to overtake the size
        ahead = standing.bound - bound or standing.size - standing.bound
        self.is_rising = rise > 0 and self.is_open and pace >= ahead
        spent = used // RISING if self.is_rising else used
        self.idle = unpaid(self.idle + spent, gap, standing.size - standing.bound)
        # what was cut short would have used all that it is given
        self.price = max(used, self.quota) if self.is_open else used
        self.has_ended |= not self.is_open
        # further behind the best bound than that is from the size
        is_far = bound + standing.size < 2 * standing.bound
        self.is_behind = is_far and not (self.is_rising or self.is_new)


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
    Next comes the bound that has cost least, its next question included. What it cost is forgotten in the measure of
    what it proves (:func:`~graphkit.networks.effort.work.unpaid`): one that gains a little each time does not keep
    another waiting that gains more at once. One that was cut short by its work gets more of it the next time, if the
    same size stands; one that ended by itself is asked again when a smaller one does. The standing says what the next
    question takes, and whether a bound has not yet had the work that tells what it is worth.
    """
    standing.prove(sequence_bound(view.block_sequence(), k), "sequence")
    pairs = HubPairs(view, k)
    least = pairs.least_work(standing.size) or _FIRST_PROGRAM
    kinds = {
        **_KINDS,
        "hub-pairs": _Kind(lambda view, k: _hub_pairs(pairs), lambda k: least, first=least, growth=_GROWTH_PROGRAM),
    }
    # where hubs nearly all know each other the program of their pairs tells most, of many of them, unless these know so
    # many that partners are scarce elsewhere; where they do not, the tree
    is_scarce = _SCARCE * (view.block_sequence().size - 1) >= view.vertex_count
    early = {"group-tree"}
    if pairs.is_near_clique:
        early = set() if is_scarce else {"hub-pairs"}
    if IntegerProgram.suits(view):
        program = IntegerProgram(view, k)
        length = program.least_work(standing.size, standing.bound)
        kinds["integer-program"] = _Kind(
            lambda view, k: _integer_program(program),
            lambda k: length,
            first=length or _FIRST_PROGRAM,
            growth=_GROWTH_PROGRAM,
        )
        if 0 < length <= _LONG:
            # that of all edges says all that the one of the pairs of hubs does
            early = (early - {"hub-pairs"}) | {"integer-program"}
    ways = [
        _Way(
            name,
            kind.make(view, k),
            kind.enough(k),
            quota=kind.first,
            growth=kind.growth,
            price=kind.first,
            early=_EARLY[name] if name in early else 1,
            is_due=kind.is_due,
            is_whole=name == "integer-program" and name in early,
        )
        for name, kind in kinds.items()
    ]
    _announce(standing, ways)
    yield True
    while True:
        way = _announce(standing, ways)
        if way is not None:
            way.ask_about(standing)
            _announce(standing, ways)
            # what says all there is to say finds sets as well
            standing.is_rising = way.is_rising or (way.is_whole and way.is_open)
        yield way is not None


def _announce(standing: Standing, ways: Sequence[_Way]) -> _Way | None:
    """Return who is asked next, and let the standing say what comes."""
    able = [way for way in ways if (way.is_open or way.tried != standing.size) and not way.is_behind]
    size = standing.size
    # more work for the same question waits, unless there is nothing else to do
    short = [way for way in able if way.is_short(size, standing.budget.work)]
    way = min(short or able, key=lambda way: way.cost_at(size), default=None)
    standing.next_question, standing.next_length = (way.price_at(size), way.length_at(size)) if way else (0, 0)
    # a small gap is not worth every bound
    standing.is_questioning = any(way.is_new and (way.is_due or standing.gap > SMALL_GAP) for way in able)
    return way


def _relaxed(view: GraphView, k: int) -> _Ask:
    blocks = view.block_sequence()
    return _by_use(
        lambda standing, quota: relaxed_erdos_gallai_bound(
            blocks, k, work=quota * SEQUENCE_STEPS, budget=standing.budget
        )
    )


def _graphic(view: GraphView, k: int) -> _Ask:
    ask = GraphicSequences(view, k).ask
    return lambda standing, quota: ask(standing.size, standing.bound, quota, standing.budget)


def _diagram(view: GraphView, k: int) -> _Ask:
    return _by_use(
        lambda standing, quota: group_diagram_bound(
            view, k, target=standing.size, known=standing.bound, work=max(1, quota // LABEL), budget=standing.budget
        )
    )


def _top_set(view: GraphView, k: int) -> _Ask:
    ask = TopSets(view, k).ask
    return lambda standing, quota: ask(
        standing.size, standing.bound, max(1, int(quota / COVERAGE_EDGE)), standing.budget
    )


def _tree(view: GraphView, k: int) -> _Ask:
    trees = GroupTrees(view, k)

    def ask(standing: Standing, quota: int) -> tuple[int, bool]:
        told = trees.ask(standing.size, standing.bound, quota, standing.budget)
        standing.first_groups = trees.first_groups
        return told

    return ask


def _hub_program(view: GraphView, k: int) -> _Ask:
    return lambda standing, quota: ask_hub_program(
        view, k, standing.size, standing.bound, standing.violated_sets, quota * SIMPLEX_COLUMNS, standing.budget
    )


def _hub_pairs(pairs: HubPairs) -> _Ask:
    return lambda standing, quota: pairs.ask(standing.size, standing.bound, quota, standing.budget)


def _integer_program(program: IntegerProgram) -> _Ask:
    def ask(standing: Standing, quota: int) -> tuple[int, bool]:
        answer = program.ask(standing.size, standing.bound, quota, standing.budget)
        if answer.edges is not None:
            standing.offer(canonical_edges(answer.edges))
        standing.searched = answer.searched
        return answer.bound, answer.is_open

    return ask


def _by_use(ask: Callable[[Standing, int], int]) -> _Ask:
    """Return a bound that is cut short by its work as one that says so: if it used most of it."""

    def asked(standing: Standing, quota: int) -> tuple[int, bool]:
        before = standing.budget.work
        bound = ask(standing, quota)
        return bound, standing.budget.work - before >= _CUT * quota

    return asked


class _Kind(NamedTuple):
    """How a way begins, and what it is given."""

    make: Callable[[GraphView, int], _Ask]
    enough: Callable[[int], int]
    """Work with which it tells for this k what it is worth."""
    first: int = _FIRST
    growth: int = _GROWTH
    is_due: bool = False


_KINDS: Mapping[str, _Kind] = {
    "relaxed-erdos-gallai": _Kind(_relaxed, lambda k: _FIRST // 2),
    "graphic-sequences": _Kind(_graphic, lambda k: _FIRST, growth=1),
    "group-diagram": _Kind(_diagram, lambda k: SECOND),
    # the larger the groups, the longer it takes to look at one of its windows to the end, and the more that tells
    "top-set": _Kind(_top_set, lambda k: SECOND * max(1, k // _LARGE), growth=_GROWTH_PROGRAM),
    # it goes on where it stopped, a few thousand beginnings in that time, and closes small gaps as well as large ones
    "group-tree": _Kind(_tree, lambda k: 4 * SECOND, growth=1, is_due=True),
    # the program begins with what the others leave open
    "hub-program": _Kind(_hub_program, lambda k: _FIRST_PROGRAM, _FIRST_PROGRAM, _GROWTH_PROGRAM),
}
