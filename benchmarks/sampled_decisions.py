"""Sampled decisions beside plain ones, on ``mixed-1000``; and what a reader who knows the policy learns."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.mixed_tables import NAME, MixedTable, mixed_tables
from benchmarks.row import Row
from graphkit.budget import Budget
from graphkit.tables.decisions.decision import decide, decide_set
from graphkit.tables.decisions.policy_aware import PossibleTables, decide_policy_aware, leaves_nothing_out, list_tables
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.decisions.sampled import decide_by_itself, decide_drawn, draw_from_prior
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

_RULES = DisclosureRules()
_DRAWS = 60
_SMALL_SHAPES = ((2, 2, 2), (3, 2, 2), (2, 2, 2, 2))
_SMALL_TABLES = 300
_LARGEST_COUNT = 4
_MOST_LISTED = 200_000


@dataclass(slots=True)
class Tally:
    """How often each mode answered what: (plain, sampled, whether anything had been released)."""

    answers: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    unsafe: set[int] = field(default_factory=set)
    """Tables of which a marginal was released by the sampled mode and refused by the plain one."""
    shown: int = 0
    """Released marginals with a count from 1 to below the threshold."""
    seconds: list[float] = field(default_factory=list)
    """Of each sampled decision that needed draws."""

    def add(self, case: MixedTable) -> None:
        """Request the marginals of a table one by one; what the sampled mode releases is released from then on."""
        table, rng = case.table, np.random.default_rng(case.number)
        released: set[RecodedMarginal] = set()
        draws: tuple[ContingencyTable, ...] | None = None
        for axes in case.requests:
            wanted = RecodedMarginal.plain(table, axes)
            if any(wanted.within(one) for one in released):
                continue
            plain = decide_set(table, released | {wanted}, axes, _RULES, np.random.default_rng(0), Budget()).answer
            began = time.perf_counter()
            answer: str = decide_by_itself(table, wanted, _RULES, Budget()).answer
            if answer == "refuse":
                answer = "shown"
            elif released:
                draws = draws or draw_from_prior(
                    table, sorted(released, key=lambda one: one.rank), _DRAWS, rng, Budget()
                )
                assert draws is not None
                answer = decide_drawn(draws, released, wanted, _RULES, Budget()).answer
                self.seconds.append(time.perf_counter() - began)
            self.answers[plain, answer, bool(released)] += 1
            if answer == "release":
                counts = table.marginal(axes).counts
                self.shown += bool((counts < _RULES.threshold).any())
                if plain == "refuse":
                    self.unsafe.add(case.number)
                released.add(wanted)
                draws = None

    def number(self, plain: str, answers: tuple[str, ...], *, later: bool = False) -> int:
        """Return how many requests were answered so; `later`: of those after a first release."""
        return sum(
            n for (one, other, after), n in self.answers.items() if one == plain and other in answers and after >= later
        )


def sampled_rows(data_dir: Path | None, tables: int = 1_000) -> Iterator[Row]:
    """Ask both modes for the marginals of all tables."""
    tally = Tally()
    for case in mixed_tables(tables):
        tally.add(case)
    yield from rows_of(tally)


def rows_of(tally: Tally) -> Iterator[Row]:
    """Return the figures."""
    work = f"tables: {NAME}, sampled"
    told = sum(tally.answers.values())
    yield Row(f"{work}: tables with a release that plain refuses", len(tally.unsafe), "of 1000 tables", 1.0)
    yield Row(f"{work}: releases that show a protected count", tally.shown, "releases", 0.0, f"requests: {told}")
    for later, words in ((False, ""), (True, ", after a first release")):
        both = tally.number("release", ("release",), later=later)
        plain = tally.number("release", ("release", "refuse", "undecided", "shown"), later=later)
        bar = None if later else 50.0
        note = f"{both} of {plain}"
        yield Row(f"{work}: released of what plain releases{words}", 100 * both / plain, "%", bar, note, at_least=True)
    joint = tally.number("refuse", ("release", "refuse", "undecided"))
    caught = tally.number("refuse", ("refuse", "undecided"))
    yield Row(
        f"{work}: refused of what plain refuses though the marginal shows nothing",
        caught,
        "requests",
        None,
        f"of {joint}",
    )
    yield Row(f"{work}: a decision after a first release: median", 1000 * median(tally.seconds), "ms")


def inference_rows(data_dir: Path | None) -> Iterator[Row]:
    """Release what plain decisions release; count the tables of which a reader who knows the policy learns too much."""
    for shape in _SMALL_SHAPES:
        rng = np.random.default_rng([15, *shape])
        done = learns = kept = plain = 0
        while done < _SMALL_TABLES:
            counts = rng.integers(0, _LARGEST_COUNT + 1, shape)
            found = _followed(table_of(counts), rng)
            if found is None:
                continue
            done += 1
            learns += found[0]
            kept += found[1]
            plain += found[2]
        name = "×".join(map(str, shape))
        work = f"tables: {name}, counts 0 to {_LARGEST_COUNT}, marginals without one variable, plain"
        yield Row(f"{work}: a reader who knows the policy learns too much", 100 * learns / done, f"% of {done} tables")
        yield Row(
            f"{work}: released by policy-aware of what plain releases", 100 * kept / plain, "%", None, f"of {plain}"
        )


def table_of(counts: NDArray[np.int64]) -> ContingencyTable:
    """Return a table with variables and categories of any name."""
    from graphkit.hierarchies.variable import Variable

    variables = [Variable(f"v{axis}", tuple(map(str, range(size)))) for axis, size in enumerate(counts.shape)]
    return ContingencyTable.from_dense(counts, variables)


def _followed(table: ContingencyTable, rng: np.random.Generator) -> tuple[bool, int, int] | None:
    """Return whether the reader of the plain releases learns too much, and how many both modes release and plain does.

    None where nothing is released, or more tables are possible than can be listed.
    """
    variables = range(len(table.shape))
    sets = [axes for size in (2, len(table.shape) - 1) for axes in combinations(variables, size)]
    order = list(dict.fromkeys(sets))
    order = [order[i] for i in rng.permutation(len(order))]
    released: list[RecodedMarginal] = []
    aware: list[RecodedMarginal] = []
    for axes in order:
        wanted = RecodedMarginal.plain(table, axes)
        if any(wanted.within(one) for one in released):
            continue
        if decide(table, released, wanted, _RULES).answer == "release":
            released.append(wanted)
        if not any(wanted.within(one) for one in aware) and (
            decide(table, aware, wanted, _RULES).answer == "release"
            and decide_policy_aware(table, aware, wanted, _RULES, most=_MOST_LISTED, budget=Budget()).answer
            == "release"
        ):
            aware.append(wanted)
    learns = learns_too_much(table, released)
    if not released or learns is None:
        return None
    return learns, len([one for one in released if one in aware]), len(released)


def learns_too_much(table: ContingencyTable, released: list[RecodedMarginal]) -> bool | None:
    """Return whether a rule is broken for the reader who leaves out what plain decisions would have refused.

    Parameters
    ----------
    table : ContingencyTable
    released : list of RecodedMarginal
        In the order in which plain decisions released them.

    Returns
    -------
    bool or None
        None where more tables are possible than are listed.
    """
    left: PossibleTables | None = None
    for number in range(1, len(released) + 1):
        together = released[:number]
        if left is None and leaves_nothing_out(table, together, _RULES, Budget()):
            continue
        rows = list_tables(table, together, _MOST_LISTED, Budget())
        if rows is None:
            return None
        # a plain decision bounds the cells over all tables with the marginals
        full = PossibleTables.of(rows, table, _RULES)
        safe = full.kept(~full.unsafe())
        if left is not None:
            before = {one.tobytes() for one in left.tables}
            safe = safe.kept(np.array([one.tobytes() in before for one in safe.tables], dtype=np.bool_))
        left = safe
    if left is None:
        return False
    row = np.flatnonzero((left.tables == table.dense().reshape(-1)).all(axis=1))
    return bool(left.unsafe()[row[0]])
