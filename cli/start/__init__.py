"""`auditor start`: questions that lead from a file to a verdict and to a verified release."""

from cli.start.command import start
from cli.terminal.commands import single

__all__ = ["app"]

app = single(start)
