"""Small graphs to the end: an integer program with a variable for every new edge; it finds and proves the optimum."""

from typing import NamedTuple

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.programs.edge_relaxation import EdgeRelaxation
from graphkit.networks.bounds.programs.edges import EdgeParts, Told
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph_view import GraphView

_VERTICES = 600
_PAIRS = 10_000
_WORK = 60 * SECOND
# that of few more edges than are known is small, and those that tell more come after it
_LEAST, _LEAST_PER_COLUMN = 4 * SECOND, SECOND // 500
_SET_UP = SECOND // 50
# more columns take minutes, and tell nothing before that
_COLUMNS = 25_000
# parts of what is between bound and size that are aimed at first, and of the work that one aim is given
_PARTS, _SHARE = 16, 2
# so many rounds of cuts tell what it is worth; of few columns they close what is left
_FEW_COLUMNS, _ROUNDS_OF_FEW, _ROUNDS = 3_000, 100, 40
# so many edges are closed late
_FEW = 2
# what took no more than that part of the work is followed by twice as many more
_FAST = 4
# the linear program is that of sets so many times as far above what is known as the first aim
_AHEAD = 8
# looking for sets alone takes no more than that part of all work
_SEARCHED = 4


def integer_program_bound(
    view: GraphView, k: int, *, target: int, known: int = 0, work: int = _WORK, budget: Budget | None = None
) -> int:
    """Return a number of edges that every k-anonymizing set of new edges reaches, at most `target`.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    target : int
        Number of edges above which a bound is of no use, such as the size of a known solution.
    known : int, optional
        A bound that is known already.
    work : int, optional
        Units (:mod:`graphkit.effort`), about, after which the program is given up.
    budget : Budget, optional
        Is charged with the work, and ends the search early: what was proven until then is the answer.

    Returns
    -------
    int
        At least `known`; no more than that where the graph is not small.

    Notes
    -----
    *Program.* A binary variable for every pair of vertices that is not adjacent: whether it is a new edge. One for each
    vertex v and level l, whether v ends with degree l: v is on one level, and its new edges number ``l − D_v``. And one
    for each group: begin, end and level, k to 2k − 1 places. Groups follow one another from the first place to the
    last, and a level has as many vertices as its groups have places. There are fewer than `target` edges.

    *Statement.* Its whole points are the sets of fewer than `target` edges that make the graph k-anonymous, cut into
    groups in each way.

    *Proof.* Vertices by descending degree after the edges take places; blocks are cut into groups. The places of a
    level hold its vertices, whatever these began with. ∎

    Groups are what makes the linear program tell: without them a level has a share of its k vertices, and everybody
    stays where it is. What no sum below twice the target allows is left out, and nobody need end above one who has all
    its neighbours (:func:`~graphkit.networks.core.nested_neighbourhoods.nested_pairs`). 70 vertices, 95 % of all pairs
    adjacent, k = 15: 57 edges after half a second of search, 29 and the proof in one of this.

    *Aims.* The fewer edges there may be, the fewer groups and levels are left: that there are none of few more than are
    known is often proven before anything of the size of a first solution is, and small sets are found faster than large
    ones. So it is asked about few more first, and about twice as many more each time; between what is proven and what
    took too long, in halves. 150 vertices, 97 % of all pairs adjacent, k = 35: 294 edges after half a second of search;
    nothing told in twenty of the program of fewer than those, but 97 and the proof in one of fewer than 98.

    All aims have one linear program, that of the farthest of the next ones: rows that were found for one hold for all.

    *Parts.* Which degrees occur decides most of what a set costs. It is branched on first, and the linear programs have
    rows of whole solutions (:class:`~graphkit.networks.bounds.programs.edges.EdgeParts`). Sets are found near the
    solutions of linear programs (:mod:`~graphkit.networks.bounds.programs.edge_looks`), where all that is decided, or
    taken for it.

    *Rounding.* HiGHS computes in floating point; all numbers of the program are integers, and the row of the target has
    half an edge to spare. That is no proof in exact arithmetic. What it finds is checked.

    *Work.* Steps of the simplex method are charged; rounds of cuts, which the solver announces, end it. Both come the
    same on every machine. Without a time limit the answer depends on the input and `work` alone.

    References
    ----------
    Land, Doig, An automatic method of solving discrete programming problems, 1960, for branch and bound. Klein, Scholl,
    Computing lower bounds by destructive improvement, 1999, for aims below the size of a known solution.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> leaves = [(0, 5), (0, 6), (1, 7), (2, 8)]
    >>> integer_program_bound(as_view(clique + leaves), k=3, target=9)
    4
    """
    return IntegerProgram(view, k).ask(target, known, work, budget or Budget()).bound


class Answer(NamedTuple):
    """What the program says."""

    bound: int
    """Proven."""
    is_open: bool
    """Whether more work may prove more."""
    edges: Ints | None = None
    """Fewer than the target that make the graph k-anonymous."""
    searched: int = 0
    """Units that only looked for such edges."""


