"""Geographic units of a file of records under a policy."""

from pathlib import Path

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.populations import read_populations, units_in
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.microdata.risk.geography import UnitRisk, unit_risk


def units_of(opened: OpenRecords, roles: Roles, policy: MicrodataPolicy) -> UnitRisk | None:
    """Return how many people live in the geographic units, where there are some and a policy asks.

    Raises
    ------
    NotFound, BadFile, BadInput
        As :func:`auditor.formats.records.populations.read_populations`.
    """
    if not roles.geography or policy.min_unit_population is None:
        return None
    units, records, populations = units_in(opened, roles.geography, roles.weight)
    source = "" if roles.weight is None else "weights"
    if roles.populations is not None:
        known = read_populations(Path(roles.populations), roles.geography, EdgeTableSettings())
        populations, source = np.array([known.get(unit, np.nan) for unit in units], dtype=np.float64), "file"
    return unit_risk(records, populations, policy.min_unit_population, columns=roles.geography, population_from=source)
