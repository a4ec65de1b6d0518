"""Small graphs: the best set once more where few levels change, or all a little, each time as an integer program."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats
from graphkit.effort import SECOND
from graphkit.networks.bounds.programs.windows import WindowProgram
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.graphs.ordering import canonical_edges

# more columns take longer to read than windows of them to solve
_COLUMNS = 40_000
_NARROWEST = 2
# the widest windows of the first pass and rounds of cuts after which each is left, and how both grow from pass to pass
_WIDEST, _WIDER = 4, 2
_ROUNDS, _MORE = 30, 3
# a window takes no longer, about, than this and a part of all work; if so many rounds of cuts do, it has to wait
_SOON, _SOON_IF_DENSE, _PART, _FEW = SECOND // 4, 2 * SECOND, 4, 10
# a band may take so many times as long and as many rounds: smaller sets are found once all rounds of its first linear
# program are over; each takes less than what it may, so that there is often time for a second look
_LONGER, _MORE_ROUNDS, _LOOKS = 2, 4, 2


class _Near(NamedTuple):
    """What is free: a window of neighbouring levels, or all of them within a band."""

    first: int
    end: int
    """The first level of a window, by descending degree, and the one behind the last."""
    moves: int = 0
    """How far everybody may move in a band; 0 for a window."""

    @property
    def width(self) -> int:
        """How many levels a window has; bands of 1, 2, 4, … are looked at with windows of 2, 3, 4, …"""
        return 1 + self.moves.bit_length() if self.moves else self.end - self.first

    def most(self, program: WindowProgram) -> Floats:
        """Return the largest value of each column of a program."""
        return program.near(self.moves) if self.moves else program.within(self.first, self.end)


_START = _Near(0, _NARROWEST)
_BANDS = [_Near(0, 0, moves) for moves in (1, 2, 4, 8)]


class LevelWindows:
    """A large neighbourhood search: few neighbouring levels are free, or all a little; the others stay.

    Parameters
    ----------
    view : GraphView
        A small graph.
    k : int
        Required block size, from 1 to the number of vertices.
    standing : Standing
        Its best set is looked at, and improved.

    Notes
    -----
    *Windows* of 2, 3, … neighbouring levels: those on them are free, the others stay. Most have no smaller set, which
    takes a hundred steps of the simplex method. One that has is looked at once more with that set, then its neighbours,
    narrower and wider ones are. *Bands*: everybody may move by 1, 2, 4, … degrees; smaller sets often have all levels
    a little lower. What takes longer is left after some rounds of cuts, and comes again with more of them when the
    others have been looked at.

    References
    ----------
    Shaw, Using constraint programming and local search methods to solve vehicle routing problems, CP 1998, for large
    neighbourhoods.
    """

    def __init__(self, view: GraphView, k: int, standing: Standing) -> None:
        self._positions, self._standing = Positions.of(view, k, view.vertex_count), standing
        self.is_dense = 4 * view.edge_count > view.vertex_count * (view.vertex_count - 1)
        """Whether most pairs are adjacent: there a sequence that ignores the graph can rarely be realized."""
        self._soon = _SOON_IF_DENSE if self.is_dense else _SOON

    def steps(self) -> Iterator[bool]:
        """Yield after each window or band; False where there is nothing to do for now."""
        standing, last = self._standing, _START
        while True:
            edges = standing.edges
            for near in self._looked_at(last):
                last = near or last
                yield near is not None
            if standing.edges is edges:
                last = _START
            while standing.edges is edges:
                yield False

    def _looked_at(self, last: _Near) -> Iterator[_Near | None]:
        """Look at windows and bands of the best set, from one on, until a smaller set stands.

        Yield each, and None where those that are left take too long for now.
        """
        standing, rounds, widest = self._standing, _ROUNDS, _WIDEST
        edges, program = standing.edges, self._program()
        program.charge(standing.budget)
        left = list(_all_near(program.levels, last)) if 0 < program.columns <= _COLUMNS else []
        # what a round of cuts takes of what was ended by their number; 0 of what was solved
        prices: dict[_Near, int] = {}
        while left:
            todo, left, is_idle = left, [], True
            for near in todo:
                for _ in self._looks(program, near, rounds, prices) if near.width <= widest else ():
                    is_idle = False
                    yield near
                    if standing.edges is not edges:
                        return
                if near not in prices or prices[near]:
                    left.append(near)
            left.sort(key=lambda near: near.width)
            if not is_idle:
                rounds *= _MORE
            elif left and left[-1].width <= widest:
                yield None
                if standing.edges is not edges:
                    return
            widest += _WIDER

    def _looks(self, program: WindowProgram, near: _Near, rounds: int, prices: dict[_Near, int]) -> Iterator[None]:
        """Solve a window or a band, if there is time for some rounds of cuts; yield after each try."""
        most, budget = near.most(program), self._standing.budget
        looks, few, soon = 1, _FEW, self._soon
        if near.moves:
            looks, few, soon, rounds = _LOOKS, near.width * few, _LONGER * soon, _MORE_ROUNDS * rounds
        for _ in range(looks):
            price = prices.get(near) or program.price(most)
            number = min(rounds, (soon + budget.work // _PART) // price)
            if number < few:
                return
            before = program.work
            found, is_cut = program.solved(most, number, budget)
            prices[near] = max(1, (program.work - before) // number) if is_cut else 0
            program.charge(budget)
            if found is not None:
                self._standing.offer(canonical_edges(found))
            yield
            if not is_cut or number == rounds:
                return

    def _program(self) -> WindowProgram:
        """Return the program of all sets smaller than the best one."""
        vertices, edges = self._positions.core.vertices, self._standing.edges
        place = np.argsort(vertices)
        raised = np.bincount(place[edges].ravel(), minlength=vertices.size)
        return WindowProgram(self._positions, self._positions.degrees + raised)


def _all_near(levels: int, last: _Near) -> Iterator[_Near]:
    """Yield what is as wide as the last one, in turn from there on, then what is narrower and wider."""
    begin, width = last.first, last.width
    widest = max(levels - 1, _BANDS[-1].width)
    for wide in (width, *range(_NARROWEST, width), *range(width + 1, widest + 1)):
        places = levels - wide + 1 if wide < levels else 0
        firsts = [(begin + i) % places for i in range(places)]
        windows = [_Near(first, first + wide) for first in firsts]
        bands = [band for band in _BANDS if band.width == wide]
        yield from bands + windows if last.moves else windows + bands
        begin = 0
