"""`auditor policy`: what a publication must satisfy."""

from cli.policy.diff import diff
from cli.policy.explain import explain
from cli.policy.files import check, schema
from cli.policy.show import show
from cli.terminal.commands import group

__all__ = ["app"]

app = group(check=check, show=show, diff=diff, explain=explain, schema=schema)
