"""A lower bound where hubs lack few pairs: who of them is joined to whom, by an integer program.

Where hubs nearly all know each other, a hub that is raised finds few others that are raised as well; the inequalities
of Erdős and Gallai count pairs of which one end is in truth not raised at all, wherever a fractional solution is in
between. Elsewhere it sometimes tells apart what other bounds cannot.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.networks.bounds.programs.groups import choices_of, numbers_of_hubs
from graphkit.networks.bounds.programs.model import edges_of, number_of_columns
from graphkit.networks.bounds.programs.pairs import PairProgram, price_of_round
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.graphs.graph_view import GraphView

_CORE = 600
# a near-clique lacks this share of its pairs at most, and so many; other hubs lack fewer
_SHARE = 0.3
_NEAR_PAIRS = 10_000
_PAIRS = 2_500
_FEWEST = 12
_HUBS = (160, 112, 80, 56, 40, 28, 20, 14)
_COLUMNS = 80_000
# so many times the hubs of a near-clique, with those behind it; they lack as many pairs as others may at most
_WIDER = 1.75
# what their program proves beyond that of the near-clique, in demands, to be branched on instead
_MORE = 0.5
# a near-clique is asked first with no more than that
_FIRST = 10 * SECOND
# where degrees fall by less behind it, it is not told where it ends: programs of fewer hubs come first, the first of
# them one whose linear program takes that part of the work
_FALL = 0.2
_SMALL = 4
# what a part of its linear program tells is more than a smaller program does
_PART = 4
_ROUNDS = 30
_RUNS = 30
# with fewer rounds of cuts the integer program is not begun, and with so many it tells what it is worth
_LEAST_ROUNDS = 3
_ROUNDS_OF_CUTS = 8
# a program about a target serves for one that is not much smaller
_NEAR = 0.97
_WORK = 60 * SECOND
_SET_UP = SECOND // 10


class _Choice(NamedTuple):
    """What a program is made of."""

    hubs: int
    choices: tuple[Ints, Ints, Bools]
    least: int
    """Units below which it is not begun."""
    enough: int
    """Units with which it tells what it is worth."""


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
        near, self._wider, others = _numbers(self._positions)
        self._near_cliques = sorted(near)
        if near and 2 * self._wider <= 3 * max(near):
            # the degrees may fall most soon behind a near-clique; so few more tell nothing
            self._wider = 0
        self._sizes = sorted({*near, self._wider} - {0}) if near else sorted(others)
        """Numbers of hubs that are asked about."""
        self._is_gradual = bool(near) and _is_gradual(self._positions.degrees, max(near))
        self._target = self._least_target = 0
        self._known: dict[int, _Choice | None] = {}
        self._solved = 0
        """Hubs of the largest program that was solved to its end for this target; a smaller one says no more."""
        self._begun: dict[int, PairProgram] = {}
        """Programs about this target, by number of hubs."""

    @property
    def is_near_clique(self) -> bool:
        """Whether there are hubs that nearly all know each other."""
        return bool(self._near_cliques)

    def least_work(self, target: int) -> int:
        """Return the units with which the program of a near-clique tells what it is worth; 0 where there is none."""
        self._aim(target)
        found = self._choices(self._near_cliques)
        enough = (min(one.enough, _FIRST) for one in found[::-1] if one.least <= _FIRST)
        return next(enough, found[0].least if found else 0)

    def ask(self, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return :func:`hub_pairs_bound`, and whether more work may prove more."""
        if target <= known:
            return known, False
        self._aim(target)
        left = work
        while True:
            chosen, is_last = self._chosen(left)
            if chosen is None:
                budget.charge(_SET_UP)
                return known, not is_last
            if chosen.hubs not in self._begun:
                self._begun[chosen.hubs] = PairProgram(self._positions, chosen.hubs, *chosen.choices)
            program = self._begun[chosen.hubs]
            # what ends further below the best bound than that is below the target is not worth branching
            useful, before = 2 * (2 * known - target), program.linear
            is_new = not program.has_settled
            if is_new:
                program.value = program.relaxed(2 * self._target - 2, _ROUNDS, 2**62, budget, before + left, useful)
                known = max(known, min(edges_of(program.value), target))
                budget.charge(program.linear - before)
                left -= program.linear - before
            if known >= target:
                return known, False
            if not program.has_settled:
                return known, True
            if max(one.value for one in self._begun.values()) < useful:
                return known, False
            if not is_new:
                break
        known, is_cut = self._branched(program, target, known, left, budget)
        if not is_cut:
            self._solved = chosen.hubs
            self._begun = {hubs: one for hubs, one in self._begun.items() if hubs > chosen.hubs}
        return known, known < target and (is_cut or not is_last)

    def _aim(self, target: int) -> None:
        """Forget programs about another target, unless they are nearly as good for this one."""
        # what was asked about a smaller one holds for that one alone
        if not (_NEAR * self._target <= target <= self._least_target):
            self._target, self._solved, self._known, self._begun = target, 0, {}, {}
        self._least_target = target

    def _chosen(self, work: int) -> tuple[_Choice | None, bool]:
        """Return the program to go on with, if work suffices for any, and whether nothing comes after it.

        First the linear programs, of more and more hubs, the first one as large as the work allows for; then, of those
        that are solved, the one that proves most is branched on. Where there is a near-clique, one of fewer hubs than
        any of those would say little; after it come those who end among its last.
        """
        near, sizes = self._choices(self._near_cliques), self._sizes
        if near and self._solved >= near[-1].hubs:
            # those beyond say less for their work than all before
            beyond = near[-1].hubs + max(1, self._positions.k // 2)
            sizes = sorted({*sizes, min(beyond, self._positions.core.size)})
        left = self._choices(hubs for hubs in sizes if hubs > self._solved)
        margin = _SMALL if self._is_gradual else 1
        able = {one.hubs for one in left if margin * one.least <= work} | self._begun.keys()
        first = max(able - {self._wider}, default=0)
        best = None
        for one in left:
            program = self._begun.get(one.hubs)
            if program is not None and program.has_settled:
                if best is None or program.value > self._begun[best.hubs].value + _MORE:
                    best = one
            elif program is not None or (one.hubs >= first and one.least <= work):
                return one, one is left[-1]
            elif one.hubs >= first:
                # soon there is work for it
                return None if self._is_gradual and one.least <= 2 * work else best, False
        return best, best is None or best is left[-1]

    def _choices(self, sizes: Iterable[int]) -> list[_Choice]:
        """Return what the programs of these numbers of hubs are made of, but of those that are too large."""
        return [one for hubs in sizes if (one := self._choice(hubs)) is not None]

    def _choice(self, hubs: int) -> _Choice | None:
        """Return what the program of so many hubs is made of, or None if it is too large."""
        if hubs not in self._known:
            choices = choices_of(self._positions, hubs, 2 * self._target - 2, limit=_COLUMNS)
            size = _COLUMNS + 1 if choices is None else number_of_columns(self._positions, hubs, *choices[1:])
            self._known[hubs] = None
            if choices is not None and size <= _COLUMNS:
                pairs = int(self._positions.core.joinable[:hubs, :hubs].sum()) // 2
                linear = (size + pairs) * math.isqrt(size + pairs)
                least = linear // _PART if hubs in self._near_cliques and not self._is_gradual else linear
                enough = linear + _ROUNDS_OF_CUTS * price_of_round(size, pairs)
                self._known[hubs] = _Choice(hubs, choices, least, enough)
        return self._known[hubs]

    def _branched(self, program: PairProgram, target: int, known: int, work: int, budget: Budget) -> tuple[int, bool]:
        """Return what a program proves where levels and groups are whole, and whether it was ended before its end."""
        # a row that says what is known makes many solutions equal, and the solver's cuts weaker
        program.within(0, 2 * target - 2)
        used, is_cut = 0, False
        for _ in range(_RUNS):
            if known >= target or budget.is_spent():
                break
            is_cut = work - used < _LEAST_ROUNDS * program.price
            if is_cut:
                break
            value, is_cut, rounds = program.bounded(work - used, budget)
            used += rounds
            program.value = max(program.value, value)
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
        At least `known`; no more than that where the fewest hubs that are tried lack too many pairs.

    Notes
    -----
    *Program.* Groups, border b, levels, demands d and slack s of :func:`~.hub_program.hub_program_bound`, in its words,
    without its inequalities; and for every pair of hubs that is not adjacent, x from 0 to 1. With ``i_v = Σ_u x_uv``:
    u is joined to no more of any set of hubs than its demand and the size of the set, so to none without a demand; and
    for every R ⊆ H with r members

    ``Σ_R (d_v − i_v) ≤ Σ_{h ≤ i < b} (d_i − max(l_i − q_i, 0)) + t(b) − t_q(b) + s``.

    Minimize as there. Levels, groups and border are whole numbers.

    *Statement.* 2·size(S) is at least the least value.

    *Proof.* As there S gives groups, levels and a border, once levels are lowered to the next that occurs; let δ_v be
    what a vertex was lowered by, A the sum over H and B that over the others before b. Let x be the pairs of S in H,
    and take away at every v in H as many as it has above ``d_v − δ_v``: at most δ_v, at most A in all. What is left
    joins only those who have a demand, and at v no more than that. The edges of S from R to all outside H number
    ``Σ_R (d_v − i_v)``, and are at most ``Σ min(d_v, a_v)`` over those outside. Lowering takes Σ_R δ_v off the left
    side; each pair that is taken away adds one for the end it was taken away at, which the δ of that end makes up for
    if it is in R, and one for the other end, at most A in all. So it grows by A at most, while the right side shrinks
    by at most B, and grows by ``s = A + B + s₂``. ∎

    For each r, the r hubs with the largest ``d_v − i_v`` violate it most if all others may be joined to all of R: of
    those R, the one that violates its own inequality most is demanded.

    *Whole numbers.* Beside the rows of levels, what is violated of these is demanded: nobody is joined to more of a set
    than has room there (:class:`~graphkit.networks.bounds.programs.whole_rows.PartnerRows`), and of two that can lead a
    group, few places apart, not both are where they began
    (:class:`~graphkit.networks.bounds.programs.whole_rows.LeaderRows`). They say nothing new of whole solutions,
    and bring the linear program most of the way: 300 hubs that lack a tenth of their pairs, k = 10, 372 edges found:
    321 without, 344 with levels and leaders, 366 with all.

    *How many hubs.* The whole near-clique, as soon as there is work for its linear program; then a few more that may
    end among its last, or three quarters more: whose program proves more is branched on. Where degrees do not fall
    behind a near-clique it has no end, and the largest program takes most of the work for its linear program: those of
    its first half and its first 70 % come first, as long as there is work for the next (598 keywords, k = 10, 1781
    edges found: 1752, 1773 and 1764 after 1, 10 and 32 s). A linear program ends where its rounds show that it falls
    further short of what is known than that is below the target.

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


def _is_gradual(degrees: Ints, hubs: int) -> bool:
    """Return whether degrees fall by little behind so many hubs."""
    return hubs < degrees.size and bool(degrees[hubs] > (1 - _FALL) * degrees[hubs - 1])


def _numbers(positions: Positions) -> tuple[list[int], int, list[int]]:
    """Return numbers of first vertices that lack few of their pairs, descending; one of more, or 0; and others.

    These have few pairs at all.
    """
    joinable = positions.core.joinable
    lacking = np.cumsum(np.triu(joinable, 1).sum(axis=0))
    sizes = np.arange(1, joinable.shape[0] + 1)
    is_small = (sizes >= _FEWEST) & (lacking <= _PAIRS)
    is_near = (sizes >= _FEWEST) & (lacking <= np.minimum(_NEAR_PAIRS, _SHARE * sizes * (sizes - 1) / 2))
    others = [hubs for hubs in numbers_of_hubs(positions, _HUBS) if is_small[hubs - 1]] if is_small.any() else []
    if not is_near.any():
        return [], 0, others
    most = int(sizes[is_near][-1])
    found = numbers_of_hubs(positions, [most, round(0.7 * most), most // 2])
    # who is not in it lacks many of its pairs, which say little
    near = [hubs for hubs in found if is_near[hubs - 1]]
    wider = numbers_of_hubs(positions, [round(_WIDER * max(near, default=most))])[-1]
    return near, wider if is_small[wider - 1] else 0, [hubs for hubs in others if hubs < most]
