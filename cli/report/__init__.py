"""`auditor report`: a page about a stored subject or a file, whatever kind it is of; and the report on a period."""

from typing import ClassVar

from cli.report.command import report
from cli.report.month import month
from cli.report.verifying import verify
from cli.terminal.commands import group
from cli.terminal.default_command import DefaultCommandGroup

__all__ = ["app"]


class _Reports(DefaultCommandGroup):
    default: ClassVar[str] = "subject"


app = group(_Reports, subject=report, month=month, verify=verify)
