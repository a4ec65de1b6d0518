"""What could go out instead: a refused marginal with as few categories merged as it takes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.hierarchies.grouping import Grouping, numbered
from graphkit.hierarchies.hierarchy import chain_of
from graphkit.tables.hierarchies.hierarchical_table import needed_marginals
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.hypergraph import Axes


@dataclass(frozen=True, slots=True)
class Coarsening:
    """A marginal that could go out instead of another one."""

    marginal: RecodedMarginal
    """Variables that had to be merged into a single category are left out of it."""
    decisions: int
    """How many marginals were decided."""
    complete: bool
    """Whether each division of a category that was tried and left out is too much; not where time ran out before."""


def refine(
    requested: RecodedMarginal,
    released: Iterable[RecodedMarginal],
    passes: Callable[[RecodedMarginal], bool],
    budget: Budget,
) -> Coarsening | None:
    """Return a marginal that passes, from one without any variable on, by dividing categories.

    Parameters
    ----------
    requested : RecodedMarginal
        What it is to become, if it may.
    released : iterable of RecodedMarginal
        What is out; groupings stay nested with those of it.
    passes : callable
        Whether a marginal may go out.
    budget : Budget
        Ends it early.

    Notes
    -----
    Each variable begins with a single category. Neighbouring categories are merged, in the order in which the variable
    has them. Then one category after another is divided in two: of the variable that
    has the fewest, the largest as evenly as possible. What does not pass is taken back, and is never tried again: the
    finer the rest is by then, the less it passes. So there are at most as many decisions as the marginal has borders
    between neighbouring categories, and no further division passes in the end. The order of the divisions looks at no
    count: what is proposed tells of them no more than the answers along the way.
    """
    released = needed_marginals(released)
    parts = zip(requested.axes, requested.groupings, strict=True)
    sides = [_Side.of(axis, grouping, released) for axis, grouping in parts]
    decisions, found = 0, None
    while not budget.is_spent():
        open_sides = [side for side in sides if side.next_border() is not None]
        if not open_sides:
            break
        side = min(open_sides, key=lambda side: (len(side.borders), side.axis))
        border = side.next_border()
        assert border is not None
        side.borders.add(border)
        tried = _marginal(sides)
        decisions += 1
        if passes(tried):
            found = tried
        else:
            side.borders.remove(border)
            side.refused.add(border)
    if found is None or any(found.within(marginal) for marginal in released):
        return None
    complete = all(side.next_border() is None for side in sides)
    return Coarsening(found, decisions, complete)


@dataclass(slots=True, eq=False)
class _Side:
    """The categories of one variable, and where they are divided so far."""

    axis: int
    order: list[list[int]]
    """Categories that stay together, in an order in which what is out merges neighbours."""
    steps: list[set[int]]
    """Borders that all have to be there before one of the next set may be: groupings stay nested."""
    borders: set[int]
    refused: set[int]

    @classmethod
    def of(cls, axis: int, grouping: Grouping, released: list[RecodedMarginal]) -> "_Side":
        out = {one.grouping(axis) for one in released if axis in one.axes}
        chain = chain_of([*out, grouping])
        if chain is None:
            raise InvalidInput("categories are merged in two ways that are not nested")
        coarser = chain[: chain.index(grouping)]
        blocks: dict[tuple[int, ...], list[int]] = {}
        for category, group in enumerate(grouping):
            blocks.setdefault((*(one[category] for one in coarser), group), []).append(category)
        keys = sorted(blocks)
        seen: set[int] = set()
        steps = []
        for depth in range(len(coarser) + 1):
            new = {at for at in range(1, len(keys)) if keys[at][: depth + 1] != keys[at - 1][: depth + 1]} - seen
            seen |= new
            steps.append(new)
        return cls(axis, [blocks[key] for key in keys], steps, set(), set())

    def next_border(self) -> int | None:
        """Return the border to try next: in the middle of the largest group that has one."""
        step = next((step for step in self.steps if not step <= self.borders), set())
        left = step - self.borders - self.refused
        ends = [0, *sorted(self.borders), len(self.order)]

        def evenness(border: int) -> tuple[int, int]:
            after = next(end for end in ends if end > border)
            before = max(end for end in ends if end < border)
            return -min(after - border, border - before), border

        return min(left, key=evenness, default=None)

    def grouping(self) -> Grouping:
        """Return the groups so far."""
        numbers: dict[int, int] = {}
        group = 0
        for place, categories in enumerate(self.order):
            group += place in self.borders
            numbers |= dict.fromkeys(categories, group)
        return numbered([numbers[category] for category in range(len(numbers))])


def _marginal(sides: list[_Side]) -> RecodedMarginal:
    """Return the marginal by the variables that are divided anywhere."""
    divided = [side for side in sides if side.borders]
    axes: Axes = tuple(side.axis for side in divided)
    return RecodedMarginal(axes, tuple(side.grouping() for side in divided))
