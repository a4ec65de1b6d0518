"""`auditor approval list|show|comment`."""

import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from auditor.approvals.conversation import Comment, Conversation
from auditor.approvals.deciding import approver_of
from auditor.approvals.record import Approval
from auditor.approvals.repository import Approvals
from auditor.approvals.representation import (
    approval_data,
    approval_in_words,
    change_in_words,
    comment_data,
    review_data,
    risk_data,
)
from auditor.approvals.review import Review
from auditor.approvals.reviewing import look_at_risk
from auditor.approvals.waiting import WaitingFor
from auditor.core.errors import BadInput
from cli.policy.named import name_of_policy
from cli.terminal.context import Context
from cli.terminal.output import Output


def list_approvals(
    context: Context,
    everything: Annotated[
        bool, typer.Option("--all", metavar="", help="Include approved, rejected, withdrawn and superseded ones.")
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--waiting", metavar="", help="Only those that wait for you: to decide, or to change.")
    ] = False,
) -> None:
    """List the pending approvals, newest first.

    Example: auditor approval list

    Example: auditor approval list --waiting

    Example: auditor approval list --all
    """
    if waiting and everything:
        raise BadInput("--waiting lists what is open, --all everything; give one of them")
    found: Sequence[Approval]
    if waiting:
        mine = WaitingFor(context.store).person(context.actor, approves=True)
        found = [*mine.to_decide, *mine.to_change]
    else:
        found = Approvals(context.store).list(None if everything else "pending")
    rows = [
        (a.id, f"{a.at:%Y-%m-%d %H:%M}", a.subject, approval_in_words(a), a.asked_by, a.by, _state(a)) for a in found
    ]
    columns = ("approval", "at (UTC)", "of", "what", "requested by", "for", "state")
    context.output.answer(
        {"approvals": [approval_data(approval) for approval in found]}, context.output.table(columns, rows)
    )


def comment(
    context: Context,
    approval: Annotated[str, typer.Argument(help="Id of an approval.")],
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="The comment; it names no label and no value.")],
) -> None:
    """Comment on a request, pending or decided; a comment is never changed.

    Example: auditor approval comment APPROVAL --text "Is the age needed?"
    """
    said = Conversation(context.store).add(approval, actor=context.actor, text=text)
    context.output.answer(comment_data(said), f"recorded as entry {said.entry} of the ledger")


def show(
    context: Context,
    approval: Annotated[str, typer.Argument(help="Id of an approval.")],
    risk: Annotated[
        bool,
        typer.Option("--risk", metavar="", help="Show the risk before and after it (recorded in the ledger)."),
    ] = False,
) -> None:
    """Show a request that awaits approval: requester, purpose, policy, what was released before, the conversation.

    No count is shown without --risk.

    Example: auditor approval show APPROVAL

    Example: auditor approval show APPROVAL --risk
    """
    from auditor.exports.repository import Exports

    found = Approvals(context.store).show(approval)
    output, review = context.output, approver_of(found).review(context.store, found)
    rows = [("of", found.subject), ("what", approval_in_words(found)), ("requested by", found.asked_by)]
    if found.earlier:
        rows.append(("earlier requesters", ", ".join(found.earlier)))
    rows += [
        ("for", found.by),
        ("at (UTC)", f"{found.at:%Y-%m-%d %H:%M:%S}"),
        ("policy", name_of_policy(found.policy_hash) or found.policy_hash),
        ("state", _state(found)),
    ]
    rows += [(name, value) for name, value in _optional(found) if value]
    if found.kind == "export":
        rows.append(("file", Exports(context.store).show(found.what["export"]).path))
    comments = Conversation(context.store).about(approval)
    data = {**approval_data(found), **review_data(review), "comments": [comment_data(one) for one in comments]}
    shown = [output.table(("", ""), rows), *_reviewed(output, review), *_conversation(output, comments)]
    if risk:
        measured = look_at_risk(context.store, approval, actor=context.actor, clock=time.monotonic)
        data["risk"] = risk_data(measured)
        measures = [(row.measure, row.before, row.after) for row in measured.rows]
        shown.append(output.table(("", "before", "after"), measures, title="Risk"))
        output.note(*filter(None, [measured.remark]))
    output.answer(data, *shown, *output.advice(*_next(found)))


def _optional(found: Approval) -> list[tuple[str, str | None]]:
    decided = None if found.decided_at is None else f"{found.decided_at:%Y-%m-%d %H:%M:%S}"
    until = None if found.agreed_until is None else f"{found.agreed_until:%Y-%m-%d}"
    return [
        ("purpose", found.purpose),
        ("by", found.decided_by),
        ("decided at (UTC)", decided),
        ("reason", found.reason),
        ("approved if changed to", change_in_words(found)),
        ("agreed until", until),
        ("replaces", found.replaces),
        ("replaced by", found.replaced_by),
    ]


def _reviewed(output: Output, review: Review) -> list[Any]:
    facts = [(fact.name, fact.value) for fact in review.facts]
    out = [(one.name, "" if one.at is None else f"{one.at:%Y-%m-%d}", one.what) for one in review.out]
    shown = [output.table(("", ""), facts, title="Request")]
    return [*shown, output.table(("released before", "at (UTC)", ""), out)] if out else shown


def _conversation(output: Output, comments: Sequence[Comment]) -> list[Any]:
    if not comments:
        return []
    rows = [(f"{one.at:%Y-%m-%d %H:%M}", one.by, _said(one)) for one in comments]
    return [output.table(("at (UTC)", "by", "comment"), rows, title="Conversation")]


def _said(comment: Comment) -> str:
    text = " / ".join(filter(None, comment.text.split("\n")))
    return text if comment.unchanged else f"{text} [not what the ledger recorded]"


def _next(found: Approval) -> list[str]:
    if found.state == "pending":
        word = "take-over" if found.frozen else "approve"
        return [f"Next: auditor approval {word} {found.id}"]
    if found.state == "returned" and found.is_open:
        return [f"Next, for {found.asked_by}: request it changed as stated; it is then released with this approval"]
    return []


def _state(approval: Approval) -> str:
    return f"{approval.state}, frozen" if approval.frozen else approval.state
