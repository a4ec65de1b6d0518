"""`auditor approval`: what waits for a second person."""

from cli.approval.deciding import approve, approve_if, reject, take_over, withdraw
from cli.approval.listed import comment, list_approvals, show
from cli.terminal.commands import group

__all__ = ["app"]

app = group(
    list=list_approvals,
    show=show,
    comment=comment,
    approve=approve,
    approve_if=approve_if,
    reject=reject,
    withdraw=withdraw,
    take_over=take_over,
)
