"""`auditor approval`: what waits for a second person."""

from cli.approval.deciding import approve, reject, take_over, withdraw
from cli.approval.listed import list_approvals, show
from cli.terminal.commands import group

__all__ = ["app"]

app = group(list=list_approvals, show=show, approve=approve, reject=reject, withdraw=withdraw, take_over=take_over)
