"""A decision about marginals that are known from two sides: what is out tells at most this much, and at least that."""

from dataclasses import replace

from graphkit.arrays import Rng
from graphkit.budget import Budget
from graphkit.tables.decisions.decision import Decision, KnownBounds, decide_set
from graphkit.tables.decisions.rule_check import group_violations
from graphkit.tables.decisions.rules import DisclosureRules
from graphkit.tables.hierarchies.crossing import refined_crossings, without_crossings
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.versions.translated_marginals import TranslatedMarginals


def taken_sides(
    table: ContingencyTable, translated: TranslatedMarginals, requested: RecodedMarginal | None = None
) -> tuple[list[RecodedMarginal], list[RecodedMarginal]]:
    """Return both sides as marginals whose groupings engines take; equal where nothing had to change.

    Parameters
    ----------
    table : ContingencyTable
    translated : TranslatedMarginals
    requested : RecodedMarginal, optional
        Not left out of the lower side, if it is there.
    """
    upper = refined_crossings(translated.upper, table.variables)
    first = requested if requested in translated.lower else None
    lower = without_crossings(translated.lower, table.variables, first)
    return upper, lower


def decide_translated(
    table: ContingencyTable,
    translated: TranslatedMarginals,
    requested: Axes | RecodedMarginal,
    rules: DisclosureRules,
    rng: Rng,
    budget: Budget,
    present: KnownBounds | None = None,
) -> Decision:
    """Return whether marginals can be out together, of which it is known what they tell from both sides.

    Parameters
    ----------
    table : ContingencyTable
    translated : TranslatedMarginals
        All of them.
    requested : tuple of int, or RecodedMarginal
        Only noted.
    rules : DisclosureRules
    rng : numpy.random.Generator
    budget : Budget
    present : KnownBounds, optional
        Bounds that were proven before from what is surely out.

    Notes
    -----
    Rules are about how far apart counts can be: whoever knows more finds them nearer. So *release* is said where it
    holds for the upper side, and *refuse* where it holds for the lower one. What neither settles is undecided, without
    a rule among :attr:`~graphkit.tables.decisions.decision.Decision.unsettled`. Of a decision that is not exact no
    bounds are returned: those of the upper side may be too narrow. A group in one category may show in a coarser
    marginal alone, so both sides are asked for that.
    """
    axes = requested.axes if isinstance(requested, RecodedMarginal) else requested
    upper, lower = taken_sides(table, translated, requested if isinstance(requested, RecodedMarginal) else None)
    if set(upper) == set(lower):
        return decide_set(table, upper, axes, rules, rng, budget, present)
    first = budget.part(2)
    safe = decide_set(table, upper, axes, rules, rng, first, present)
    budget.charge(first.work)
    if safe.answer == "release":
        violations = group_violations(table, translated.lower) if rules.group_disclosure else ()
        if violations:
            return Decision("refuse", axes, violations, sensitive=safe.sensitive)
        return replace(safe, cells=None, lower=None, upper=None)
    # bounds that follow from what is left out here would contradict the tables that are found
    unsafe = decide_set(table, lower, axes, rules, rng, budget)
    if unsafe.answer == "refuse":
        return unsafe
    return Decision("undecided", axes, sensitive=safe.sensitive, ended_by=safe.ended_by or unsafe.ended_by)
