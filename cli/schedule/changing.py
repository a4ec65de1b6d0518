"""`auditor schedule pause|resume|remove`."""

from typing import Annotated

import typer

from auditor.schedules.repository import Schedules
from auditor.schedules.representation import cron_of, next_due
from cli.schedule.shown import local
from cli.terminal.completing import stored
from cli.terminal.confirming import confirm_removal
from cli.terminal.context import Context

NameArgument = Annotated[str, typer.Argument(autocompletion=stored("schedule"), help="Name of a schedule.")]


def pause(context: Context, name: NameArgument) -> None:
    """Pause a schedule: nothing is due until it is resumed; a running audit is finished.

    Example: auditor schedule pause weekly
    """
    Schedules(context.store).pause(name, actor=context.actor)
    context.output.answer({"paused": name}, f"{name} is paused")


def resume(context: Context, name: NameArgument) -> None:
    """Resume a paused schedule; runs that were due meanwhile are not made up for.

    Example: auditor schedule resume weekly
    """
    store = context.store
    Schedules(store).resume(name, actor=context.actor)
    schedule = Schedules(store).show(name)
    due = next_due(schedule, store.ledger.clock(), 1)
    when = f"; due next {local(cron_of(schedule), due[0])}" if due else ""
    context.output.answer({"resumed": name, "next_due": due}, f"{name} goes on{when}")


def remove(
    context: Context,
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove a schedule; its runs, audits and ledger entries remain.

    Example: auditor schedule remove weekly --yes
    """
    schedule = Schedules(context.store).show(name)
    confirm_removal(name, f"Remove the schedule {name}?", yes=yes or schedule.removed_at is not None)
    Schedules(context.store).remove(name, actor=context.actor)
    context.output.answer({"removed": name}, f"{name} is removed; its runs and audits remain")
