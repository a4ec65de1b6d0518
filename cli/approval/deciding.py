"""`auditor approval approve|approve-if|reject|withdraw|take-over`."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.approvals.deciding import Approved
from auditor.approvals.deciding import approve as let_out
from auditor.approvals.deciding import approve_if as give_back
from auditor.approvals.deciding import reject as say_no
from auditor.approvals.deciding import withdraw as take_back
from auditor.approvals.repository import Approvals
from auditor.approvals.representation import approval_data, approval_in_words, change_in_words
from auditor.core.errors import BadInput
from auditor.core.staging import check_destination
from cli.terminal.context import Context
from cli.terminal.names import as_names

_EXIT = {"approved": 0, "overtaken": 1, "pending": 3}


def approve(
    context: Context,
    approval: Annotated[str, typer.Argument(help="Id of an approval.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the marginal to this CSV file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite FILE.")] = False,
) -> None:
    """Approve the request of another person: it is decided and verified again, and released if it is still safe.

    Exit code 1: the answer is no now, and nothing is released. Exit code 3: neither answer could be proven in time,
    and the request stays pending. An approved export appears at its destination.

    Example: auditor approval approve APPROVAL --out for-gotham.csv
    """
    from auditor.subjects.tables.releases.files import formula_remarks, write_marginal

    if out is not None:
        if Approvals(context.store).show(approval).kind == "export":
            raise BadInput("--out is for a marginal; an export appears where it was to be")
        check_destination(out, force=force)
    with context.output.progress(f"approve {approval}") as bar:
        bar.phase("decide")
        done = let_out(context.store, approval, actor=context.actor, clock=time.monotonic)
        counts = None if done.answer is None else done.answer.marginal
        if out is not None and counts is not None and done.answer is not None:
            bar.phase("write")
            write_marginal(counts, out, force=force, simulated=done.answer.recorded.answer == "simulate")
    written = out if counts is not None else None
    remarks = formula_remarks(counts) if written is not None and counts is not None else []
    context.output.note(*remarks)
    data = {**approval_data(done.approval), "file": written or done.path, "remarks": remarks}
    context.output.answer(data | _answered(done), *_shown(done, written), *context.output.advice(*_next(done)))
    raise typer.Exit(_EXIT[done.approval.state])


def approve_if(
    context: Context,
    approval: Annotated[str, typer.Argument(help="Id of an approval.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason, for the requester and the ledger.")],
    marginal: Annotated[
        Any,
        typer.Option("--marginal", metavar="A,B", parser=as_names, help="Of a marginal: the variables that may stay."),
    ] = None,
    merge: Annotated[
        list[str] | None,
        typer.Option("--merge", metavar="A=X,Y", help="Of a marginal: categories of A to merge; repeatable."),
    ] = None,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Of an export: the larger k.")] = None,
) -> None:
    """Return the request of another person, and approve it beforehand if it is changed exactly so.

    Nothing is released yet. If the requester makes the changed request within 30 days, it is decided and verified as
    every request, and released with your approval. What is changed otherwise awaits another approval.

    Example: auditor approval approve-if APPROVAL --marginal sex,illness --reason "age is not needed"

    Example: auditor approval approve-if APPROVAL --k 20 --reason "the recipient is outside the EU"
    """
    change: dict[str, Any] = {}
    if marginal is not None:
        change["marginal"] = list(marginal)
    if merge:
        change["merge"] = merge
    if k is not None:
        change["k"] = k
    ended = give_back(context.store, approval, change=change, reason=reason, actor=context.actor)
    shown = f"{ended.id} is returned to {ended.asked_by}: approved if changed to {change_in_words(ended)}"
    context.output.answer(approval_data(ended), shown, f"agreed until {ended.agreed_until:%Y-%m-%d}")


def reject(
    context: Context,
    approval: Annotated[str, typer.Argument(help="Id of an approval.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason, for the requester and the ledger.")],
) -> None:
    """Reject the request of another person; the staged files of an export are deleted.

    Example: auditor approval reject APPROVAL --reason "the recipient has no contract"
    """
    ended = say_no(context.store, approval, actor=context.actor, reason=reason)
    context.output.answer(approval_data(ended), f"{ended.id} is rejected; nothing was released")


def withdraw(context: Context, approval: Annotated[str, typer.Argument(help="Id of an approval.")]) -> None:
    """Withdraw your own request; the staged files of an export are deleted.

    Example: auditor approval withdraw APPROVAL
    """
    ended = take_back(context.store, approval, actor=context.actor)
    context.output.answer(approval_data(ended), f"{ended.id} is withdrawn; nothing was released")


def take_over(context: Context, approval: Annotated[str, typer.Argument(help="Id of an approval.")]) -> None:
    """Take over a frozen request, whose requester's token was revoked. Another person than you then decides.

    Example: auditor approval take-over APPROVAL
    """
    taken = Approvals(context.store).take_over(approval, actor=context.actor)
    context.output.answer(approval_data(taken), f"{taken.id} is your request now; another person decides about it")


def _answered(done: Approved) -> dict[str, Any]:
    recorded = None if done.answer is None else done.answer.recorded
    if recorded is None:
        return {"rules": [], "proposal": None, "entry": None}
    # what is out by now, which may be something else than what was expected
    return {name: getattr(recorded, name) for name in ("answer", "rules", "proposal", "entry")}


def _next(done: Approved) -> list[str]:
    """Return the command that verifies an export that is out now."""
    approval = done.approval
    is_out = approval.kind == "export" and approval.state == "approved"
    return [f"Next: auditor audit run export:{approval.what['export']}"] if is_out else []


def _shown(done: Approved, written: Path | None) -> list[str]:
    approval = done.approval
    what = approval_in_words(approval)
    if approval.state == "overtaken":
        return [f"{what}: not approved; {approval.reason}"]
    if approval.state == "pending":
        return [f"{what}: neither answer could be proven within the limits; it stays pending"]
    if approval.kind == "export":
        return [f"{what}: approved, verified and out", f"written: {done.path}"]
    lines = [f"{what}: approved"]
    if written is not None:
        return [*lines, f"written and checked: {written}"]
    return [*lines, "its counts are released: 'auditor table request' with --out writes them"]
