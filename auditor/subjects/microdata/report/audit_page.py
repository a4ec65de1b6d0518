"""What the page about an audit of records shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor import __version__
from auditor.reports.charts.drawing import Series
from auditor.reports.charts.exposure_curve import exposure_curve_chart
from auditor.reports.names import readable
from auditor.reports.verdict import Verdict
from auditor.subjects.microdata.auditing import RecordsAudit
from auditor.subjects.microdata.charts.class_sizes import class_sizes_chart
from graphkit.microdata.risk.intrusion import IntrusionRisk
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk
from graphkit.numbers import count, counted, figure, share

_RECORDS: Series = ("before", "records")
_COMBINATIONS = 10


@dataclass(frozen=True, slots=True, eq=False)
class AuditReport:
    """An audit, and when it was made. Its figures are about the records as they are: not for the public."""

    name: str
    created_at: datetime
    audit: RecordsAudit


def audit_page(report: AuditReport) -> dict[str, Any]:
    """Return what the template shows: figures, no value of a record."""
    audit, classes = report.audit, report.audit.risk.classes
    k = audit.policy.k
    charts = class_sizes_chart(classes, k), exposure_curve_chart([(_RECORDS, classes)], k, "records", "classes")
    special = audit.risk.special
    return {
        "report": report,
        "version": __version__,
        "k": k,
        "verdict": verdict_of_audit(audit),
        "meaning": f"k = {count(k)} means: whoever knows the quasi-identifiers of a person finds at least {count(k)} "
        "records with them, or none; never fewer.",
        "tiles": _tiles(audit),
        "charts": [chart for chart in charts if chart is not None],
        "sensitive": _sensitive(audit),
        "special": special,
        "intrusion": _intrusion(audit.risk.intrusion),
        "combinations": _combinations(special),
        "shares": [] if special is None else _shares(special),
        "findings": audit.findings,
        "roles": [(role, names) for role, names in _roles(audit) if names],
    }


def verdict_of_audit(audit: RecordsAudit) -> Verdict:
    """Return whether records may be published as they are."""
    classes = audit.risk.classes
    exposed = (
        f"{count(classes.records_below_k)} of {count(classes.n)} records ({share(classes.share_below_k)}) share their "
        f"quasi-identifiers with fewer than {count(classes.k - 1)} others; {count(classes.unique_records)} with none."
    )
    if audit.verdict == "passed":
        return Verdict(True, "The records meet the policy as they are", (exposed,))
    if audit.verdict == "undecided":
        return Verdict(False, "Not decided: a search ended before it was done", (exposed,))
    advice = "A version in which records have company must be made and verified before the release."
    return Verdict(False, "Not ready to be published", (exposed, advice))


def _tiles(audit: RecordsAudit) -> list[tuple[str, str, str]]:
    classes, weighted = audit.risk.classes, audit.risk.weighted
    tiles = [
        ("records", count(classes.n), f"in {counted(classes.classes, 'class', 'classes')}"),
        ("records below k", count(classes.records_below_k), share(classes.share_below_k)),
        ("alone in their class", count(classes.unique_records), ""),
        ("smallest class", count(classes.smallest_class), ""),
        ("a guess hits", share(classes.reidentification_rate), "within the right class"),
    ]
    if weighted is not None:
        whose = "individual" if weighted.households is None else "household"
        tiles.append((f"largest {whose} risk", share(weighted.largest_risk), f"mean {share(weighted.mean_risk)}"))
    return tiles


def _sensitive(audit: RecordsAudit) -> list[tuple[str, str, str, str, str]]:
    return [
        (
            readable(diverse.sensitive),
            count(diverse.smallest_distinct),
            count(diverse.homogeneous_records),
            figure(diverse.smallest_entropy),
            f"{figure(close.largest_distance)} ({close.distance})",
        )
        for diverse, close in zip(audit.risk.diversity, audit.risk.closeness, strict=True)
    ]


def _combinations(special: SpecialUniqueRisk | None) -> list[tuple[str, str]]:
    found = () if special is None else special.combinations[:_COMBINATIONS]
    return [(readable(" × ".join(one.quasi_identifiers)), count(one.minimal_records)) for one in found]


def _intrusion(found: IntrusionRisk | None) -> list[tuple[str, str]]:
    if found is None:
        return []
    rows = [
        ("share of the population in the file", share(found.fraction)),
        ("a unique match is right (DIS)", share(found.match_probability)),
        ("largest DIS-SUDA score", figure(found.largest_score)),
        ("mean DIS-SUDA score", figure(found.mean_score)),
    ]
    return [
        *rows,
        *((f"records with a score above {figure(least)}", count(above)) for least, above in found.above if above),
    ]


def _shares(special: SpecialUniqueRisk) -> list[tuple[str, str]]:
    return [
        (readable(name), share(held))
        for name, held in sorted(special.attribute_shares.items(), key=lambda one: -one[1])
    ]


def _roles(audit: RecordsAudit) -> list[tuple[str, tuple[str, ...]]]:
    roles = audit.roles
    single = [
        ("Weight", roles.weight),
        ("Stratum", roles.stratum),
        ("Household", roles.household),
        ("Record key", roles.record_key),
    ]
    return [
        ("Quasi-identifiers", roles.quasi_identifiers),
        ("Sensitive", roles.sensitive),
        ("Geographic units", roles.geography),
        ("Direct identifiers", roles.identifiers),
        ("Left out of releases", roles.left_out),
        *((role, () if name is None else (name,)) for role, name in single),
    ]