class IntegerProgram:
    """Asks the program of one graph, with as much work as is given each time.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    """

    def __init__(self, view: GraphView, k: int) -> None:
        self._positions = Positions.of(view, k, _VERTICES)
        self._relaxation: EdgeRelaxation | None = None
        self._programs: dict[int, EdgeParts] = {}
        """By what they aim at."""
        self._told: list[Told] = []
        self._undecided = 0
        self._dived_at = 0
        """The last aim whose linear program was rounded."""
        self._dived_for: int | None = None
        """The size of the best set after that."""
        self._searched = 0

    @staticmethod
    def suits(view: GraphView) -> bool:
        """Return whether a graph is so small that its program may be worth solving."""
        n = view.vertex_count
        return n <= _VERTICES and n * (n - 1) // 2 - view.edge_count <= _PAIRS

    def least_work(self, target: int, known: int) -> int:
        """Return the units with which it tells what it is worth; 0 where it is too large."""
        relaxation, program = self._aimed_at(known + _first_step(known, target), target, known)
        rounds = _ROUNDS_OF_FEW if program.columns <= _FEW_COLUMNS else _ROUNDS
        least = min(_LEAST, program.columns * _LEAST_PER_COLUMN)
        return max(program.usual_price * rounds, least) if _is_small(relaxation) else 0

    def ask(self, target: int, known: int, work: int, budget: Budget) -> Answer:
        """Return what is proven about sets of fewer than `target` edges, and such a set if one is found."""
        found: Ints | None = None
        end, undecided, is_open, searched = budget.work + work, target + 1, False, self._searched
        # what was not decided with less work comes first
        step = self._undecided - known if known < self._undecided < target else _first_step(known, target)
        while known < target and not is_open:
            aim = min(known + step, target)
            left = end - budget.work
            share = left if aim == target else min(left, work // _SHARE)
            relaxation, program = self._aimed_at(aim, target, known)
            before = relaxation.work
            edges, is_cut = None, False
            if _is_small(relaxation):
                edges, is_cut = self._solved(relaxation, program, target, known, share, budget)
            budget.charge(_SET_UP)
            relaxation.charge(budget)
            known = max(known, min(program.proven, aim))
            if edges is not None:
                found, target = edges, int(edges.shape[0])
            undecided = min(undecided, target + 1)
            if known < aim <= target:
                undecided = self._undecided = aim
                # with what is left it goes on, if that is enough
                if known + 1 == aim and (not is_cut or left == share or relaxation.work == before):
                    is_open = is_cut
                    break
            is_fast = _FAST * (left - end + budget.work) < work
            step = max(1, min(2 * step if is_fast else step // 2, (undecided - known) // 2))
            is_open = budget.work >= end and known < target
        return Answer(known, is_open, found, self._searched - searched)

    def _aimed_at(self, aim: int, target: int, known: int) -> tuple[EdgeRelaxation, EdgeParts]:
        """Return the program of all sets of fewer than `aim` edges, in that of all sets that may be aimed at next."""
        relaxation = self._relaxation
        if relaxation is None or aim > relaxation.limit or (aim < relaxation.limit and not _is_small(relaxation)):
            relaxation = EdgeRelaxation(self._positions, min(target, known + _AHEAD * (aim - known)))
            if not _is_small(relaxation):
                before, relaxation = relaxation.work, EdgeRelaxation(self._positions, aim)
                relaxation.work += before
            self._relaxation, self._programs = relaxation, {}
        program = self._programs.get(aim) or EdgeParts(relaxation, aim, self._told)
        # what aims at less is decided; where a set was found, it aims at less than it did
        left = (one for one in self._programs.values() if one.target > aim)
        self._programs = {aim: program, **{one.target: one for one in left}}
        return relaxation, program

    def _solved(
        self, relaxation: EdgeRelaxation, program: EdgeParts, target: int, known: int, work: int, budget: Budget
    ) -> tuple[Ints | None, bool]:
        """Return a set that was found, and whether the program was ended before its end."""
        end, edges, enough = relaxation.charged + work, None, relaxation.charged + work // _FAST
        if not program.is_relaxed and not (program.usual_price <= work and program.relax(end, budget)):
            return None, True
        while program.proven < program.target:
            # what is further below the best bound than that is below the target will not tell more
            far = 2 * known - target - _FEW
            is_slow = program.is_branched and relaxation.work > enough
            if program.reached < far or (is_slow and program.value < far):
                break
            # what comes next often ends before its rounds do
            if budget.is_spent() or not program.can_go_on or 2 * (end - relaxation.work) < program.length:
                return edges, True
            is_dived = program.can_dive and program.value >= far
            if is_dived and self._is_worth_diving(program.target, target, budget.work):
                before = relaxation.work
                found = self._dived(program, target, relaxation, budget)
                end += relaxation.work - before
            else:
                found = program.go_on(end, target, budget)
            if found is not None:
                edges, target = found, int(found.shape[0])
        return edges, False

    def _is_worth_diving(self, aim: int, target: int, work: int) -> bool:
        """Return whether to look for a set of fewer than `target` edges where the program of an aim has it, about."""
        # the same again tells little, until the aim is half as far from the size
        is_new = self._dived_for is None or target < self._dived_for or 2 * aim >= self._dived_at + target
        return is_new and target - aim >= _FEW and _SEARCHED * self._searched <= work

    def _dived(self, program: EdgeParts, target: int, relaxation: EdgeRelaxation, budget: Budget) -> Ints | None:
        before, self._dived_at = relaxation.work, program.target
        edges = program.dive(target, budget)
        self._searched += relaxation.work - before
        self._dived_for = target if edges is None else int(edges.shape[0])
        return edges


def _is_small(relaxation: EdgeRelaxation) -> bool:
    return relaxation.is_complete and relaxation.columns <= _COLUMNS


def _first_step(known: int, target: int) -> int:
    """Return how far above what is known to aim first."""
    return max(1, (target - known) // _PARTS)
