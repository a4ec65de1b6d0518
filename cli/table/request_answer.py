"""What `auditor table request` answers: words for whoever asked, cells for the officer."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.formats.tables.words import categories_in_words, in_words
from auditor.subjects.tables.representations.requests import proven_cells, reasons_of, way_on
from cli.terminal.names import as_argument
from cli.terminal.output import Output
from cli.terminal.policy_option import next_for_another

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.subjects.tables.releases.recording import RequestAnswer

_MOST_ROWS = 50
_ASKED = {
    "min_width": "{} apart",
    "min_relative_width": "{:g} of the count apart",
    "hide_small": "{} or more possible",
    "min_values": "{} different counts",
    "min_tables": "{} tables",
    "group_disclosure": "a respondent in every category",
}


def answer_shown(
    output: Output, answer: RequestAnswer, policy: Policy, file: Path | None, cells: list[dict[str, Any]] | None
) -> list[Any]:
    """Return lines, and a table for the officer."""
    recorded = answer.recorded
    shown: list[Any] = [
        f"{in_words(recorded.names, recorded.merged)}: {recorded.answer}",
        *reasons_of(answer, policy.table.refusals == "sampled"),
    ]
    if file is not None:
        shown.append(f"written and checked: {file}")
    if cells:
        rows = [_row(cell, settled=recorded.answer != "undecided") for cell in cells[:_MOST_ROWS]]
        columns = ("cell", "possible counts", "rule", "required")
        shown.append(output.table(columns, rows, title="Only for the officer"))
        if len(cells) > _MOST_ROWS:
            shown.append(f"and {len(cells) - _MOST_ROWS} more; --json has all")
    proven = proven_cells(answer)
    if cells is not None and proven is not None:
        shown.append(f"for the officer: {proven['cells']} of {proven['of']} protected cells are proven to be safe")
    is_no = recorded.answer in ("refuse", "coarsen")
    on = way_on(recorded.answer, recorded.names, answer.table.variables, policy.table)
    hints = [] if on is None else [f"{on} (--merge A=X,Y)" if "merge" in on else on]
    hints += ["for the officer: --explain shows the cells behind it"] if is_no and cells is None else []
    return [*shown, *output.advice(f"recorded as entry {recorded.entry} of the ledger", *hints)]


def next_request(
    name: str,
    answer: RequestAnswer,
    policy: Path | None,
    preset: str | None,
    *,
    purpose: str | None = None,
    out: Path | None = None,
    force: bool = False,
) -> list[str]:
    """Return the command that asks for what was proposed, quoted for a shell, or that approves what waits."""
    recorded, proposal = answer.recorded, answer.recorded.proposal
    if recorded.answer == "pending":
        assert recorded.approval is not None
        approve, *how = next_for_another(recorded.approval)
        return [approve if out is None else f"{approve} --out {shlex.quote(str(out))}", *how]
    if recorded.answer == "undecided" and "earlier_data" in recorded.rules:
        return [f"Next: auditor table map {shlex.quote(name)}"]
    if recorded.answer == "undecided" and "population_overlap" in recorded.rules:
        return [f"Next: auditor table overlap {shlex.quote(name)}"]
    if proposal is None:
        return []
    words = ["auditor table request", shlex.quote(name), as_argument(proposal.names)]
    for variable, groups in proposal.merged.items():
        # quotes go round name and category together
        words += [f"--merge {as_argument([f'{variable}={first}', *others])}" for first, *others in groups]
    words.append(f"--by {shlex.quote(recorded.by)}")
    if policy is not None:
        words.append(f"--policy {shlex.quote(str(policy))}")
    if preset is not None:
        words.append(f"--preset {shlex.quote(preset)}")
    if purpose is not None:
        words.append(f"--purpose {shlex.quote(purpose)}")
    if out is not None:
        words.append(f"--out {shlex.quote(str(out))}{' --force' if force else ''}")
    return [f"Next: {' '.join(words)}"]


def _row(shown: dict[str, Any], *, settled: bool) -> tuple[str, str, str, str]:
    asked = _ASKED[shown["rule"]].format(shown["required"])
    if "group" in shown:
        from auditor.formats.tables.names import quoted

        where = categories_in_words(shown["group"]) or "a group"
        return where, f"no respondent in one category of {quoted(shown['variable'])}", shown["rule"], asked
    where = categories_in_words(shown["cell"]) if "cell" in shown else "the whole table"
    if shown.get("exactly_determined"):
        return where, "exactly determined", shown["rule"], asked
    if shown.get("lower") is None:
        return where, "too few" if settled else "undecided", shown["rule"], asked
    return where, f"{shown['lower']} to {shown['upper']}", shown["rule"], asked
