"""What `auditor microdata audit` answers: the object for machines, the tables for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from auditor.core.finding import Finding
from auditor.formats.records.exposed import ExposedClass
from auditor.formats.records.roles import Roles
from auditor.policy import Policy
from auditor.subjects.microdata.audit_data import audit_data, changed_data
from auditor.subjects.microdata.auditing import RecordsAudit
from cli.terminal.output import Output
from graphkit.microdata.risk.intrusion import IntrusionRisk
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk
from graphkit.numbers import count, figure, share

_CURVE = (2, 3, 5, 10, 20, 50, 100)
_COMBINATIONS = 10
_EXIT = {"violated": 1, "undecided": 3}


def answer_audit(
    output: Output,
    name: str,
    rules: Policy,
    result: RecordsAudit,
    remarks: Sequence[str],
    audit: str | None,
    exposed: Sequence[ExposedClass] | None = None,
    report: Path | None = None,
    *,
    claims_another: bool = False,
) -> None:
    """Answer with the figures, and end with exit code 1 where the policy is violated, 3 where it is undecided.

    Parameters
    ----------
    audit : str, optional
        Id of the audit that was recorded.
    exposed : sequence of ExposedClass, optional
        Values that single records out. Protected.
    report : Path, optional
        The page that was written.
    claims_another : bool, optional
        Whether the file claims what another test finds out.
    """
    output.note(*remarks)
    data = {**audit_data(name, result, rules.digest()), "audit": audit, "remarks": list(remarks), "report": report}
    shown = _shown(output, name, result)
    if claims_another:
        shown[0] += " by this test, which is not the one for what its manifest claims"
    if exposed is not None:
        data["exposed"] = [{"values": list(one.values), "records": one.records} for one in exposed]
        rows = [(*(_one_line(value) for value in one.values), one.records) for one in exposed]
        columns = (*result.roles.quasi_identifiers, "records")
        shown.append(output.table(columns, rows, title="Protected: classes with too few records"))
    output.answer(data, *shown)
    if result.verdict in _EXIT:
        raise typer.Exit(_EXIT[result.verdict])


def answer_changed(
    output: Output, name: str, rules: Policy, roles: Roles, findings: Sequence[Finding], audit: str
) -> NoReturn:
    """Answer that the file of stored records is not the one that was added, and end with exit code 1.

    Parameters
    ----------
    findings : sequence of Finding
        What is wrong with the file; nothing of it was counted, no page is written and no value shown.
    audit : str
        Id of the audit that was recorded.
    """
    data = {
        **changed_data(name, rules.microdata, roles, findings, rules.digest()),
        "audit": audit,
        "remarks": [],
        "report": None,
    }
    output.answer(data, f"{name}: violated", _findings(output, findings))
    raise typer.Exit(_EXIT["violated"])


def _findings(output: Output, findings: Sequence[Finding]) -> Any:
    rows = [(f.rule, f.severity, f.message) for f in findings]
    return output.table(("rule", "severity", "what was found"), rows, title="Findings")


def _shown(output: Output, name: str, result: RecordsAudit) -> list[Any]:
    """Return the tables and lines."""
    classes, weighted, table = result.risk.classes, result.risk.weighted, output.table
    below = f"{count(classes.records_below_k)} ({share(classes.share_below_k)})"
    figures: list[tuple[str, Any]] = [
        ("records", classes.n),
        ("classes of equal quasi-identifiers", classes.classes),
        (f"records in classes of fewer than {classes.k}", below),
        ("records alone in their class", classes.unique_records),
        ("smallest class", classes.smallest_class),
        ("hit rate of a guess within the right class", share(classes.reidentification_rate)),
    ]
    if weighted is not None:
        whose = "individual" if weighted.households is None else "household"
        figures += [
            (f"largest {whose} risk", share(weighted.largest_risk)),
            (f"mean {whose} risk", share(weighted.mean_risk)),
            (f"records with a risk above {share(weighted.threshold)}", weighted.records_above),
        ]
    if result.risk.units is not None:
        units = result.risk.units
        figures += [
            ("geographic units", units.units),
            (f"geographic units of fewer than {count(units.least_population)} people", units.units_below),
            ("geographic units whose population is not known", units.units_unknown),
        ]
    curve = [(k, classes.below(k), share(classes.below(k) / classes.n)) for k in _CURVE]
    shown: list[Any] = [
        f"{name}: {result.verdict}",
        table(("figure", "value"), figures),
        table(("k", "records in smaller classes", "share"), curve, title="The more an attacker must be unsure"),
    ]
    if result.risk.diversity:
        rows = [
            (
                diverse.sensitive,
                diverse.smallest_distinct,
                diverse.homogeneous_records,
                figure(diverse.smallest_entropy),
                f"{figure(close.largest_distance)} ({close.distance})",
            )
            for diverse, close in zip(result.risk.diversity, result.risk.closeness, strict=True)
        ]
        columns = ("sensitive", "values, at least", "records of one value", "by entropy, at least", "distance, at most")
        shown.append(table(columns, rows, title="What a class tells of its members"))
    if result.risk.special is not None:
        shown += _special(output, result.risk.special)
    if result.risk.intrusion is not None:
        shown.append(_intrusion(output, result.risk.intrusion))
    if result.findings:
        shown.append(_findings(output, result.findings))
    return shown


def _special(output: Output, found: SpecialUniqueRisk) -> list[Any]:
    """Return what singles records out: the combinations that do so most, and the share of each column."""
    rows = [(" × ".join(one.quasi_identifiers), one.minimal_records) for one in found.combinations[:_COMBINATIONS]]
    shares = sorted(found.attribute_shares.items(), key=lambda item: -item[1])
    title = f"What singles out {count(found.special_records)} of {count(found.n)} records"
    shown: list[Any] = [
        output.table(("combination", "minimal sample uniques"), rows, title=title),
        output.table(("quasi-identifier", "share of the scores"), [(name, share(held)) for name, held in shares]),
    ]
    if not found.is_complete:
        shown.append(
            f"Partial: {count(found.combinations_searched)} of {count(found.combinations_in_all)} combinations were "
            f"searched, all of up to {found.size_searched} quasi-identifiers; the figures are lower bounds"
        )
    return shown


def _intrusion(output: Output, found: IntrusionRisk) -> Any:
    """Return how likely matches are right: of the file (DIS), and of records (DIS-SUDA)."""
    rows: list[tuple[str, Any]] = [
        ("share of the population in the file", share(found.fraction)),
        ("a unique match is right (DIS)", share(found.match_probability)),
        ("largest DIS-SUDA score", figure(found.largest_score)),
        ("mean DIS-SUDA score", figure(found.mean_score)),
        *((f"records with a score above {figure(least)}", above) for least, above in found.above if above),
    ]
    return output.table(("figure", "value"), rows, title="Data intrusion simulation")


def _one_line(value: object) -> str:
    if value is None:
        return "(missing)"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))
