"""What `auditor microdata microaggregate` answers."""

from typing import Any

from auditor.core.digests import file_digest
from auditor.subjects.microdata.exports.exporting import ExportedRecords
from cli.terminal.output import Output
from graphkit.numbers import count, figure, share


def answer_microaggregated(output: Output, name: str, result: ExportedRecords) -> None:
    """Answer with the figures, and what was written if anything was."""
    answer = result.answer
    if result.unchanged:
        output.note(
            f"left as they are: {', '.join(result.unchanged)}; together with the means they may still single records "
            "out: audit the released file with all quasi-identifiers"
        )
    digests = {str(path): file_digest(path) for path in result.files}
    figures = ("k", "method", "status", "groups", "largest_group", "information_loss", "proven_loss", "gap", "seconds")
    checks = () if result.verification is None else result.verification.checks
    data: dict[str, Any] = {
        "microdata": name,
        **{one: getattr(answer, one) for one in figures},
        "records": int(answer.labels.size),
        "attributes": list(result.attributes),
        "rounded_loss": result.rounded_loss,
        "removed": list(result.removed),
        "unchanged": list(result.unchanged),
        "export": result.export,
        "files": list(digests),
        "digests": digests,
        "verification": checks,
    }
    proven = "proven to be the least" if answer.status == "optimal" else f"at least {figure(answer.proven_loss)} %"
    rows = [
        ("attributes", ", ".join(result.attributes)),
        ("records", count(answer.labels.size)),
        ("groups", f"{count(answer.groups)}, of {answer.k} to {answer.largest_group} records"),
        ("information loss", f"{figure(answer.information_loss)} % ({proven}, gap {share(answer.gap)})"),
        ("method", answer.method),
        ("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in answer.seconds.items())),
    ]
    if result.rounded_loss is not None:
        rows.insert(4, ("after rounding", f"{figure(result.rounded_loss)} %"))
    if result.removed:
        rows.append(("removed", ", ".join(result.removed)))
    done = "a version was written" if result.files else "nothing was written"
    shown: list[Any] = [f"{name}: {done}", output.table(("figure", "value"), rows)]
    if checks:
        shown.append(output.table(("check", "", "of what was written"), [(c.name, "holds", c.text) for c in checks]))
        shown.append(output.table(("file", "SHA-256"), list(digests.items())))
    output.answer(data, *shown)
