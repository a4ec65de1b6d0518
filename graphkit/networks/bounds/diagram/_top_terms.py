"""What the inequality of the highest vertices says of a beginning of groups: all before a border, whoever they are."""

from graphkit.effort import SECOND
from graphkit.networks.bounds.top_sets.weight import LEADERS, Place, TopSetWeight, Wanted
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.effort.work import COVERAGE_EDGE

# units of a question, beside what its programs take
_QUESTION = 100
# units that may be spent before it is known what questions are worth, and what is saved where one reaches the target
_FIRST = SECOND // 4
_WORTH = 6_000
# edges that the linear programs of a question may have
_MOST = 5_000


class TopTerms:
    """The second term of :mod:`graphkit.networks.bounds.top_set` at borders of a tree of groups.

    Parameters
    ----------
    positions : Positions
        The highest vertices, and the degrees of all.
    """

    def __init__(self, positions: Positions) -> None:
        self._weight = TopSetWeight(positions, _MOST)
        self._leaders = [lead for lead in LEADERS if lead <= positions.k]
        self._liked = 0
        self._allowed = _FIRST
        """Units that questions may take, with what they were worth so far."""

    def value(self, border: int, forced: int, goal: int, cost: int, *, known: int, target: int) -> tuple[int, int]:
        """Return what all demand at least with these groups before a border, and the units that it took.

        Parameters
        ----------
        border : int
            All before it are asked about.
        forced : int
            So many positions are before it in any case: those of a degree above that of the group behind.
        goal : int
            The degree of the group behind, at least.
        cost : int
            What the positions before the border demand at least.
        known, target : int
            No less is of use, and no more.

        Notes
        -----
        Where the answers seldom reach the target nothing is asked: what is known is the answer.
        """
        if self._allowed <= 0:
            return known, 0
        weight, best = self._weight, known
        # no question is cut short: the next ones wait
        before = weight.took
        # the one that told most is nearly always near the one that tells most
        for leaders in sorted(self._leaders, key=lambda lead: abs(lead - self._liked)):
            if leaders > forced:
                continue
            place = Place(forced, border, leaders, start=0, own=0, raised=0)
            most = 2 * cost + weight.excess(place, goal, cost)
            told = most - weight.taken(place, Wanted(most - target, most - best))
            if told > best:
                best, self._liked = told, leaders
            if best >= target:
                self._allowed += _WORTH
                break
        used = round((weight.took - before) * COVERAGE_EDGE) + _QUESTION
        self._allowed -= used
        return best, used
