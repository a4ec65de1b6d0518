"""Search and proof take turns, by counted work: more of it goes further along one and the same way."""

from collections.abc import Iterator

from graphkit.networks.effort.standing import Standing
from graphkit.networks.effort.work import RISING, STEP, patience_of, unpaid

Steps = Iterator[bool]
"""Work in steps, each charged to the budget; gives whether there was anything to do for now."""


class _Side:
    """The search or the proof, and what it has cost."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.idle = 0
        """Units that no gain has paid for."""
        self.rests_at: int | None = None
        """The size of the best set at which there was nothing to do."""
        self.ended = False
        self.seconds = 0.0

    def is_able(self, size: int) -> bool:
        return not self.ended and self.rests_at != size


def _is_young(standing: Standing, proof: _Side) -> bool:
    """Return whether something that is always tried was not tried yet."""
    return standing.is_opening or (standing.is_questioning and proof.is_able(standing.size))


def _ahead(standing: Standing) -> int:
    """Return what the next question counts where it takes more than all work so far.

    As long as a bound has not had its say that is a part of it: the question may tell most, but it is a smaller one
    about a better set, which the search often finds with less work than that.
    """
    if standing.next_length <= standing.budget.work:
        return 0
    return standing.next_length // RISING if standing.is_questioning else standing.next_question


def take_turns(standing: Standing, search: Steps, proof: Steps, units: int, *, patient: bool) -> tuple[float, float]:
    """Let search and proof improve what stands, until it is proven, good enough, or the work is done.

    Parameters
    ----------
    standing : Standing
        Is changed.
    search, proof : iterator of bool
        Their steps.
    units : int
        Units of work after which no step begins.
    patient : bool
        Whether to go on to the last unit; else it ends as well once nothing was gained for long
        (:func:`~graphkit.networks.effort.work.patience_of`).

    Returns
    -------
    tuple of float
        Seconds that search and proof took, by the budget's clock.

    Notes
    -----
    The side goes on that has cost less. What it cost is forgotten in the measure of what it gains: all of it where half
    of what was between size and bound is closed, so that neither waits for small gains of the other. A bound that is
    about to overtake what is proven costs the proof a quarter; what it looks for sets with costs the search. A question
    of the proof that takes more than all that was done counts as if it had been asked, or the search would end where
    such a question is not worth waiting for. These are rules about counted work, which know no limit. So the steps that
    are made under one limit begin those under any higher one, and more work never ends with more edges or a lower
    bound.
    """
    budget, gained_at = standing.budget, standing.budget.work
    sides = _Side(search), _Side(proof)
    while not standing.is_done and budget.work < units:
        able = [side for side in sides if side.is_able(standing.size)]
        if not able:
            break
        ahead = _ahead(standing)
        side = min(able, key=lambda side: side.idle + (ahead if side is sides[1] else 0))
        # a long question is not begun where it would not be waited for
        idle = budget.work - gained_at + (standing.next_question if side is sides[1] else 0)
        if not (
            patient
            or _is_young(standing, sides[1])
            or idle <= patience_of(units, gained_at, standing.size, standing.bound)
        ):
            break
        before, began = (budget.work, standing.size, standing.bound), budget.elapsed()
        busy = next(side.steps, None)
        if busy is None:
            side.ended = True
        elif not busy:
            side.rests_at = standing.size
        # whatever a step forgets to count, there is an end to the number of steps
        budget.charge(max(0, STEP - (budget.work - before[0])))
        used = budget.work - before[0]
        # what a question only looked for smaller sets with is the search's
        sides[0].idle += standing.searched
        used, standing.searched = used - standing.searched, 0
        side.idle += used // RISING if side is sides[1] and standing.is_rising else used
        side.seconds += budget.elapsed() - began
        if (standing.size, standing.bound) != before[1:]:
            gap, left = before[1] - before[2], standing.size - standing.bound
            side.idle = unpaid(side.idle, gap, left)
            gained_at = budget.work
    return sides[0].seconds, sides[1].seconds
