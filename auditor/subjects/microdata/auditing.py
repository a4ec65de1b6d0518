"""A policy applied to a file of records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.core.errors import BadInput
from auditor.core.finding import Finding, Verdict, verdict_before_waivers
from auditor.core.progress import Progress, silent
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.proposal import propose_roles
from auditor.formats.records.roles import Roles
from auditor.formats.records.values import naming_columns
from auditor.subjects.microdata.geographic_units import units_of
from auditor.subjects.microdata.measured import RecordsRisk, sampled_share
from auditor.subjects.microdata.measuring_large import LEAST_L, THRESHOLD, measure_large
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.rules import find_violations
from graphkit.budget import Budget
from graphkit.microdata.risk.classes import EquivalenceClasses, equivalence_classes
from graphkit.microdata.risk.closeness import ClosenessRisk, t_closeness
from graphkit.microdata.risk.coded import CodedRecords
from graphkit.microdata.risk.diversity import DiversityRisk, l_diversity
from graphkit.microdata.risk.households import household_numbers, household_risk
from graphkit.microdata.risk.individual import WeightedRisk, individual_risk, weighted_risk
from graphkit.microdata.risk.intrusion import IntrusionRisk, intrusion_risk
from graphkit.microdata.risk.sensitive_counts import sensitive_counts
from graphkit.microdata.risk.special_uniques import SpecialUniques, special_uniques


@dataclass(frozen=True, slots=True, eq=False)
class RecordsAudit:
    """The risk of a file of records and what of it violates the policy."""

    policy: MicrodataPolicy
    roles: Roles
    risk: RecordsRisk
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        """`violated` when a finding is a violation, `undecided` when something could not be decided."""
        return verdict_before_waivers(self.findings)


def audit_records(
    opened: OpenRecords,
    roles: Roles,
    policy: MicrodataPolicy,
    *,
    special: int | None = None,
    sampled: float | None = None,
    clock: Callable[[], float] | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> RecordsAudit:
    """Return the audit of a file of records under a policy.

    Parameters
    ----------
    opened : OpenRecords
    roles : Roles
        Of its columns, as they were declared.
    policy : MicrodataPolicy
    special : int, optional
        Search for special uniques of up to so many quasi-identifiers, whether the policy limits them or not.
    sampled : float, optional
        Share of the population that the file samples, for the chance that a match is right; by default that of the
        weights, where these are declared.
    clock, time_limit : optional
        End the search after so many seconds; the answer then depends on the machine.
    progress : callable, optional

    Raises
    ------
    BadInput
        If no quasi-identifier is declared, or a column with a role is not there.
    BadFile, RoomExhausted
        As :meth:`auditor.formats.records.OpenRecords.read`.

    Notes
    -----
    Where the categories do not fit in memory as numbers, DuckDB counts, on the disk where it must:
    :func:`~auditor.subjects.microdata.measuring_large.measure_large`.
    """
    check_roles(opened, roles)
    report = progress if progress is not None else silent
    counted = dict.fromkeys((*roles.quasi_identifiers, *roles.sensitive, *filter(None, [roles.household])))
    weights = () if roles.weight is None else (roles.weight,)
    report("read", 0, 0)
    size = policy.special_size if special is None else max(special, policy.special_size)
    if special is None and policy.max_special_share is None:
        size = 0
    if not opened.fits(len(counted) + len(weights)):
        budget = Budget(clock, time_limit, work_limit=policy.special_work)
        risk = measure_large(opened, roles, policy, size, sampled, budget, report)
        return RecordsAudit(policy, roles, risk, tuple(find_violations(risk, roles, policy)))
    records = opened.read(list(counted), weights, lambda rows: report("read", rows, opened.rows or 0))
    report("count", 0, 0)
    classes = equivalence_classes(records, roles.quasi_identifiers)
    found = None
    if size:
        budget = Budget(clock, time_limit, work_limit=policy.special_work)
        found = _special(records, roles, size, budget, report)
    intrusion = None if found is None else _intrusion(found, classes, records, roles, sampled)
    diversity, closeness = measure_sensitive(opened, records, classes, roles.sensitive, policy)
    risk = RecordsRisk(
        classes.risk(policy.k),
        diversity,
        closeness,
        None if found is None else found.risk,
        _weighted(records, classes, roles, policy),
        units_of(opened, roles, policy),
        intrusion,
    )
    return RecordsAudit(policy, roles, risk, tuple(find_violations(risk, roles, policy)))


def check_roles(opened: OpenRecords, roles: Roles) -> None:
    """Refuse an audit for which too little is declared; propose what could be.

    Raises
    ------
    BadInput
        If no quasi-identifier is declared, or a column with a role is not there.
    """
    roles.check(column.name for column in opened.columns)
    if not roles.quasi_identifiers:
        proposed = propose_roles(opened.columns, distinct=naming_columns(opened))
        proposal = ""
        if proposed.quasi_identifiers:
            direct = f" --identifier {','.join(proposed.identifiers)}" if proposed.identifiers else ""
            known = ",".join(proposed.quasi_identifiers)
            proposal = f"; a proposal to correct:{direct} --quasi-identifier {known}"
        raise BadInput(
            f"{opened.source.name}: no quasi-identifier is declared; say which columns an attacker may know{proposal}"
        )


def _special(records: CodedRecords, roles: Roles, size: int, budget: Budget, report: Progress) -> SpecialUniques:
    return special_uniques(
        records,
        roles.quasi_identifiers,
        largest_size=size,
        budget=budget,
        progress=lambda done, total: report("search", done, total),
    )


def _intrusion(
    found: SpecialUniques, classes: EquivalenceClasses, records: CodedRecords, roles: Roles, sampled: float | None
) -> IntrusionRisk | None:
    """Return the chances of matches, where it is known how much of the population is in the file."""
    share = sampled_share(roles, sampled, records.n, lambda: float(records.numbers[roles.weight or ""].sum()))
    return None if share is None else intrusion_risk(found, classes, share)


def measure_sensitive(
    opened: OpenRecords,
    records: CodedRecords,
    classes: EquivalenceClasses,
    names: Sequence[str],
    policy: MicrodataPolicy,
) -> tuple[tuple[DiversityRisk, ...], tuple[ClosenessRisk, ...]]:
    """Return what classes of records tell of sensitive columns, under the thresholds of a policy."""
    diversity, closeness = [], []
    for name in names:
        counts = sensitive_counts(classes, records.columns[name])
        diversity.append(l_diversity(counts, max(policy.distinct_l, LEAST_L)))
        ordered = opened.named(name).sort in ("number", "time")
        closeness.append(t_closeness(counts, 1.0 if policy.t is None else policy.t, "ordered" if ordered else "equal"))
    return tuple(diversity), tuple(closeness)


def _weighted(
    records: CodedRecords, classes: EquivalenceClasses, roles: Roles, policy: MicrodataPolicy
) -> WeightedRisk | None:
    if roles.weight is None and roles.household is None and policy.max_risk is None:
        return None
    risk = individual_risk(classes, None if roles.weight is None else records.numbers[roles.weight])
    households = None
    if roles.household is not None:
        numbers = household_numbers(records.columns[roles.household])
        risk, households = household_risk(risk, numbers), int(numbers.max()) + 1
    threshold = THRESHOLD if policy.max_risk is None else policy.max_risk
    return weighted_risk(risk, threshold=threshold, households=households)
