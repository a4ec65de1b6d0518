"""What the page about a protected version shows to those who may see the original."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor import __version__
from auditor.core.digests import file_digest
from auditor.exports.manifest import Manifest
from auditor.reports.charts.drawing import Chart, Series
from auditor.reports.verdict import Verdict
from auditor.subjects.microdata.charts.distribution import distribution_chart
from auditor.subjects.microdata.charts.group_sizes import group_sizes_chart
from auditor.subjects.microdata.charts.risk_utility import risk_utility_chart
from auditor.subjects.microdata.exports.exporting import ExportedRecords
from auditor.subjects.microdata.report.comparison_rows import attribute_rows, near_rows, relation_rows
from graphkit.numbers import count, figure, share

_BEFORE: Series = ("before", "original")
_AFTER: Series = ("after", "released")
MOST_PICTURES = 24
"""Attributes whose distribution is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseReport:
    """A protected version, with what it keeps and tells of the original. Protected."""

    name: str
    """Of the original."""
    created_at: datetime
    result: ExportedRecords

    @property
    def manifest(self) -> Manifest | None:
        """What the written file claims; None where nothing was written."""
        return None if self.result.published is None else self.result.published.manifest

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of every file by its name, the release itself first."""
        published = self.result.published
        return {} if published is None else {path.name: file_digest(path) for path in published.files}


def release_page(report: ReleaseReport) -> dict[str, Any]:
    """Return what the internal template shows."""
    result, manifest = report.result, report.manifest
    answer, found = result.answer, result.measures.comparison
    return {
        "report": report,
        "version": __version__,
        "k": answer.k,
        "verdict": _verdict(report),
        "meaning": meaning_of_groups(answer.k),
        "tiles": _tiles(report),
        "charts": _charts(report),
        "distributions": _distributions(report),
        "left_out": max(0, len(result.measures.histograms) - MOST_PICTURES),
        "attributes": attribute_rows(found),
        "relations": relation_rows(found),
        "near": near_rows(found),
        "checks": () if manifest is None else manifest.verification.checks,
        "files": report.digests,
        "export": None if manifest is None else manifest.export,
        "result": result,
        "least": answer.k,
    }


def meaning_of_groups(k: int) -> str:
    """Return what k promises, in one sentence."""
    others = "one other record" if k == 2 else f"{count(k - 1)} other records"
    return (
        f"k = {count(k)} means: every combination of values of the aggregated attributes is that of at least "
        f"{count(k)} records. Nobody who knows these attributes of a person can tell the person's record from {others}."
    )


def _verdict(report: ReleaseReport) -> Verdict:
    result, k = report.result, count(report.result.answer.k)
    linkage = result.measures.comparison.linkage
    lost = f"The means keep {share(1 - result.answer.information_loss / 100)} of the variation"
    told = (
        "."
        if linkage is None
        else (
            f"; an attacker who knows all attributes links {share(linkage.correct)} of the records to the right "
            f"person, {share(linkage.before)} before."
        )
    )
    if report.manifest is None:
        sentence = f"These are the figures of a version with k = {k}. {lost}{told}"
        return Verdict(False, "Nothing was written", (sentence,), "Not written")
    checked = f"The file was read back and checked. {lost}{told}"
    if result.published is not None and result.published.approval is not None:
        return Verdict(False, "It awaits approval by a second person", (checked,), "Pending")
    return Verdict(True, "The release satisfies its claim", (checked,))


def _tiles(report: ReleaseReport) -> list[tuple[str, str, str]]:
    answer, found = report.result.answer, report.result.measures.comparison
    least = (
        "proven to be the least" if answer.status == "optimal" else f"proven: at least {figure(answer.proven_loss)} %"
    )
    if report.result.rounded_loss is not None:
        least += f"; {figure(report.result.rounded_loss)} % after rounding"
    tiles = [
        ("records", count(int(answer.labels.size)), ""),
        ("groups", count(answer.groups), f"of {count(answer.k)} to {count(answer.largest_group)} records"),
        ("information loss", f"{figure(answer.information_loss)} %", least),
    ]
    if found.linkage is not None:
        error = "" if found.linkage.error is None else f" ± {share(found.linkage.error)}"
        tiles.append(
            (
                "linked to the right record",
                share(found.linkage.correct) + error,
                f"{share(found.linkage.before)} before",
            )
        )
    if found.unique is not None:
        tiles.append(("alone with their values", share(found.unique[1]), f"{share(found.unique[0])} before"))
    return tiles


def _charts(report: ReleaseReport) -> list[Chart]:
    effects, k = report.result.measures, report.result.answer.k
    charts = group_sizes_chart(effects.sizes, k), risk_utility_chart(effects.curve, k)
    return [chart for chart in charts if chart is not None]


def _distributions(report: ReleaseReport) -> list[Chart]:
    k = report.result.answer.k
    return [
        distribution_chart(
            found.attribute, found.borders, [(_BEFORE, found.before), (_AFTER, found.after)], place=place, least=k
        )
        for place, found in enumerate(report.result.measures.histograms[:MOST_PICTURES])
    ]
