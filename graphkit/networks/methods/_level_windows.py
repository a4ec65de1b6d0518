"""Small graphs: the best set once more where few levels change, each time as an integer program."""

from collections.abc import Iterator

import numpy as np

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

_Window = tuple[int, int]
"""The first of some neighbouring levels, by descending degree, and the one behind the last."""


class LevelWindows:
    """A large neighbourhood search: windows of 2, 3, … neighbouring levels are free, the others stay.

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
    Most windows have no smaller set, which takes a hundred steps of the simplex method. One that has is looked at once
    more with that set, then its neighbours, narrower and wider ones are. What takes longer is left after some rounds
    of cuts, and comes again with more of them when the others have been looked at.

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
        """Yield after each window; False where there is nothing to do for now."""
        standing, last = self._standing, (0, _NARROWEST)
        while True:
            edges = standing.edges
            for window in self._looked_at(last):
                last = window or last
                yield window is not None
            if standing.edges is edges:
                last = (0, _NARROWEST)
            while standing.edges is edges:
                yield False

    def _looked_at(self, last: _Window) -> Iterator[_Window | None]:
        """Look at windows of the best set, from one on, until a smaller set stands.

        Yield each, and None where those that are left take too long for now.
        """
        standing, rounds, widest = self._standing, _ROUNDS, _WIDEST
        edges, budget = standing.edges, standing.budget
        program = self._program()
        program.charge(budget)
        windows = list(_windows(program.levels, last)) if 0 < program.columns <= _COLUMNS else []
        while windows:
            left = []
            for window in windows:
                if window[1] - window[0] > widest:
                    left.append(window)
                    continue
                most = program.within(*window)
                affordable = (self._soon + budget.work // _PART) // program.price(most)
                if affordable < _FEW:
                    left.append(window)
                    continue
                found, is_cut = program.solved(most, min(rounds, affordable), budget)
                program.charge(budget)
                if found is not None:
                    standing.offer(canonical_edges(found))
                yield window
                if standing.edges is not edges:
                    return
                if is_cut:
                    left.append(window)
            if len(left) < len(windows):
                rounds *= _MORE
            elif widest >= program.levels:
                yield None
                if standing.edges is not edges:
                    return
            widest += _WIDER
            windows = sorted(left, key=lambda window: window[1] - window[0])

    def _program(self) -> WindowProgram:
        """Return the program of all sets smaller than the best one."""
        vertices, edges = self._positions.core.vertices, self._standing.edges
        place = np.argsort(vertices)
        raised = np.bincount(place[edges].ravel(), minlength=vertices.size)
        return WindowProgram(self._positions, self._positions.degrees + raised)


def _windows(levels: int, last: _Window) -> Iterator[_Window]:
    """Yield the windows as wide as the last one, in turn from there on, then those that are narrower and wider."""
    begin, end = last
    width = end - begin
    for wide in (width, *range(_NARROWEST, width), *range(width + 1, levels)):
        places = levels - wide + 1
        for i in range(places if wide < levels else 0):
            first = (begin + i) % places
            yield first, first + wide
        begin = 0
