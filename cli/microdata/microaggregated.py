"""What `auditor microdata microaggregate` answers."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from auditor.core.digests import file_digest
from auditor.subjects.microdata.exports.exporting import ExportedRecords
from auditor.subjects.microdata.exports.large import ExportedParts
from cli.microdata.comparison import comparison_data, utility_rows
from cli.microdata.wanted import note_unchanged, unchanged_data, what_was_done
from cli.terminal.output import Output
from cli.terminal.policy_option import next_for_another
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.table.result import TableMicroaggregation
from graphkit.numbers import count, figure, share

_MISSING = {
    "group": "stay missing; records that lack the same values form groups of their own",
    "impute": "imputed before, by the aggregate of the attribute",
}


def answer_microaggregated(
    output: Output, name: str, result: ExportedRecords | ExportedParts, reports: Sequence[Path]
) -> None:
    """Answer with the figures, and what was written if anything was; reports are the pages about it."""
    answer, claim, effects = result.answer, result.claim, result.effects
    note_unchanged(output, result.unchanged, "the aggregates")
    published = result.published
    output.note(*result.remarks)
    digests = {} if published is None else {str(path): file_digest(path) for path in published.files}
    figures = ("k", "method", "status", "groups", "largest_group", "information_loss", "proven_loss", "gap", "seconds")
    checks = () if published is None else published.manifest.verification.checks
    data: dict[str, Any] = {
        "microdata": name,
        **{one: getattr(answer, one) for one in figures},
        "records": answer.records,
        "attributes": list(result.attributes),
        "aggregates": {name: claim.aggregate_of(name) for name in claim.attributes},
        "scaling": result.treatment.scaling,
        "weights": dict(result.treatment.weights),
        "missing": claim.missing,
        "aggregate_loss": result.aggregate_loss,
        "rounded_loss": result.rounded_loss,
        "utility": None if effects is None else comparison_data(effects.comparison),
        "curve": [] if effects is None else [asdict(point) for point in effects.curve],
        "removed": list(result.removed),
        **unchanged_data(result.unchanged),
        "export": None if published is None else published.manifest.export,
        "approval": None if published is None else published.approval,
        "agreed_by": None if published is None else published.agreed_by,
        "files": list(digests),
        "digests": digests,
        "reports": [str(path) for path in reports],
        "verification": checks,
        "remarks": list(result.remarks),
    }
    sizes = str(answer.k) if answer.largest_group == answer.k else f"{answer.k} to {answer.largest_group}"
    rows = [
        ("attributes", ", ".join(map(partial(_attribute, result), result.attributes))),
        ("records", count(answer.records)),
        ("groups", f"{count(answer.groups)}, of {sizes} records"),
        ("information loss", f"{figure(answer.information_loss)} % ({_proven(answer)})"),
        ("method", answer.method),
        ("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in answer.seconds.items())),
    ]
    if result.rounded_loss is not None:
        rows.insert(4, ("after rounding", f"{figure(result.rounded_loss)} %"))
    if result.aggregate_loss is not None:
        rows.insert(4, ("with medians and modes", f"{figure(result.aggregate_loss)} %"))
    if result.treatment.scaling != "standard":
        rows.insert(4, ("scaling", result.treatment.scaling))
    if claim.missing != "error":
        within = " in the stratum" if claim.missing == "impute" and claim.stratum is not None else ""
        rows.insert(2, ("missing values", _MISSING[claim.missing] + within))
    if result.removed:
        rows.append(("removed", ", ".join(result.removed)))
    rows += [] if effects is None else utility_rows(effects.comparison)
    shown: list[Any] = [f"{name}: {what_was_done(published)}", output.table(("figure", "value"), rows)]
    if effects is not None and effects.curve:
        points = [(one.k, f"{figure(one.information_loss)} %", share(one.linked)) for one in effects.curve]
        columns = ("k", "information loss", "linked to the right record")
        shown.append(
            output.table(columns, points, title="Risk against utility, found with little work but for k itself")
        )
    if checks:
        shown.append(output.checks(checks, "of what was written"))
        shown.append(output.table(("file", "SHA-256"), list(digests.items())))
    if published is not None and published.approval is not None:
        shown += output.advice(*next_for_another(published.approval))
    if published is not None and published.agreed_by is not None:
        shown.append(f"released with the approval that {published.agreed_by} had given beforehand")
    output.answer(data, *shown)


def _proven(answer: Microaggregation | TableMicroaggregation) -> str:
    """Return what is proven of the loss."""
    if answer.status != "optimal" and isinstance(answer, TableMicroaggregation):
        return "no bound is proven with --large"
    least = "proven to be the least" if answer.status == "optimal" else f"at least {figure(answer.proven_loss)} %"
    return f"{least}, gap {share(answer.gap)}"


def _attribute(result: ExportedRecords | ExportedParts, name: str) -> str:
    """Return an attribute with what is not usual about it."""
    aggregate, weight = result.claim.aggregate_of(name), result.treatment.weights.get(name)
    notes = [aggregate] if aggregate != "mean" else []
    notes += [] if weight is None else [f"weight {figure(weight)}"]
    return f"{name} ({', '.join(notes)})" if notes else name
