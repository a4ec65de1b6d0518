"""What `auditor microdata generalize` answers."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from auditor.core.digests import file_digest
from auditor.formats.records.categories import decimal_commas
from auditor.subjects.microdata.exports.generalized.exporting import ExportedGeneralization, Seen
from auditor.subjects.microdata.exports.generalized.large import GeneralizedParts
from cli.microdata.wanted import note_unchanged, unchanged_data, what_was_done
from cli.terminal.output import Output
from cli.terminal.policy_option import next_for_another
from graphkit.microdata.utility.counting import CountQueries
from graphkit.numbers import count, counted, figure, share

_STANDS = {"range": "ranges", "set": "sets", "tree": "groups of a hierarchy"}


def answer_generalized(
    output: Output, name: str, result: ExportedGeneralization | GeneralizedParts, reports: Sequence[Path]
) -> None:
    """Answer with the figures, and what was written if anything was; reports are the pages about it."""
    answer, published = result.answer, result.published
    remarks = _remarks(result)
    output.note(*remarks)
    note_unchanged(output, result.unchanged, "what is generalized")
    digests = {} if published is None else {str(path): file_digest(path) for path in published.files}
    checks = () if published is None else published.manifest.verification.checks
    losses, kept = result.losses, result.kept
    others, curve = ((), ()) if kept is None else (kept.others, kept.curve)
    data: dict[str, Any] = {
        "microdata": name,
        "k": result.k,
        "records": result.records,
        "attributes": list(losses),
        "losses": losses,
        "suppressed": result.suppressed,
        "information_loss": result.gcp,
        "information_loss_with_suppressed": result.gcp_with_suppressed,
        "count_queries": None if result.queries is None else asdict(result.queries),
        "reused": answer is None,
        "method": None if answer is None else answer.method,
        "status": None if answer is None else answer.status,
        "proven_loss": None if answer is None else answer.lower_bound,
        "gap": None if answer is None else answer.gap,
        "seconds": dict(result.seconds),
        "sensitive": [asdict(seen) for seen in result.sensitive],
        "removed": list(result.removed),
        **unchanged_data(result.unchanged),
        "remarks": remarks,
        "export": None if published is None else published.manifest.export,
        "approval": None if published is None else published.approval,
        "agreed_by": None if published is None else published.agreed_by,
        "files": list(digests),
        "digests": digests,
        "reports": [str(path) for path in reports],
        "others": [asdict(one) for one in others],
        "curve": [asdict(point) for point in curve],
        "verification": checks,
    }
    rows = [
        ("records", count(result.records)),
        ("each hides among", count(result.k)),
        ("information loss", _loss(result)),
    ]
    if result.suppressed:
        rows.insert(1, ("left out", f"{count(result.suppressed)} ({share(result.suppressed / result.records)})"))
        rows.append(("with those left out", f"GCP {figure(result.gcp_with_suppressed)}, where each of these loses all"))
    if result.queries is not None:
        rows.append(("counts", _queries(result.queries)))
    rows += [
        (f"{'households' if seen.of_households else 'sensitive'}: {seen.column}", _seen(seen))
        for seen in result.sensitive
    ]
    if answer is None:
        rows.append(("method", "as in an earlier export: a second draw could be compared with it"))
    else:
        rows.append(("method", answer.method))
        rows.append(("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in result.seconds.items())))
    if result.removed:
        rows.append(("removed", ", ".join(result.removed)))
    each = [
        (domain.name, _STANDS[domain.kind], count(len(domain.values)), share(losses[domain.name]))
        for domain in result.domains
    ]
    shown: list[Any] = [f"{name}: {what_was_done(published)}", output.table(("figure", "value"), rows)]
    shown.append(output.table(("attribute", "generalized to", "values", "loss (NCP)"), each))
    if curve:
        points = [(point.k, figure(point.gcp), share(point.queries.median)) for point in curve]
        title = "What other k would cost, found with little work"
        shown.append(output.table(("k", "GCP", "half of the counts off by"), points, title=title))
    if checks:
        shown.append(output.checks(checks, "of what was written"))
        shown.append(output.table(("file", "SHA-256"), list(digests.items())))
    if published is not None and published.approval is not None:
        shown += output.advice(*next_for_another(published.approval))
    if published is not None and published.agreed_by is not None:
        shown.append(f"released with the approval that {published.agreed_by} had given beforehand")
    output.answer(data, *shown)


def _remarks(result: ExportedGeneralization | GeneralizedParts) -> list[str]:
    """Return what to say of columns whose numbers were taken for categories, and of ranges made from the data."""
    told = (decimal_commas(domain.name, domain.values) for domain in result.domains if domain.kind == "set")
    remarks = [remark for remark in told if remark is not None]
    ranges = [domain.name for domain in result.domains if domain.kind == "range"]
    if ranges:
        remarks.append(
            f"ranges of {', '.join(ranges)} begin and end with values of the data, the least and the greatest among "
            "them; see 'Ends of ranges' in docs/generalization.md"
        )
    return remarks


def _loss(result: ExportedGeneralization | GeneralizedParts) -> str:
    loss, answer = f"GCP {figure(result.gcp)}", result.answer
    if answer is None:
        return loss
    if isinstance(result, GeneralizedParts) and answer.status != "optimal":
        return f"{loss} (no bound is proven with --large)"
    proven = "proven to be the least" if answer.status == "optimal" else f"at least {figure(answer.lower_bound)}"
    return f"{loss} ({proven}, gap {share(answer.gap)})"


def _seen(seen: Seen) -> str:
    if seen.of_households:
        return f"each hides among records of {counted(seen.fewest, 'household', 'households')} at least"
    found = f"each hides among records with {counted(seen.fewest, 'value', 'values')} at least"
    if seen.demand:
        return f"{found}; demanded: {seen.demand}, whichever way it is drawn"
    return f"{found}; nothing was demanded (--l, --t)"


def _queries(found: CountQueries) -> str:
    return (
        f"of {found.queries} random ones by up to three attributes, half off by {share(found.median)} or less, nine "
        f"in ten by {share(found.upper)}"
    )
