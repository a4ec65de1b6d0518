"""What `auditor network anonymize` answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli.context import Context
    from cli.subject import Subject
    from graphkit.networks.result import Anonymization
    from graphkit.networks.variants.result import ConstrainedAnonymization

    Answer = Anonymization | ConstrainedAnonymization

__all__ = ["answer_anonymized"]


def answer_anonymized(
    context: Context, subject: Subject, result: Answer, written: dict[str, Any], notes: Sequence[str]
) -> None:
    """Answer with the figures, and what was written if anything was."""
    for note in notes:
        context.output.note(note)
    shown = _shown(context, subject, result)
    if written:
        checks = [(check.name, "holds", check.text) for check in written["verification"]]
        title = f"Verified: {written['files'][0]}"
        shown.append(context.output.table(("check", "", "of what was written"), checks, title=title))
    context.output.answer({**_data(subject, result), **written}, *shown)


def _data(subject: Subject, result: Answer) -> dict[str, Any]:
    from graphkit.networks.result import Anonymization

    data = {
        "network": subject.shown,
        "k": result.k,
        "method": result.method,
        "status": result.status,
        "edges_added": result.size,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "seconds": result.seconds,
    }
    if isinstance(result, Anonymization):
        return data
    return {
        **data,
        "edges_added": int(result.added.shape[0]),
        "edges_deleted": int(result.deleted.shape[0]),
        "reason": result.reason or None,
        "plausibility": result.plausibility,
    }


def _shown(context: Context, subject: Subject, result: Answer) -> list[Any]:
    from graphkit.networks.result import Anonymization

    if result.status == "infeasible":
        return [f"{subject.shown}: infeasible: {result.reason}"]
    bound = f"at least {result.lower_bound} needed, gap {100 * result.gap:.3g}%"
    proven = "proven to be the fewest possible" if result.status == "optimal" else bound
    title = f"{subject.shown}: {result.k}-degree-anonymous"
    if isinstance(result, Anonymization):
        rows = [("edges added", f"{result.size} ({proven})")]
    else:
        rows = _rows_under_limits(result, proven)
        title += "" if result.constraints.subset is None else " in the subset"
    rows += [
        ("method", result.method),
        ("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in result.seconds.items())),
    ]
    return [title, context.output.table(("figure", "value"), rows)]


def _rows_under_limits(result: ConstrainedAnonymization, proven: str) -> list[tuple[str, str]]:
    rows = [
        ("edges changed", f"{result.size} ({proven})"),
        ("edges added", str(result.added.shape[0])),
        ("edges deleted", str(result.deleted.shape[0])),
    ]
    if (found := result.plausibility) is not None:
        told = f"in {100 * found.distinguishability:.3g} of 100 cases (50 is a guess)"
        rows.append(("an original edge looks more real than an added one", told))
    return rows
