"""`auditor schedule`: audits at set times."""

import typer

from cli.schedule.adding import add
from cli.schedule.changing import pause, remove, resume
from cli.schedule.recorded import list_schedules, show
from cli.schedule.running import run

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)
app.command("add")(add)
app.command("list")(list_schedules)
app.command("show")(show)
app.command("pause")(pause)
app.command("resume")(resume)
app.command("remove")(remove)
app.command("run")(run)
