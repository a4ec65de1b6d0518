"""`auditor table request`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.table import options
from cli.table.names import merged_categories, named_lists
from cli.terminal.context import Context
from cli.terminal.names import as_names
from cli.terminal.options import PurposeOption
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of

# what waits is no success: a script that goes on with the file would find none
_EXIT = {"release": 0, "simulate": 0, "refuse": 1, "coarsen": 1, "undecided": 3, "pending": 3}


def request(
    context: Context,
    name: options.Name,
    marginal: Annotated[Any, typer.Argument(metavar="A,B", parser=as_names, help="Variables of the marginal.")],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Requester, for the ledger.")],
    merge: Annotated[
        list[str] | None,
        typer.Option("--merge", metavar="A=X,Y", help="Request it with these categories of A merged; repeatable."),
    ] = None,
    purpose: PurposeOption = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the marginal to this CSV file if it is released."),
    ] = None,
    force: options.Force = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", metavar="", help="For the officer: show the cells behind a refusal (recorded in the ledger)."
        ),
    ] = False,
) -> None:
    """Decide whether a marginal may be released, together with all earlier releases; record and answer the request.

    The answer is release (exit code 0), refuse (1) or undecided (3): a marginal that is not proven safe in time is not
    released. If the policy allows it, simulate (0) replaces refuse: it gives the counts of a random table that has the
    released marginals. If the policy has coarsen (1), a refusal proposes categories to merge. The same request under
    the same policy gets the same answer. If the policy requires a second person, a releasable marginal is pending (3)
    until another person approves it (`auditor approval`).

    Example: auditor table request survey sex,illness --by "City of Gotham" --out for-gotham.csv

    Example: auditor table request survey sex,illness --by "City of Gotham" --purpose "annual report"

    Example: auditor table request survey sex,age,illness --by "City of Gotham" --explain

    Example: auditor table request survey sex,age --merge age=0-29,30-59 --by "City of Gotham"
    """
    import time

    from auditor.access.person import check_asker
    from auditor.approvals.words import purpose_of
    from auditor.core.origin import Origin
    from auditor.core.staging import check_destination
    from auditor.subjects.tables.releases.files import write_marginal
    from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
    from auditor.subjects.tables.representations.requests import explained_cells, request_data
    from cli.table.request_answer import answer_shown, next_request
    from cli.terminal.subject import find_table

    check_asker(by, "--by")
    said = purpose_of(purpose)
    rules = policy_of(context, policy, preset)
    together = named_lists("--merge", merge or ())
    if out is not None:
        check_destination(out, force=force)
    with context.output.progress(f"request {name}") as bar:
        bar.phase("open the store")
        info = find_table(context, name)
        merged = merged_categories(together, info.variables)
        bar.phase("decide")
        asked = MarginalRequest(
            info.name,
            marginal,
            rules,
            by=by,
            actor=context.actor,
            merged=merged,
            explain=explain,
            origin=Origin(purpose=said),
        )
        answer = answer_request(context.store, asked, clock=time.monotonic)
        written, remarks = None, []
        if out is not None and answer.marginal is not None:
            bar.phase("write")
            simulated = answer.recorded.answer == "simulate"
            written, remarks = out, write_marginal(answer.marginal, out, force=force, simulated=simulated)
    cells = explained_cells(answer, rules) if explain else None
    context.output.note(*answer.remarks, *remarks)
    context.output.answer(
        request_data(info.name, answer, written, cells, remarks),
        *answer_shown(context.output, answer, rules, written, cells),
        *context.output.advice(*next_request(info.name, answer, policy, preset, purpose=purpose, out=out, force=force)),
    )
    raise typer.Exit(_EXIT[answer.recorded.answer])
