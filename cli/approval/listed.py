"""`auditor approval list|show`."""

from typing import Annotated

import typer

from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.approvals.representation import approval_data, approval_in_words
from cli.policy.named import name_of_policy
from cli.terminal.context import Context


def list_approvals(
    context: Context,
    everything: Annotated[
        bool, typer.Option("--all", metavar="", help="Include approved, rejected, withdrawn and superseded ones.")
    ] = False,
) -> None:
    """List the pending approvals, newest first.

    Example: auditor approval list

    Example: auditor approval list --all
    """
    found = Approvals(context.store).list(None if everything else "pending")
    rows = [
        (a.id, f"{a.at:%Y-%m-%d %H:%M}", a.subject, approval_in_words(a), a.asked_by, a.by, _state(a)) for a in found
    ]
    columns = ("approval", "at (UTC)", "of", "what", "requested by", "for", "state")
    context.output.answer(
        {"approvals": [approval_data(approval) for approval in found]}, context.output.table(columns, rows)
    )


def show(context: Context, approval: Annotated[str, typer.Argument(help="Id of an approval.")]) -> None:
    """Show a request that awaits approval: requester, policy and state. No count is shown.

    Example: auditor approval show APPROVAL
    """
    from auditor.exports.repository import Exports

    found = Approvals(context.store).show(approval)
    rows = [
        ("of", found.subject),
        ("what", approval_in_words(found)),
        ("requested by", found.asked_by),
        ("for", found.by),
        ("at (UTC)", f"{found.at:%Y-%m-%d %H:%M:%S}"),
        ("policy", name_of_policy(found.policy_hash) or found.policy_hash),
        ("state", _state(found)),
    ]
    if found.earlier:
        rows.insert(3, ("earlier requesters", ", ".join(found.earlier)))
    if found.decided_at is not None:
        rows += [("by", str(found.decided_by)), ("decided at (UTC)", f"{found.decided_at:%Y-%m-%d %H:%M:%S}")]
    if found.reason is not None:
        rows.append(("reason", found.reason))
    if found.kind == "export":
        rows.append(("file", Exports(context.store).show(found.what["export"]).path))
    word = "take-over" if found.frozen else "approve"
    hints = [f"Next: auditor approval {word} {found.id}"] if found.state == "pending" else []
    context.output.answer(approval_data(found), context.output.table(("", ""), rows), *context.output.advice(*hints))


def _state(approval: Approval) -> str:
    return f"{approval.state}, frozen" if approval.frozen else approval.state
