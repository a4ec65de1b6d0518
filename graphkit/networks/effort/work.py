"""What a step of each engine of degree anonymization counts, in the units of :mod:`graphkit.effort`."""

# units that one step counts, or steps that count one unit; measured on the networks of docs/degree-figures.md
LABEL = 180
"""One label of the group diagram."""
TABLE_STEPS = 600
"""Entries of the tables of the group diagram that count one unit."""
COVERAGE_EDGE = 1.5
"""One edge in a linear program of the top-set bound."""
SIMPLEX_COLUMNS = 4
"""Steps of the simplex method times columns that count one unit."""
SEQUENCE_STEPS = 60
"""Steps of a dynamic program over the degrees that count one unit."""
ANNEALING_STEPS = 200
"""Steps of an annealing that count one unit."""
LOOK = 300
"""A look for violated sets, beside what the pairs of the core count."""
CORE_PAIR = 0.015
"""One pair of hubs with a demand, where a sequence is tried on them; a look for violated sets takes half of that."""
QUESTION = 50
"""One question to a graph, beside its edges."""
QUESTION_EDGES = 100
"""Edges of a graph that count one unit when it is asked a question."""
STEP = 1_000
"""A step of the search or of a proof at least."""
SEARCH = 10_000
"""A new search among the hubs, beside what it does."""
REALIZATION = 5_000
"""One attempt to realize demands, beside its walks."""
WALK_STEPS = 600
"""Steps of searches for alternating walks that count one unit."""

RISING = 4
"""A bound that is about to overtake what is proven counts one part in so many of its work."""

SMALL_GAP = 0.005
"""A gap that is not worth every bound."""

# shares of the effort: with so little of a gap, with so much of one, and how fast it grows with the gap between
_LEAST_PATIENCE, _MOST_PATIENCE, _PATIENCE = 0.08, 1.0, 100.0
_PATIENCE_OF_GAIN = 0.5
# with so few edges between, an answer is soon proven, or never
_FEW_EDGES, _PATIENCE_OF_FEW = 2, 0.8


def unpaid(idle: int, gap: int, left: int) -> int:
    """Return what is left to pay of work that narrowed a gap: nothing where half of it is closed.

    Examples
    --------
    >>> [unpaid(1000, 40, left) for left in (40, 39, 30, 20, 0)]
    [1000, 950, 500, 0, 0]
    """
    return idle * max(2 * left - gap, 0) // gap if gap else 0


def patience_of(units: int, gained_at: int, size: int, bound: int) -> int:
    """Return how many units without any gain are enough, when the last one came after `gained_at` units.

    The wider the gap between size and bound, the longer it is worth to go on; also where one or two edges decide. It
    grows with the effort and with the time that gains take to come, so that more effort never ends earlier.

    Examples
    --------
    >>> from graphkit.effort import SECOND
    >>> [patience_of(20 * SECOND, 0, 5_000, bound) for bound in (4_998, 4_995, 4_955, 4_000)]
    [16000000, 1600000, 9600000, 20000000]
    >>> patience_of(20 * SECOND, 8 * SECOND, 5_000, 4_995)
    4000000
    """
    gap = (size - bound) / size if size else 0.0
    share = min(_LEAST_PATIENCE + _PATIENCE * max(gap - SMALL_GAP, 0.0), _MOST_PATIENCE)
    if size - bound <= _FEW_EDGES:
        share = max(share, _PATIENCE_OF_FEW)
    return max(round(share * units), round(_PATIENCE_OF_GAIN * gained_at))
