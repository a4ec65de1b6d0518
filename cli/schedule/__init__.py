"""`auditor schedule`: audits at set times."""

from cli.schedule.adding import add
from cli.schedule.changing import pause, remove, resume
from cli.schedule.recorded import list_schedules, show
from cli.schedule.running import run
from cli.terminal.commands import group

__all__ = ["app"]

app = group(add=add, list=list_schedules, show=show, pause=pause, resume=resume, remove=remove, run=run)
