"""The search for k matchings under each of which every original sees diverse values, at little loss."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints, Rng, Words
from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.errors import LimitReached
from graphkit.microdata.generalization._records import Records, records_of
from graphkit.microdata.generalization.diverse._annealing import anneal
from graphkit.microdata.generalization.diverse._matched import Matched, matched_of
from graphkit.microdata.generalization.diverse.demands import Sensitive, of_some
from graphkit.microdata.generalization.diverse.nearness import near_and_other
from graphkit.microdata.generalization.diverse.starting import (
    dealt,
    free_matchings,
    missed_by_stars,
    star_losses,
)
from graphkit.microdata.generalization.extents import joined, losses_of
from graphkit.microdata.generalization.parts import parts_of
from graphkit.microdata.generalization.search._places import count_all
from graphkit.microdata.microaggregation.search._random import new_state


class _Stage(NamedTuple):
    """A part of the annealing: temperatures and prices when it begins and ends, by about how small losses become."""

    share: float
    """Of the work."""
    heat: tuple[float, float]
    prices: tuple[float, float]
    is_last: bool = False
    """Whether it is left out where all demands are met."""


_STAGES = (
    _Stage(0.70, (0.15, 0.02), (0.7, 2.0)),
    _Stage(0.10, (0.02, 0.015), (2.0, 20.0)),
    _Stage(0.15, (0.06, 0.015), (3.0, 30.0), is_last=True),
)
# from a covering that regards no demand, with its share of the work: prices alone change it
_FROM_FREE = (_Stage(0.60, (0.02, 0.01), (0.7, 8.0)), _Stage(0.10, (0.01, 0.008), (8.0, 30.0)))
_FREE, _SELDOM = 0.5, 0.25
# coverings of few records are looked through while it is hot
_FEW = 300
_DEALT_AT_ONCE = 1_000
_COOL, _SETTLED, _SETTLING = 0.02, 0.004, 0.2
# of the time, where it is limited: repairs need some, too
_IN_TIME = 0.8
_REACHABLE, _NO_LOSS = 1.35, 1e-6


class _Repair(NamedTuple):
    """How what is still missed is met: near by, or with records that are anywhere, where more values may be left."""

    heat: float
    anywhere: bool = False


_HOT_REPAIR = _Repair(1.0, anywhere=True)
_REPAIRS = (_Repair(0.02), *(_Repair(0.02, anywhere=True),) * 4, _HOT_REPAIR)
_REPAIR_PRICE, _A_PAIR, _A_TURN, _ANYWHERE = 8.0, 2_000, 100_000, 16
_A_PAIR_ANYWHERE = 10_000
_REPAIRING, _LEAST_REPAIR = 0.1, 200_000
_SLICES, _STEPS = 20, 10
# few records have few coverings: more proposals for a record, and for a pair of them, find no more
_A_RECORD, _MORE_A_RECORD = 20_000, 2_000
_NO_FOCUS = np.empty((0, 2), dtype=np.int64)


def diverse_covering(records: Records, sensitive: Sensitive, k: int, rng: Rng, budget: Budget, units: int) -> Ints:
    """Return k disjoint matchings under each of which every original sees what is demanded.

    Parameters
    ----------
    records : Records
        At least k.
    sensitive : Sensitive
    k : int
    rng : Generator
    budget : Budget
        Charged; when its time is up, what meets the demands is taken.
    units : int
        Work.

    Returns
    -------
    ndarray of int, shape (n, k)
        Record of every tuple in every matching; in the first one each tuple has the record of its number.

    Raises
    ------
    LimitReached
        If none was found.

    Notes
    -----
    Annealing from :func:`~graphkit.microdata.generalization.diverse.starting.dealt` groups; where records that are near
    each other seldom miss a demand, from the best covering without demands, and not as hot. While it is hot, a demand
    may be missed at a price, which rises; what is still missed then is repaired, and at last every exchange that
    would miss a demand is refused. The last matchings on the way that met all demands, the groups perhaps, are gone on
    with where the repair fails. Repairs are not counted as work.
    """
    near = near_and_other(records, sensitive, rng)
    n, d = records.codes.shape
    if budget.time_limit is not None:
        # an annealing that is broken off has hardly begun
        units = min(units, max(1, int(_IN_TIME * budget.remaining() * SECOND)))
    is_free = n > _FEW and k < n and missed_by_stars(sensitive, near, k) <= _SELDOM
    stages = _FROM_FREE if is_free else _STAGES
    if is_free:
        share = max(1, int(_FREE * units))
        start, units = free_matchings(records, k, rng, budget, share), max(1, units - share)
    else:
        start = _started(records, sensitive, k, rng)
    scale = _REACHABLE * float(star_losses(records, near, k).mean()) or _NO_LOSS
    one = cost(k, d, len(sensitive.values))
    proposals = int(min(units / one, n * (_A_RECORD + _MORE_A_RECORD * n)))
    run = _Run(records, near, sensitive, matched_of(start, sensitive), new_state(rng))
    repairing = max(_LEAST_REPAIR, int(proposals * _REPAIRING))
    # a larger last group, or a second demand: losses do not matter yet
    best = run.rows if run.is_met else None
    if best is None and not is_free and _repaired(run, _HOT_REPAIR, scale, repairing, rng, budget):
        best = run.rows
    for stage in stages:
        if (best is not None and budget.is_spent()) or (stage.is_last and run.is_met):
            break
        best = _annealed(run, scale, stage, int(proposals * stage.share), budget, best)
        budget.charge(int(proposals * stage.share * one))
    for repair in _REPAIRS:
        if _repaired(run, repair, scale, repairing, rng, budget):
            best = run.rows
            break
    if best is not None:
        run.begin(best)
        ladder = scale * np.geomspace(_COOL, _SETTLED, _STEPS)
        run.go(ladder, np.full(_STEPS, np.inf), int(proposals * _SETTLING) // _STEPS)
        best = run.rows
    if best is None:
        raise LimitReached(
            f"no covering was found that meets what is demanded of sensitive values for k ({k}); lower l, raise t "
            "or k, or leave out records with frequent values"
        )
    return np.ascontiguousarray(best[np.argsort(best[:, 0])])


def _started(records: Records, sensitive: Sensitive, k: int, rng: Rng) -> Ints:
    """Return groups that are dealt; of many records in parts near each other, where demands may be missed."""
    n = records.codes.shape[0]
    if n <= _DEALT_AT_ONCE:
        return dealt(records, sensitive, k)
    rows = np.empty((n, k), dtype=np.int64)
    for part in parts_of(records.layout, records.codes, _DEALT_AT_ONCE, rng, least=k, drawn=False):
        some = records_of(records.layout, records.codes[part])
        rows[part] = part[dealt(some, of_some(sensitive, part), k)]
    return rows


def _annealed(
    run: "_Run", scale: float, stage: "_Stage", proposals: int, budget: Budget, best: Ints | None
) -> Ints | None:
    """Return the last matchings on the way that met the demands, those before if none did."""
    ladder = scale * np.geomspace(*stage.heat, _SLICES * _STEPS)
    prices = scale * np.geomspace(*stage.prices, _SLICES * _STEPS)
    for first in range(0, ladder.size, _STEPS):
        if best is not None and budget.is_spent():
            break
        part = slice(first, first + _STEPS)
        run.go(ladder[part], prices[part], proposals // ladder.size)
        best = run.rows if run.is_met else best
    return best


def _repaired(run: "_Run", repair: "_Repair", scale: float, proposals: int, rng: Rng, budget: Budget) -> bool:
    """Whether all demands are met after exchanges where they were missed."""
    turn, n = 0, run.rows.shape[0]
    proposals = max(proposals, (_A_PAIR_ANYWHERE if repair.anywhere else _A_PAIR) * len(run.missed))
    while proposals > 0 and not run.is_met and not budget.is_spent():
        missed = run.missed
        turn, some = turn + 1, min(proposals, _A_PAIR * len(missed), _A_TURN)
        partners = rng.integers(0, n, (n, _ANYWHERE)) if repair.anywhere else None
        run.go(
            np.array([repair.heat * scale]), np.array([_REPAIR_PRICE * scale * turn]), some, focus=missed, near=partners
        )
        proposals -= some
    return run.is_met


def is_met(rows: Ints, sensitive: Sensitive) -> bool:
    """Whether every original sees what is demanded under each matching, given the record of every tuple in each."""
    return not bool((matched_of(rows, sensitive).lacks > 0).any())


def cost(k: int, d: int, demands: int) -> float:
    """Return the work of a proposal in units, about microseconds."""
    return 0.1 + 0.001 * k * d + 0.02 * k * k * demands


class _Run:
    """An annealing from some matchings."""

    def __init__(self, records: Records, near: Ints, sensitive: Sensitive, matched: Matched, state: Words) -> None:
        self._records, self._near, self._sensitive, self._state = records, near, sensitive, state
        self._matched = matched
        self.begin(matched.rows)

    def begin(self, rows: Ints) -> None:
        """Go on from other matchings."""
        records = self._records
        self._matched = matched_of(rows, self._sensitive)
        self._losses: Floats = losses_of(records.layout, joined(records.layout, records.codes, rows))
        self._counts = np.zeros(records.codes.shape, dtype=np.int64)
        count_all(records, self._matched.rows, self._counts)

    @property
    def rows(self) -> Ints:
        """Record of every tuple in every matching, shape (n, k)."""
        return self._matched.rows.copy()

    @property
    def is_met(self) -> bool:
        """Whether every original sees what is demanded under every matching."""
        return not bool((self._matched.lacks > 0).any())

    @property
    def missed(self) -> Ints:
        """Originals and matchings under which they see less than is demanded, shape (pairs, 2)."""
        return np.ascontiguousarray(np.argwhere(self._matched.lacks > 0))

    def go(
        self, ladder: Floats, prices: Floats, proposals: int, focus: Ints = _NO_FOCUS, near: Ints | None = None
    ) -> None:
        """Anneal; what is missed alone, or with other partners."""
        anneal(
            self._records,
            self._near if near is None else near,
            self._sensitive,
            self._matched,
            self._counts,
            self._losses,
            ladder,
            prices,
            max(1, proposals),
            focus,
            self._state,
        )
