"""A lower bound where hubs nearly all know each other: who of them is joined to whom, by an integer program.

Where hubs lack few pairs, a hub that is raised finds few others that are raised as well; the inequalities of Erdős and
Gallai count pairs of which one end is in truth not raised at all, wherever a fractional solution is in between.
"""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds._program_groups import choices_of, numbers_of_hubs
from graphkit.networks.bounds._program_model import edges_of, number_of_columns
from graphkit.networks.bounds._program_pairs import CALL, PAIR, PairProgram
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
# a near-clique lacks this share of its pairs at most, and so many; smaller ones other bounds can tell apart
_SHARE = 0.3
_PAIRS = 2_500
_FEWEST = 12
_COLUMNS = 60_000
_ROUNDS = 8
_RUNS = 30
# units that linear programs and the solver's preparations take, in rounds of cuts; with fewer rounds it is not begun
_FIRST_ROUNDS = 4
_LEAST_ROUNDS = 8
_WORK = 60 * SECOND
_SET_UP = SECOND // 10


class HubPairs:
    """Asks the program of one graph, with as much work as is given each time.

    Parameters
    ----------
    view : GraphView
        The graph.
    k : int
        Required block size, from 1 to the number of vertices.
    """

    def __init__(self, view: GraphView, k: int) -> None:
        self._positions = Positions.of(view, k, _CORE)
        self._near_cliques = _near_cliques(self._positions)

    @property
    def is_near_clique(self) -> bool:
        """Whether there are hubs that nearly all know each other; without any there is nothing to ask."""
        return bool(self._near_cliques)

    def least_work(self, target: int) -> int:
        """Return the units with which the program about a target tells what it is worth; 0 where there is none."""
        found = self._program(2 * target - 2)
        return 0 if found is None else found[1]

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return :func:`hub_pairs_bound`, and whether more work may prove more."""
        if target <= known:
            return known, False
        found = self._program(2 * target - 2)
        if found is None:
            return known, False
        (hubs, choices), least = found
        if work < least:
            budget.charge(_SET_UP)
            return known, True
        return self._asked(PairProgram(self._positions, hubs, *choices), target, known, work, budget)

    def _program(self, most: int) -> tuple[tuple[int, tuple[Ints, Ints, Bools]], int] | None:
        """Return what the largest program is made of, and the least work that it takes."""
        for hubs in self._near_cliques:
            choices = choices_of(self._positions, hubs, most, limit=_COLUMNS)
            size = _COLUMNS + 1 if choices is None else number_of_columns(self._positions, hubs, *choices[1:])
            if choices is not None and size <= _COLUMNS:
                pairs = int(self._positions.core.joinable[:hubs, :hubs].sum()) // 2
                return (hubs, choices), CALL * (size + PAIR * pairs) * _LEAST_ROUNDS
        return None

    def _asked(self, program: PairProgram, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        most = 2 * target - 2
        used = _FIRST_ROUNDS * program.price
        value = program.relaxed(most, _ROUNDS, 2**62, budget)
        known = max(known, min(edges_of(value), target))
        # a row that says what is known makes many solutions equal, and the solver's cuts weaker
        program.within(0, most)
        is_cut = False
        for _ in range(_RUNS):
            if known >= target or budget.is_spent():
                break
            value, is_cut, rounds = program.bounded(work - used, budget)
            used += rounds
            known = max(known, min(edges_of(value), target))
            if is_cut or not np.isfinite(value) or not program.separate():
                break
        budget.charge(used)
        return known, is_cut and known < target


def hub_pairs_bound(
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
        At least `known`; no more than that where no hubs nearly all know each other.

    Notes
    -----
    *Program.* Groups, border b, levels, demands d and slack s of :func:`~.hub_program.hub_program_bound`, in its words,
    without its inequalities; and for every pair of hubs that is not adjacent, x from 0 to 1. With ``i_v = Σ_u x_uv``:
    x_uv is at most 1 if u has a demand, and if v has one, else 0; ``i_v ≤ min(d_v, a_v)``, a_v how many hubs v is not
    adjacent to; and for every R ⊆ H with r members

    ``Σ_R (d_v − i_v) ≤ Σ_{h ≤ i < b} min(d_i, r) + t(b) − t_r(b) + s``.

    Minimize as there. Levels, groups and border are whole numbers.

    *Statement.* 2·size(S) is at least the least value.

    *Proof.* As there S gives groups, levels and a border, once levels are lowered to the next that occurs; let δ_v be
    what a vertex was lowered by, A the sum over H and B that over the others before b. Let x be the pairs of S in H,
    and take away at every v in H as many as it has above ``d_v − δ_v``: at most δ_v, at most A in all. What is left
    joins only those who have a demand, and at v no more than that. The edges of S from R to all outside H number
    ``Σ_R (d_v − i_v)``, and are at most ``Σ min(d_i, r)`` over those outside. Lowering takes Σ_R δ_v off the left side;
    each pair that is taken away adds one for the end it was taken away at, which the δ of that end makes up for if it
    is in R, and one for the other end, at most A in all. So it grows by A at most, while the right side shrinks by at
    most B, and grows by ``s = A + B + s₂``. ∎

    Which R is violated is told exactly: the r hubs with the largest ``d_v − i_v``, for each r.

    *Rounding* as there. *Work.* Rounds of cuts are counted, as the solver announces them; they come the same on every
    machine. Without a time limit the answer depends on the input and `work` alone.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> clique = [(i, j) for i in range(14) for j in range(i)]
    >>> leaves = [(0, 14), (0, 15), (1, 16), (1, 17), (2, 18)]
    >>> hub_pairs_bound(as_view(clique + leaves), k=3, target=9)  # nothing can be joined inside the clique
    1
    """
    return HubPairs(view, k).ask(target, known, work, budget or Budget())[0]


def _near_cliques(positions: Positions) -> list[int]:
    """Return numbers of first vertices that lack few of their pairs, descending."""
    joinable = positions.core.joinable
    lacking = np.cumsum(np.triu(joinable, 1).sum(axis=0))
    sizes = np.arange(1, joinable.shape[0] + 1)
    is_near = (sizes >= _FEWEST) & (lacking <= np.minimum(_PAIRS, _SHARE * sizes * (sizes - 1) / 2))
    if not is_near.any():
        return []
    most = int(sizes[is_near][-1])
    found = numbers_of_hubs(positions, [most, round(0.7 * most), most // 2])
    return [hubs for hubs in found if is_near[hubs - 1]]
