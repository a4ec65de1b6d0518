"""What the page about a generalized version shows to those who may see the original."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor import __version__
from auditor.core.digests import file_digest
from auditor.reports.charts.drawing import Chart, Series
from auditor.reports.names import readable
from auditor.reports.verdict import Verdict
from auditor.subjects.microdata.charts.categories import categories_chart
from auditor.subjects.microdata.charts.distribution import distribution_chart
from auditor.subjects.microdata.charts.loss_curve import loss_curve_chart
from auditor.subjects.microdata.exports.generalized.exporting import ExportedGeneralization
from auditor.subjects.microdata.exports.generalized.notation import notation_of
from graphkit.numbers import count, figure, share

_SERIES: tuple[Series, Series] = (("before", "original"), ("after", "released"))
STANDS = {"range": "ranges", "set": "sets", "tree": "groups of a hierarchy"}
"""What stands for several values, in words."""


@dataclass(frozen=True, slots=True, eq=False)
class GeneralizedReport:
    """A generalized version, with what it keeps of the original. Protected."""

    name: str
    """Of the original."""
    created_at: datetime
    result: ExportedGeneralization

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of every file by its name, the release itself first."""
        published = self.result.published
        return {} if published is None else {path.name: file_digest(path) for path in published.files}


def generalized_page(report: GeneralizedReport) -> dict[str, Any]:
    """Return what the internal template shows."""
    result = report.result
    manifest = None if result.published is None else result.published.manifest
    losses = result.losses
    return {
        "report": report,
        "version": __version__,
        "k": result.k,
        "verdict": _verdict(report),
        "meaning": meaning_of_freeform(result.k, any(seen.of_households for seen in result.sensitive)),
        "tiles": _tiles(result),
        "curve": None if result.kept is None else loss_curve_chart(result.kept.curve, result.k),
        "distributions": _distributions(result),
        "attributes": [
            (readable(domain.name), STANDS[domain.kind], count(len(domain.values)), share(losses[domain.name]))
            for domain in result.coded.domains
        ],
        "notation": list(notation_of({domain.name: domain.kind for domain in result.coded.domains}).items()),
        "sensitive": [
            (readable(seen.column), count(seen.fewest), seen.demand or "nothing") for seen in result.sensitive
        ],
        "methods": _methods(result),
        "checks": () if manifest is None else manifest.verification.checks,
        "files": report.digests,
        "export": None if manifest is None else manifest.export,
        "result": result,
        "method": "as in an earlier export" if result.answer is None else result.answer.method,
    }


def meaning_of_freeform(k: int, of_households: bool) -> str:
    """Return what k promises of generalized records, and what is promised of households."""
    meaning = (
        f"k = {count(k)} means: every released record may be any of {count(k)} people, each with the same probability, "
        f"and every person any of {count(k)} records."
    )
    return f"{meaning} No two of them are of one household." if of_households else meaning


def _verdict(report: GeneralizedReport) -> Verdict:
    result = report.result
    kept = f"Half of all random counts are off by {share(result.queries.median)} or less."
    if result.published is None:
        return Verdict(False, "Nothing was written", (f"These are the figures of a version. {kept}",), "Not written")
    checked = f"The file was read back and checked. {kept}"
    if result.published.approval is not None:
        return Verdict(False, "It awaits approval by a second person", (checked,), "Pending")
    return Verdict(True, "The release satisfies its claim", (checked,))


def _tiles(result: ExportedGeneralization) -> list[tuple[str, str, str]]:
    answer, proven = result.answer, "as in an earlier export"
    if answer is not None:
        least = f"proven: at least {figure(answer.lower_bound)}"
        proven = "proven to be the least" if answer.status == "optimal" else least
    found = result.queries
    left_out = ""
    if result.suppressed:
        left_out = f"; {count(result.suppressed)} of {count(result.records)} were left out"
        proven = f"{proven}; {figure(result.gcp_with_suppressed)} if those left out lose all"
    return [
        ("records", count(result.records - result.suppressed), f"each hides among {count(result.k)}{left_out}"),
        ("loss (GCP)", figure(result.gcp), proven),
        ("counts off by", share(found.median), f"half of {count(found.queries)}; nine in ten by {share(found.upper)}"),
    ]


def _methods(result: ExportedGeneralization) -> list[tuple[str, str, str, str]]:
    """Return the release beside what other methods would have made."""
    if result.kept is None:
        return []
    own = share(result.suppressed / result.records) if result.suppressed else "none"
    rows = [("this release", figure(result.gcp_with_suppressed), share(result.queries.median), own)]
    for one in result.kept.others:
        name = one.name if one.is_optimal else f"{one.name}, the best that was found with little work"
        suppressed = share(one.suppressed) if one.suppressed else "none"
        rows.append((name, figure(one.gcp), share(one.queries.median), suppressed))
    return rows


def _distributions(result: ExportedGeneralization) -> list[Chart]:
    kept = result.kept
    if kept is None:
        return []
    charts = [
        distribution_chart(
            one.attribute, one.borders, [(_SERIES[0], one.before), (_SERIES[1], one.after)], place=place, least=result.k
        )
        for place, one in enumerate(kept.histograms)
    ]
    return [*charts, *(categories_chart(one, place=place) for place, one in enumerate(kept.categories))]
