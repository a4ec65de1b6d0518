"""What an audit of records measured."""

from dataclasses import dataclass

from graphkit.microdata.risk.classes import ClassRisk
from graphkit.microdata.risk.closeness import ClosenessRisk
from graphkit.microdata.risk.diversity import DiversityRisk
from graphkit.microdata.risk.geography import UnitRisk
from graphkit.microdata.risk.individual import WeightedRisk
from graphkit.microdata.risk.intrusion import IntrusionRisk
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
