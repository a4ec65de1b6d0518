"""What the internal page about stored records shows: what was released of them, and the records as they are."""

from pathlib import Path
from typing import Any

from auditor.reports.charts.drawing import Chart, Series
from auditor.reports.names import readable
from auditor.reports.verdict import Verdict
from auditor.subjects.microdata.charts.distribution import distribution_chart
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of, is_freeform
from auditor.subjects.microdata.report.audit_page import AuditReport, audit_page, verdict_of_audit
from auditor.subjects.microdata.report.comparison_rows import attribute_rows, near_rows, relation_rows
from auditor.subjects.microdata.report.generalized_page import STANDS, meaning_of_freeform
from auditor.subjects.microdata.report.release_page import MOST_PICTURES, meaning_of_groups
from auditor.subjects.microdata.report.stored_report import StoredRelease, StoredReport
from graphkit.numbers import count, figure, share

_BEFORE: Series = ("before", "original")
_AFTER: Series = ("after", "released")


def stored_page(report: StoredReport) -> dict[str, Any]:
    """Return what the template shows: of a release, and of the records as they are."""
    release = report.release
    page = audit_page(AuditReport(report.name, report.created_at, report.audit))
    if release is None:
        return {**page, "release": None}
    kept = release.kept
    found, freeform = kept.comparison, is_freeform(release.export.claim)
    return {
        **page,
        "verdict": _verdict(report, release),
        "meaning": _meaning(release, freeform),
        "release": release,
        "released_tiles": _tiles(release),
        "released_rows": _before_and_after(report, release),
        "generalized": _generalized(release),
        "distributions": _distributions(release),
        "left_out": max(0, len(kept.histograms) - MOST_PICTURES),
        "attributes": [] if found is None else attribute_rows(found),
        "relations": [] if found is None else relation_rows(found),
        "near": [] if found is None else near_rows(found),
        "freeform": freeform,
        "least": release.k,
    }


def _meaning(release: StoredRelease, freeform: bool) -> str:
    if not freeform:
        return meaning_of_groups(release.k)
    return meaning_of_freeform(release.k, bool(claim_of(release.export.claim).withheld))


def _verdict(report: StoredReport, release: StoredRelease) -> Verdict:
    file, original = readable(Path(release.export.path).name), verdict_of_audit(report.audit).sentences[0]
    before = f"The original: {original[0].lower()}{original[1:]}"
    if not release.found.passed:
        failed = ", ".join(check.name for check in release.found.checks if not check.passed)
        advice = f"Failed: {failed}. Do not publish {file}; withdraw it if it is out."
        return Verdict(False, "The release does not satisfy its claim", (advice,))
    wrong = (*release.violations, *release.undecided)
    if wrong:
        said = "; ".join(finding.message for finding in wrong)
        headline = "The release does not meet the policy" if release.violations else "Not decided: a release is unknown"
        return Verdict(False, headline, (f"{file} satisfies its claim, but: {said}.", before))
    if release.export.state != "published":
        state = release.export.state
        headline = f"The release is not published ({state})"
        return Verdict(False, headline, (f"{file} satisfies its claim.", before), state.capitalize())
    checked = f"{file} was read back and checked."
    return Verdict(True, "The release satisfies its claim", (checked, *_still_alone(release), before))


def _still_alone(release: StoredRelease) -> tuple[str, ...]:
    """Return what quasi-identifiers that were left as they were still single out."""
    if release.kept.released is None or release.kept.released.risk.classes.is_anonymous:
        return ()
    left = release.kept.released.risk.classes
    return (
        f"It claims nothing of the quasi-identifiers that were left as they were: by all of them together "
        f"{count(left.records_below_k)} of its records ({share(left.share_below_k)}) are in classes of fewer than "
        f"{count(left.k)}.",
    )


def _tiles(release: StoredRelease) -> list[tuple[str, str, str]]:
    found, loss = release.kept.comparison, release.kept.loss
    tiles = [
        ("k", count(release.k), "as the export claims"),
        ("records", count(int(release.export.claim["n"])), _left_out(int(release.export.claim.get("suppressed", 0)))),
    ]
    if loss is not None:
        tiles.append(("loss (GCP)", figure(loss.gcp), "0 is the original, 1 says nothing"))
    if found is not None and found.information_loss is not None:
        tiles.append(("information loss", f"{figure(found.information_loss)} %", "of the variation"))
    if found is not None and found.linkage is not None:
        before = f"{share(found.linkage.before)} before"
        tiles.append(("linked to the right record", share(found.linkage.correct), before))
    if found is not None and found.unique is not None:
        tiles.append(("alone with their values", share(found.unique[1]), f"{share(found.unique[0])} before"))
    return tiles


def _left_out(suppressed: int) -> str:
    return f"{count(suppressed)} were left out" if suppressed else ""


def _generalized(release: StoredRelease) -> list[tuple[str, str, str]]:
    loss = release.kept.loss
    return (
        [] if loss is None else [(readable(name), STANDS[kind], share(lost)) for name, kind, lost in loss.by_attribute]
    )


def _before_and_after(report: StoredReport, release: StoredRelease) -> list[tuple[str, str, str]]:
    """Return the risk of the original and of the released file, by the same quasi-identifiers."""
    if release.kept.released is None:
        return []
    pairs = report.audit.risk.classes, release.kept.released.risk.classes
    below, alone, smallest, rate = (
        [f"{count(one.records_below_k)} ({share(one.share_below_k)})" for one in pairs],
        [count(one.unique_records) for one in pairs],
        [count(one.smallest_class) for one in pairs],
        [share(one.reidentification_rate) for one in pairs],
    )
    return [
        ("records below k", below[0], below[1]),
        ("alone in their class", alone[0], alone[1]),
        ("smallest class", smallest[0], smallest[1]),
        ("a guess hits", rate[0], rate[1]),
    ]


def _distributions(release: StoredRelease) -> list[Chart]:
    return [
        distribution_chart(
            one.attribute, one.borders, [(_BEFORE, one.before), (_AFTER, one.after)], place=place, least=release.k
        )
        for place, one in enumerate(release.kept.histograms[:MOST_PICTURES])
    ]
