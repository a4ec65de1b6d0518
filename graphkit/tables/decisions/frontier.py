"""Which marginals could go out next, one alone, given what is out: between yes and no runs the frontier."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Bools
from graphkit.budget import Budget
from graphkit.parameters import check_time_limit
from graphkit.presentation import Presentable
from graphkit.tables.decisions.decision import DECISION_WORK, Answer, KnownBounds, decide_set
from graphkit.tables.decisions.frontier_order import most_informative, related
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes, mask_of, maximal_sets
from graphkit.tables.structure.lattice import MarginalLattice, MarginalStatus
from graphkit.tables.structure.lattice_positions import axes_of

_SHARE = 8
_LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Frontier(Presentable):
    """What is known of each marginal, should it be asked for next."""

    lattice: MarginalLattice
    """What is out, the total with it, and the marginals that must not go out."""
    releasable: Bools
    """Whether a marginal is proven to be releasable, alone; by its number in the lattice, shape (2^k,)."""
    maximal_releasable: tuple[Axes, ...]
    """The largest releasable ones: everything below one that is not out is releasable, too. Smallest first."""
    decisions: int
    """How many marginals were decided one by one; the others follow from these, and from what is out."""
    unsettled: tuple[Axes, ...]
    """Marginals that were tried, and neither answer was proven."""
    out_is_safe: bool | None
    """Whether what is out keeps the rules; if not, nothing more is releasable. None where that is not proven."""

    _figures = ("complete", "out_is_safe", "decisions")
    _derived = ("minimal_unreleasable", "complete")

    @property
    def minimal_unreleasable(self) -> tuple[Axes, ...]:
        """The smallest marginals that must not go out: nor must anything above one."""
        return self.lattice.unreleasable_frontier

    @property
    def undecided(self) -> Bools:
        """Whether nothing is proven of a marginal, by its number."""
        unknown: Bools = (self.lattice.statuses == MarginalStatus.UNDECIDED) & ~self.releasable
        return unknown

    @property
    def complete(self) -> bool:
        """Whether every marginal is decided."""
        return not self.undecided.any()

    def counts(self) -> dict[str, int]:
        """Return how many marginals are out, releasable, unreleasable and undecided; the total is out."""
        number = {
            "unreleasable": int((self.lattice.statuses == MarginalStatus.UNRELEASABLE).sum()),
            "releasable": int(self.releasable.sum()),
            "undecided": int(self.undecided.sum()),
        }
        return {"out": self.releasable.size - sum(number.values()), **number}


def find_frontier(
    table: ContingencyTable,
    released: Iterable[Iterable[str | int] | RecodedMarginal] = (),
    rules: DisclosureRules | None = None,
    *,
    present: KnownBounds | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    decision_limit: float | None = None,
    clock: Callable[[], float] | None = None,
    report: Callable[[int, int], None] | None = None,
    also: Callable[[Axes, Budget], Answer] | None = None,
    within: Iterable[str | int] | None = None,
) -> Frontier:
    """Return which marginals are releasable and which are not, each alone together with what is out.

    Parameters
    ----------
    table : ContingencyTable
    released : iterable of iterable of str or int, or RecodedMarginal
        Sets of variables whose marginals are out; also marginals with merged categories, which are not in the lattice.
    rules : DisclosureRules, optional
        What nobody may learn.
    present : KnownBounds, optional
        Bounds that were proven before from what is out.
    seed : int, optional
        Every decision begins with it: the same answers as of :func:`~graphkit.tables.decisions.decision.decide`.
    time_limit : float, optional
        Seconds, after which the rest is undecided; needs `clock`.
    decision_limit : float, optional
        Seconds for one decision; an eighth of the time limit at most, so that one hard marginal does not take it all.
        In any case, a decision has an eighth of the work of one that is asked for alone.
    clock : callable, optional
        Returns seconds, such as ``time.monotonic``.
    report : callable, optional
        Called with how many marginals are settled, and how many there are.
    also : callable, optional
        Another decision about a marginal, in so much time, where this one is to release it: both must. The answer may
        only become worse with more variables.
    within : iterable of str or int, optional
        Variables: marginals of these alone are decided, and nothing is proven of the others unless it follows.

    Raises
    ------
    InvalidInput
        If a variable or a named category is not there, the variables are too many, or there is a time limit without a
        clock.

    Notes
    -----
    More marginals leave fewer tables: what may go out may go out without some of its variables, and what may not, may
    not with more. So each answer settles others, and the next marginal is the one that will tell most
    (:func:`~graphkit.tables.decisions.frontier_order.most_informative`). Decided one by one are a third of the
    marginals of 8 variables and a tenth of those of 16. A decision takes milliseconds where what is out is
    decomposable; where it is not, and there are 16 variables, it takes seconds, time runs out, and what is not proven
    stays undecided.

    Examples
    --------
    >>> from graphkit.tables.structure.contingency import ContingencyTable
    >>> from graphkit.hierarchies.variable import Variable
    >>> shape = tuple(Variable(name, ("no", "yes")) for name in "abc")
    >>> table = ContingencyTable.from_dense([[[1, 6], [7, 8]], [[9, 10], [5, 1]]], shape)
    >>> found = find_frontier(table, ["ab", "ac"])
    >>> found.maximal_releasable, found.minimal_unreleasable, found.complete
    ((), ((1, 2),), True)
    """
    search = _Search(table, released, rules or DisclosureRules(), present, seed, also)
    if within is not None:
        search.narrow(mask_of(search.lattice.axes(within)))
    total = Budget(clock, time_limit)
    if decision_limit is not None:
        check_time_limit(decision_limit, "decision limit")
    limits = [seconds for seconds in (decision_limit, time_limit and time_limit / _SHARE) if seconds is not None]

    def budget() -> Budget:
        limit = min([*limits, max(total.remaining(), _LEAST)]) if limits else None
        return Budget(clock, limit, work_limit=DECISION_WORK // _SHARE)

    search.decide_out(budget())
    while not total.is_spent() and (number := search.next_number()) is not None:
        if report is not None:
            report(search.settled, search.undecided.size)
        search.decide(number, budget())
    return search.found()


class _Search:
    """What is known so far."""

    def __init__(
        self,
        table: ContingencyTable,
        released: Iterable[Iterable[str | int] | RecodedMarginal],
        rules: DisclosureRules,
        present: KnownBounds | None,
        seed: int,
        also: Callable[[Axes, Budget], Answer] | None,
    ) -> None:
        self.table, self.rules, self.present, self.seed, self.also = table, rules, present, seed, also
        known = {recoded(table, marginal) for marginal in released}
        # what follows from merged ones is out, too
        self.out = {marginal.plain_part for marginal in known} - {()}
        self.merged = {marginal for marginal in known if not marginal.is_plain}
        # the total is public
        self.lattice = MarginalLattice(table.names, [(), *self.out])
        self.undecided = self.lattice.statuses == MarginalStatus.UNDECIDED
        self.is_open = self.undecided.copy()
        self.by_answer: dict[Answer, list[int]] = {"release": [], "refuse": [], "undecided": []}
        self.sizes = np.zeros(1)
        for variable in table.variables:
            self.sizes = np.concatenate((self.sizes, self.sizes + np.log2(variable.size)))
        # sums of the same sizes in another order are the same size
        self.sizes = self.sizes.round(9)
        self.about_out: Answer = "undecided"
        self.wanted = np.ones_like(self.undecided)

    def narrow(self, number: int) -> None:
        """Decide nothing but one marginal and what is below it."""
        self.wanted = related(number, len(self.table.names), upward=False)
        self.is_open &= self.wanted

    @property
    def settled(self) -> int:
        """How many marginals are settled."""
        return int((~self.undecided).sum())

    def next_number(self) -> int | None:
        """Return the marginal to decide next; None where all are settled or tried."""
        if not self.is_open.any():
            return None
        return most_informative(self.is_open, self.undecided & self.wanted, self.sizes, self.by_answer)

    def decide_out(self, budget: Budget) -> None:
        """Decide about what is out alone: if that is too much, so is all else."""
        self.about_out = self._decide((), budget)
        if self.about_out == "refuse":
            self.by_answer["refuse"].append(0)
            self.undecided[:] = self.is_open[:] = False

    def decide(self, number: int, budget: Budget) -> None:
        """Decide one marginal, and settle what follows from the answer."""
        answer = self._decide(axes_of(number), budget)
        self.by_answer[answer].append(number)
        self.is_open[number] = False
        if answer != "undecided":
            follows = related(number, len(self.table.names), upward=answer == "refuse")
            self.undecided &= ~follows
            self.is_open &= ~follows

    def _decide(self, axes: Axes, budget: Budget) -> Answer:
        marginals: list[Axes | RecodedMarginal] = [*self.out, *self.merged]
        if axes:
            marginals.append(axes)
        rng = np.random.default_rng(self.seed)
        answer = decide_set(self.table, marginals, axes, self.rules, rng, budget, self.present).answer
        return self.also(axes, budget) if answer == "release" and self.also is not None else answer

    def found(self) -> Frontier:
        """Return what is known."""
        by = {answer: [axes_of(number) for number in numbers] for answer, numbers in self.by_answer.items()}
        lattice = MarginalLattice(self.table.names, [(), *self.out], by["refuse"])
        unknown = lattice.statuses == MarginalStatus.UNDECIDED
        safe = {"release": True, "refuse": False}
        return Frontier(
            lattice,
            unknown & ~self.undecided,
            tuple(sorted(maximal_sets(by["release"]), key=lambda axes: (len(axes), axes))),
            sum(axes != () for found in by.values() for axes in found),
            tuple(axes for axes in by["undecided"] if self.undecided[mask_of(axes)]),
            safe.get(self.about_out),
        )
