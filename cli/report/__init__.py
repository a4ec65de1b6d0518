"""`auditor report`: a page about a stored subject or a file, whatever kind it is of."""

from cli.report.command import report
from cli.terminal.commands import single

__all__ = ["app"]

app = single(report)
