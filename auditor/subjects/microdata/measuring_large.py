"""The figures of an audit of records that do not fit in memory: DuckDB counts, on the disk where it must."""

from auditor.core.progress import Progress
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.geographic_units import units_of
from auditor.subjects.microdata.measured import RecordsRisk, sampled_share
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.budget import Budget
from graphkit.microdata.risk.intrusion import counted_intrusion
from graphkit.microdata.risk.relational.households import household_risk_in
from graphkit.microdata.risk.relational.sensitive import sensitive_risk
from graphkit.microdata.risk.relational.special import special_uniques_in
from graphkit.microdata.risk.relational.weighted import weighted_risk_in

THRESHOLD = 0.05
"""Of the individual risk, where the policy has none."""
LEAST_L = 2
"""Of diversity, where the policy asks for nothing."""


def measure_large(
    opened: OpenRecords,
    roles: Roles,
    policy: MicrodataPolicy,
    size: int,
    sampled: float | None,
    budget: Budget,
    report: Progress,
) -> RecordsRisk:
    """Return the same figures as are measured in memory.

    Parameters
    ----------
    opened : OpenRecords
    roles : Roles
    policy : MicrodataPolicy
    size : int
        Search for special uniques of up to so many quasi-identifiers; 0 for no search.
    sampled : float, optional
        Share of the population that the file samples; by default that of the weights, where these are declared.
    budget : Budget
        What the search may do; where it ends early, its figures are partial and say so.
    report : callable
        Told how far the work is.

    Raises
    ------
    RoomExhausted
        If there is no room on the disk.
    BadFile
        As :meth:`auditor.formats.records.opening.OpenRecords.counting`.
    """
    with opened.counting(roles.quasi_identifiers, roles.sensitive, roles.weight, roles.household) as table:
        report("count", 0, 0)
        classes = table.risk(policy.k)
        pairs = [
            sensitive_risk(
                table,
                place,
                l=max(policy.distinct_l, LEAST_L),
                t=1.0 if policy.t is None else policy.t,
                distance="ordered" if opened.named(name).sort in ("number", "time") else "equal",
            )
            for place, name in enumerate(roles.sensitive)
        ]
        special = intrusion = None
        if size:
            special = special_uniques_in(
                table,
                largest_size=size,
                budget=budget,
                progress=lambda done, total: report("search", done, total),
            )
            fraction = sampled_share(roles, sampled, table.n, table.population)
            if fraction is not None:
                alone, paired = table.classes_of(1), 2 * table.classes_of(2)
                intrusion = counted_intrusion(special.risk, special.scores, special.records, alone, paired, fraction)
        weighted, threshold = None, THRESHOLD if policy.max_risk is None else policy.max_risk
        if roles.household is not None:
            weighted = household_risk_in(table, threshold)
        elif roles.weight is not None or policy.max_risk is not None:
            weighted = weighted_risk_in(table, threshold)
    return RecordsRisk(
        classes,
        tuple(diverse for diverse, _ in pairs),
        tuple(close for _, close in pairs),
        None if special is None else special.risk,
        weighted,
        units_of(opened, roles, policy),
        intrusion,
    )
