"""The edition for those who may see the original: everything, before and after."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.core.finding import Finding
from auditor.reports.charts.drawing import Chart, Series
from auditor.subjects.networks.charts.block_sizes import block_sizes_chart
from auditor.subjects.networks.charts.degree_blocks import degree_blocks_chart
from auditor.subjects.networks.charts.knowledge_shares import knowledge_shares_chart
from auditor.subjects.networks.charts.risk_curve import risk_curve_chart
from auditor.subjects.networks.report.knowledge_rows import knowledge_rows
from auditor.subjects.networks.report.network_report import Making, NetworkReport
from auditor.subjects.networks.report.verdict import meaning_of_k, verdict_of_network
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.networks.utility import Agreement, Change, Comparison, Measure
from graphkit.numbers import count, figure, share, signed, signed_share

_BEFORE: Series = ("before", "original")
_AFTER: Series = ("after", "released")


@dataclass(frozen=True, slots=True)
class Row:
    """A figure before and after, in words; empty where there is none: without a release, or where nothing is said."""

    name: str
    before: str
    after: str = ""
    change: str = ""
    note: str = ""


def internal_page(report: NetworkReport) -> dict[str, Any]:
    """Return what the internal template shows."""
    release, k = report.release, report.audit.policy.k
    comparison = release.comparison if release is not None else None
    return {
        "report": report,
        "version": report.version,
        "k": k,
        "verdict": verdict_of_network(report),
        "meaning": meaning_of_k(k),
        "figures": _key_figures(report),
        "charts": _charts(report),
        "knowledge": knowledge_rows(_given(report), k),
        "knowledge_chart": knowledge_shares_chart([_BEFORE, _AFTER], _given(report), k),
        "measures": _measures(report),
        "compared": comparison is not None,
        "distances": comparison.distances if comparison is not None else (),
        "agreements": _agreements(comparison) if comparison is not None else [],
        "paired": comparison is not None and comparison.paired,
        "findings": [(f, *_as_figures(f)) for f in report.audit.findings],
        "policy": report.audit.policy,
        "release": release,
        "command": f"auditor network anonymize {shlex.quote(report.name)} --k {k} --out released.csv",
    }


def _key_figures(report: NetworkReport) -> list[Row]:
    risk, release = report.audit.risk, report.release
    risks = [risk] if release is None or release.risk is None else [risk, release.risk]
    figures = [
        Row("vertices below k", *(count(r.below(risk.k)) for r in risks)),
        Row("the only one of their degree", *(count(r.unique_vertices) for r in risks)),
        Row("smallest block", *(count(r.smallest_block) for r in risks)),
        Row("a guess hits", *(share(r.reidentification_rate) for r in risks)),
        Row("vertices", count(risk.n)),
    ]
    if release is None or release.making is None:
        return [*figures, Row("edges", count(risk.edges))]
    return [*figures, _edges_added(release.making, risk.edges)]


def _edges_added(making: Making, edges: int) -> Row:
    note = f"{signed_share(making.edges_added / edges)} of {count(edges)}" if edges else "the original has none"
    if making.lower_bound is not None:
        fewest = making.edges_added == making.lower_bound
        note += "; proven to be the fewest" if fewest else f"; proven: at least {count(making.lower_bound)} are needed"
    if making.edges_deleted:
        note += f"; {count(making.edges_deleted)} were removed"
    return Row("edges added", count(making.edges_added), note=note)


def _charts(report: NetworkReport) -> list[Chart]:
    k, risks = report.audit.policy.k, [(_BEFORE, report.audit.risk)]
    if report.release is not None and report.release.risk is not None:
        risks.append((_AFTER, report.release.risk))
    blocks = [(series, risk.block_sequence) for series, risk in risks]
    charts = (degree_blocks_chart(blocks, k), block_sizes_chart(blocks, k), risk_curve_chart(risks, k))
    return [chart for chart in charts if chart is not None]


def _given(report: NetworkReport) -> list[Mapping[str, CandidateRisk]]:
    """Return the risk under each knowledge, of the original and, where there is one, of the release."""
    if not report.audit.given:
        return []
    given: list[Mapping[str, CandidateRisk]] = [{"degree": report.audit.risk, **report.audit.given}]
    release = report.release
    if release is not None and release.risk is not None and release.given:
        given.append({"degree": release.risk, **release.given})
    return given


def _measures(report: NetworkReport) -> list[Row]:
    comparison = report.release.comparison if report.release is not None else None
    if comparison is not None:
        pairs = zip(comparison.before.measures, comparison.after.measures, comparison.changes, strict=True)
        return [Row(a.name, _value(a), _value(b), _change(change), change.note) for a, b, change in pairs]
    if report.utility is None:
        return []
    return [Row(m.name, _value(m), note=m.note) for m in report.utility.measures]


def _agreements(comparison: Comparison) -> list[Row]:
    """Return how far two networks say the same of the same vertices, beside two runs on the first."""
    return [
        Row(a.name, _value(a), figure(a.baseline) if a.baseline is not None else "", note=a.note)
        for a in comparison.agreements
    ]


def _value(measure: Measure | Agreement) -> str:
    if measure.value is None:
        return "–"
    error = f" ± {_error(measure.error)}" if measure.error is not None else ""
    return figure(measure.value) + error


def _error(error: float) -> str:
    """Return a standard error: its second digit says nothing."""
    return figure(float(f"{error:.1g}"))


def _change(change: Change) -> str:
    difference = change.absolute
    if difference is None:
        return "–"
    if difference == 0:
        return "none"
    if change.error and abs(difference) < 2 * change.error:
        return "within the sampling error"
    share_of_it = f" ({signed_share(change.relative)})" if change.relative is not None else ""
    error = f" ± {_error(change.error)}" if change.error else ""
    return signed(difference) + error + share_of_it


def _as_figures(finding: Finding) -> tuple[str, str]:
    """Return a finding's figure and threshold, shares as percentages."""
    write = share if finding.rule.startswith("max_share") or finding.rule.endswith("_rate") else figure
    return write(finding.figure), write(finding.threshold)
