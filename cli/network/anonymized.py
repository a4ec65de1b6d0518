"""What `auditor network anonymize` answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cli.terminal.reading import read_data
from graphkit.numbers import count, figure, share

if TYPE_CHECKING:
    from auditor.subjects.networks.exports.exporting import ExportResult
    from cli.terminal.context import Context
    from cli.terminal.subject import Subject
    from graphkit.networks.result import Anonymization
    from graphkit.networks.variants.result import ConstrainedAnonymization

    Answer = Anonymization | ConstrainedAnonymization

_TOLD_APART = 0.1
"""Distance from a guess from which on a person is told."""


def answer_anonymized(
    context: Context, subject: Subject, result: ExportResult, notes: Sequence[str], earlier: int | None
) -> None:
    """Answer with the figures, and what was written if anything was.

    Parameters
    ----------
    earlier : int or None
        Exports of the network before; None of an edge table, which no store knows.
    """
    from auditor.exports.claim import file_digest

    answer, published, output = result.answer, result.published, context.output
    for note in (*notes, *_remarks(answer)):
        output.note(note)
    data = {**_data(subject, answer), "read": read_data(result.network)}
    shown = _shown(context, subject, answer, dry_run=published is None)
    if published is not None:
        # a network may be published in more than one file
        digests = {str(path): file_digest(path) for path in published.files}
        export, checks = published.manifest.export, published.manifest.verification.checks
        data |= {"files": list(digests), "digests": digests, "export": export, "verification": checks}
        if earlier is not None:
            data |= {"approval": published.approval, "earlier": earlier}
        rows = [(check.name, "holds", check.text) for check in checks]
        shown.append(output.table(("check", "", "of what was written"), rows, title="Verified"))
        shown.append(output.table(("file", "SHA-256"), list(digests.items())))
        if published.approval is not None:
            shown.append("it awaits approval by a second person: nothing is released yet")
            shown += output.advice(f"Next, for another person: auditor approval approve {published.approval}")
    output.answer(data, *shown)


def _remarks(result: Answer) -> list[str]:
    from graphkit.networks.result import Anonymization

    if isinstance(result, Anonymization) or result.plausibility is None or result.plausibility.distance < _TOLD_APART:
        return []
    found = result.plausibility
    how = "less" if found.distinguishability > 0.5 else "more"
    return [
        f"added edges look {how} real than the original's: somebody who knows what such ties look like tells them "
        f"apart in {_of_100(0.5 + found.distance)} of 100 cases"
    ]


def _of_100(part: float) -> str:
    return figure(float(f"{100 * part:.3g}"))


def _data(subject: Subject, result: Answer) -> dict[str, Any]:
    from graphkit.networks.result import Anonymization

    data: dict[str, Any] = {
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
        return data | {"work": _effort_of(result)}
    data |= {"edges_added": int(result.added.shape[0]), "edges_deleted": int(result.deleted.shape[0])}
    if result.status == "infeasible":
        # there is no answer to count: a 0 would read as one
        data |= dict.fromkeys(("edges_added", "edges_deleted", "lower_bound", "gap"))
    return {
        **data,
        "reason": result.reason or None,
        "plausibility": _plausibility(result),
    }


def _plausibility(result: ConstrainedAnonymization) -> dict[str, float] | None:
    found = result.plausibility
    return None if found is None else {**dataclasses.asdict(found), "distance": found.distance}


def _shown(context: Context, subject: Subject, result: Answer, *, dry_run: bool) -> list[Any]:
    from graphkit.networks.result import Anonymization

    if result.status == "infeasible":
        return [f"{subject.shown}: infeasible: {result.reason}"]
    bound = f"at least {count(result.lower_bound)} needed, gap {share(result.gap)}"
    proven = "proven to be the fewest possible" if result.status == "optimal" else bound
    goal = f"{result.k}-degree-anonymous"
    if isinstance(result, Anonymization):
        rows = [("edges added", f"{count(result.size)} ({proven})")]
    else:
        rows = _rows_under_limits(result, proven)
        goal += "" if result.constraints.subset is None else " in the subset"
    rows += [
        ("method", result.method),
        *([("work", figure(_effort_of(result)))] if isinstance(result, Anonymization) else []),
        ("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in result.seconds.items())),
    ]
    done = f"a version that is {goal} was written"
    title = f"{subject.shown}: {f'what makes it {goal} (nothing was written)' if dry_run else done}"
    shown = [title, context.output.table(("figure", "value"), rows)]
    if isinstance(result, Anonymization) and result.status != "optimal":
        shown += context.output.advice(
            f"Next, for a smaller gap: --prove, or --effort {_further(result):g}; --time-limit ends either by the clock"
        )
    return shown


def _effort_of(result: Anonymization) -> float:
    """Return the work that was done in the unit of `--effort`."""
    from graphkit.networks.effort.work import SECOND

    return result.work / SECOND


def _further(result: Anonymization) -> float:
    """Return an effort that is worth a try after this one."""
    from graphkit.networks.effort.work import PROVING_EFFORT

    return max(2 * PROVING_EFFORT, float(f"{5 * _effort_of(result):.1g}"))


def _rows_under_limits(result: ConstrainedAnonymization, proven: str) -> list[tuple[str, str]]:
    rows = [
        ("edges changed", f"{count(result.size)} ({proven})"),
        ("edges added", count(result.added.shape[0])),
        ("edges deleted", count(result.deleted.shape[0])),
    ]
    if (found := result.plausibility) is not None:
        told = f"in {_of_100(found.distinguishability)} of 100 cases (50 is a guess; {_of_100(found.distance)} away)"
        rows.append(("an original edge looks more real than an added one", told))
    return rows
