"""What an audit of records measured."""

from collections.abc import Callable
from dataclasses import dataclass

from auditor.formats.records.roles import Roles
from graphkit.microdata.risk.classes import ClassRisk
from graphkit.microdata.risk.closeness import ClosenessRisk
from graphkit.microdata.risk.diversity import DiversityRisk
from graphkit.microdata.risk.geography import UnitRisk
from graphkit.microdata.risk.individual import WeightedRisk
from graphkit.microdata.risk.intrusion import MOST_ATTRIBUTES, IntrusionRisk
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk


@dataclass(frozen=True, slots=True, eq=False)
class RecordsRisk:
    """All that was measured of a file of records; figures and names of columns, no value."""

    classes: ClassRisk
    diversity: tuple[DiversityRisk, ...]
    closeness: tuple[ClosenessRisk, ...]
    special: SpecialUniqueRisk | None
    """None where it was not searched."""
    weighted: WeightedRisk | None
    """Individual risk, or that of households; None without weights, households and a limit."""
    units: UnitRisk | None = None
    """People in geographic units; None where no column names these, or the policy asks for nothing."""
    intrusion: IntrusionRisk | None = None
    """Chances of matches; None without a search for special uniques, or where the sampled share is not known."""


def sampled_share(roles: Roles, sampled: float | None, records: int, population: Callable[[], float]) -> float | None:
    """Return which share of the population is in a file; None where nothing says so, or where DIS has no scores.

    Parameters
    ----------
    roles : Roles
    sampled : float, optional
        As it was given; else the weights tell it.
    records : int
    population : callable
        Gives the sum of the weights.
    """
    if len(roles.quasi_identifiers) > MOST_ATTRIBUTES:
        return None
    if sampled is None and roles.weight is not None:
        people = population()
        # weights that stand for fewer people than there are records: individual_risk says what is wrong with them
        return records / people if people >= records > 0 else None
    return sampled
