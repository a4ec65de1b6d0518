"""The rules of the section `[microdata]`, each applied to what was measured."""

from collections.abc import Iterator, Sequence

from auditor.core.finding import Finding
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.measured import RecordsRisk
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.microdata.risk.closeness import ClosenessRisk
from graphkit.microdata.risk.diversity import DiversityRisk
from graphkit.numbers import count, counted, figure, share

CLASSES = "quasi-identifiers"
# what the entropy of equally frequent values may lack
_ROUNDING = 1e-9


def find_violations(risk: RecordsRisk, roles: Roles, policy: MicrodataPolicy) -> Iterator[Finding]:
    """Yield what violates a policy, and what could not be decided."""
    yield from _identifiers(roles, policy)
    yield from _classes(risk, policy)
    yield from sensitive_violations(risk.diversity, risk.closeness, policy)
    yield from _special(risk, policy)
    yield from _risk(risk, policy)
    yield from _units(risk, policy)


def sensitive_violations(
    diversity: Sequence[DiversityRisk], closeness: Sequence[ClosenessRisk], policy: MicrodataPolicy
) -> Iterator[Finding]:
    """Yield what of a policy is violated by what classes tell of sensitive columns."""
    yield from _diversity(diversity, policy)
    yield from _closeness(closeness, policy)


def _over(rule: str, where: str, figure: float, limit: float, message: str) -> Iterator[Finding]:
    if figure > limit:
        yield Finding(rule, where, "violation", figure, limit, message)


def _identifiers(roles: Roles, policy: MicrodataPolicy) -> Iterator[Finding]:
    held = len(roles.naming) if policy.forbid_identifiers else 0
    message = f"{counted(held, 'column names', 'columns name')} respondents directly; remove them before a release"
    yield from _over("forbid_identifiers", "identifiers", held, 0, message)


def _classes(risk: RecordsRisk, policy: MicrodataPolicy) -> Iterator[Finding]:
    found = risk.classes
    message = (
        f"{count(found.records_below_k)} of {count(found.n)} records ({share(found.share_below_k)}) have "
        f"quasi-identifiers that fewer than {policy.k} share; allowed: {share(policy.max_share_below_k)}"
    )
    yield from _over("max_share_below_k", CLASSES, found.share_below_k, policy.max_share_below_k, message)
    alone = counted(found.unique_records, "record is", "records are")
    message = f"{alone} alone with the same quasi-identifiers; allowed: {count(policy.max_unique_records)}"
    yield from _over("max_unique_records", CLASSES, found.unique_records, policy.max_unique_records, message)


def _diversity(diversity: Sequence[DiversityRisk], policy: MicrodataPolicy) -> Iterator[Finding]:
    for found in diversity:
        if found.smallest_distinct < policy.distinct_l:
            message = (
                f"a class has {counted(found.smallest_distinct, 'value', 'values')} of '{found.sensitive}'; "
                f"required: {policy.distinct_l}"
            )
            # the larger, the worse
            missing = policy.distinct_l - found.smallest_distinct
            yield Finding("distinct_l", found.sensitive, "violation", missing, 0, message)
        if found.smallest_entropy < policy.entropy_l - _ROUNDING:
            message = (
                f"a class has {figure(found.smallest_entropy)} values of '{found.sensitive}' by its entropy; "
                f"required: {figure(policy.entropy_l)}"
            )
            lacking = policy.entropy_l - found.smallest_entropy
            yield Finding("entropy_l", found.sensitive, "violation", lacking, 0, message)


def _closeness(closeness: Sequence[ClosenessRisk], policy: MicrodataPolicy) -> Iterator[Finding]:
    for found in closeness:
        if policy.t is not None and not found.is_close:
            message = (
                f"'{found.sensitive}' in a class is {figure(found.largest_distance)} from the whole file; "
                f"allowed: {figure(policy.t)}"
            )
            yield Finding("t", found.sensitive, "violation", found.largest_distance, policy.t, message)


def _special(risk: RecordsRisk, policy: MicrodataPolicy) -> Iterator[Finding]:
    found, limit = risk.special, policy.max_special_share
    if found is None or limit is None:
        return
    alone = sum(found.smallest_sizes[: policy.special_size])
    held = alone / found.n if found.n else 0.0
    message = (
        f"{count(alone)} of {count(found.n)} records ({share(held)}) are singled out by up to {policy.special_size} "
        f"quasi-identifiers; allowed: {share(limit)}"
    )
    yield from _over("max_special_share", CLASSES, held, limit, message)
    if held <= limit and found.size_searched < min(policy.special_size, len(found.quasi_identifiers)):
        searched = f"{count(found.combinations_searched)} of {count(found.combinations_in_all)} combinations"
        message = f"{searched} were searched within the limit of work; allow more with special_work"
        yield Finding("max_special_share", CLASSES, "undecided", held, limit, message)


def _risk(risk: RecordsRisk, policy: MicrodataPolicy) -> Iterator[Finding]:
    found = risk.weighted
    if found is None or policy.max_risk is None:
        return
    held = found.records_above / found.n if found.n else 0.0
    whose = "household" if found.households is not None else "individual"
    message = (
        f"{count(found.records_above)} of {count(found.n)} records ({share(held)}) have a {whose} risk above "
        f"{share(policy.max_risk)}; allowed: {share(policy.max_share_above_risk)}"
    )
    yield from _over("max_risk", CLASSES, held, policy.max_share_above_risk, message)


def _units(risk: RecordsRisk, policy: MicrodataPolicy) -> Iterator[Finding]:
    found, least = risk.units, policy.min_unit_population
    if found is None or least is None:
        return
    where = " × ".join(found.columns)
    rule, held = "min_unit_population", found.records_below / found.n if found.n else 0.0
    counted_by = ", by the weights" if found.population_from == "weights" else ""
    message = (
        f"{counted(found.units_below, 'geographic unit has', 'geographic units have')} fewer than {count(least)} "
        f"people{counted_by}, with {counted(found.records_below, 'record', 'records')} in all; combine units, or leave "
        "their names out"
    )
    yield from _over(rule, where, held, 0, message)
    if found.units_unknown and not found.units_below:
        message = (
            f"nobody knows how many people live in {count(found.units_unknown)} of "
            f"{counted(found.units, 'geographic unit', 'geographic units')}; declare a file of populations or weights"
        )
        yield Finding(rule, where, "undecided", found.records_unknown / found.n, 0, message)
