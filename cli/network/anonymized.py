"""What `auditor network anonymize` answers."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from auditor.core.digests import file_digest
from auditor.exports.publishing import Published
from auditor.subjects.networks.exports.exporting import ExportResult
from auditor.subjects.networks.exports.network_release import Answer
from cli.terminal.context import Context
from cli.terminal.policy_option import next_for_another
from cli.terminal.reading import read_data
from cli.terminal.subject import Subject
from graphkit.effort import PROVING_EFFORT, SECOND
from graphkit.networks.result import Anonymization
from graphkit.networks.variants.result import ConstrainedAnonymization
from graphkit.numbers import count, figure, share

_TOLD_APART = 0.1
"""Distance from a guess from which on a warning is shown."""


def answer_anonymized(
    context: Context, subject: Subject, result: ExportResult, notes: Sequence[str], earlier: int | None
) -> None:
    """Answer with the figures, and what was written if anything was.

    Parameters
    ----------
    earlier : int or None
        Exports of the network before; None of an edge table, which no store knows.
    """
    answer, published, output = result.answer, result.published, context.output
    output.note(*notes, *_remarks(answer))
    data = {**_data(subject, answer), "read": read_data(result.network or result.read)}
    shown = _shown(context, subject, answer, published)
    if published is not None:
        # a network may be published in more than one file
        digests = {str(path): file_digest(path) for path in published.files}
        export, checks = published.manifest.export, published.manifest.verification.checks
        data |= {"files": list(digests), "digests": digests, "export": export, "verification": checks}
        if earlier is not None:
            data |= {"approval": published.approval, "agreed_by": published.agreed_by, "earlier": earlier}
        shown.append(output.checks(checks, "of what was written", title="Verified"))
        shown.append(output.table(("file", "SHA-256"), list(digests.items())))
        if published.approval is not None:
            shown += output.advice(*next_for_another(published.approval))
        elif published.agreed_by is not None:
            shown.append(f"released with the approval that {published.agreed_by} had given beforehand")
    output.answer(data, *shown)


def _remarks(answer: Answer) -> list[str]:
    found = None if isinstance(answer, Anonymization) else answer.plausibility
    if found is None or found.distance < _TOLD_APART:
        return []
    how = "less" if found.distinguishability > 0.5 else "more"
    return [
        f"added edges look {how} real than the original's: somebody who knows what such ties look like tells them "
        f"apart in {_of_100(0.5 + found.distance)} of 100 cases"
    ]


def _of_100(part: float) -> str:
    return figure(float(f"{100 * part:.3g}"))


def _data(subject: Subject, answer: Answer) -> dict[str, Any]:
    figures = ("k", "method", "status", "lower_bound", "gap", "seconds")
    data = {"network": subject.shown, **{name: getattr(answer, name) for name in figures}}
    if isinstance(answer, Anonymization):
        return {**data, "edges_added": answer.size, "work": answer.work / SECOND}
    data |= {"edges_added": int(answer.added.shape[0]), "edges_deleted": int(answer.deleted.shape[0])}
    if answer.status == "infeasible":
        # there is no answer to count: a 0 would read as one
        data |= dict.fromkeys(("edges_added", "edges_deleted", "lower_bound", "gap"))
    found = answer.plausibility
    plausibility = None if found is None else {**asdict(found), "distance": found.distance}
    return {**data, "reason": answer.reason or None, "plausibility": plausibility}


def _shown(context: Context, subject: Subject, answer: Answer, published: Published | None) -> list[Any]:
    if answer.status == "infeasible":
        return [f"{subject.shown}: infeasible: {answer.reason}"]
    bound = f"at least {count(answer.lower_bound)} needed, gap {share(answer.gap)}"
    proven = "proven to be the fewest possible" if answer.status == "optimal" else bound
    goal, advice = f"{answer.k}-degree-anonymous", list[str]()
    if isinstance(answer, Anonymization):
        effort = answer.work / SECOND
        rows = [("edges added", f"{count(answer.size)} ({proven})"), ("work", figure(effort))]
        if answer.status != "optimal":
            further = max(2 * PROVING_EFFORT, float(f"{5 * effort:.1g}"))
            advice = context.output.advice(
                f"Next, for a smaller gap: --prove, or --effort {further:g}; --time-limit ends either by the clock"
            )
    else:
        rows = _rows_under_limits(answer, proven)
        goal += "" if answer.constraints.subset is None else " in the subset"
    seconds = ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in answer.seconds.items())
    rows += [("method", answer.method), ("seconds", seconds)]
    if published is None:
        done = f"what makes it {goal} (nothing was written)"
    elif published.approval is not None:
        done = f"a version that is {goal} awaits approval by another person; nothing is released yet"
    else:
        done = f"a version that is {goal} was written"
    return [f"{subject.shown}: {done}", context.output.table(("figure", "value"), rows), *advice]


def _rows_under_limits(answer: ConstrainedAnonymization, proven: str) -> list[tuple[str, str]]:
    rows = [
        ("edges changed", f"{count(answer.size)} ({proven})"),
        ("edges added", count(answer.added.shape[0])),
        ("edges deleted", count(answer.deleted.shape[0])),
    ]
    if (found := answer.plausibility) is not None:
        told = f"in {_of_100(found.distinguishability)} of 100 cases (50 is a guess; {_of_100(found.distance)} away)"
        rows.append(("an original edge looks more real than an added one", told))
    return rows
