"""What strata may spend: each a share of the work and the time by its records."""

from graphkit.budget import Budget

_LEAST_TIME = 1e-3


def units_of_part(units: int, size: int, records: int) -> int:
    """Return the work for some of all records."""
    return max(1, units * size // records)


def budget_of_part(budget: Budget, size: int, left: int) -> Budget:
    """Return the budget for some of the records that are left to be done."""
    limit = None if budget.time_limit is None else max(_LEAST_TIME, budget.remaining() * size / left)
    return Budget(budget.clock, limit, budget.gap)


def budget_of_phase(budget: Budget, share: float) -> Budget:
    """Return the budget for a share of the time that is left."""
    limit = None if budget.time_limit is None else max(_LEAST_TIME, budget.remaining() * share)
    return Budget(budget.clock, limit, budget.gap)
