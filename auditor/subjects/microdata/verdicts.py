"""What an audit of records measured, and what its findings mean together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from auditor.core.finding import Finding
from graphkit.microdata.risk.classes import ClassRisk
from graphkit.microdata.risk.closeness import ClosenessRisk
from graphkit.microdata.risk.diversity import DiversityRisk
from graphkit.microdata.risk.individual import WeightedRisk
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk

Verdict = Literal["passed", "violated", "undecided"]


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


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Return what findings mean together.

    Examples
    --------
    >>> verdict_of([])
    'passed'
    """
    severities = {finding.severity for finding in findings}
    return "violated" if "violation" in severities else "undecided" if "undecided" in severities else "passed"
