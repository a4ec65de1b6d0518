"""`auditor schedule list|show`."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from auditor.core.recorded_runs import Run
from auditor.schedules.repository import Schedule, Schedules
from auditor.schedules.representation import cron_of, next_due, schedule_data
from auditor.schedules.runs import Runs
from cli.policy.named import name_of_policy
from cli.schedule.shown import due_rows, local
from cli.terminal.completing import stored
from cli.terminal.context import Context

_SHOWN = 5


def list_schedules(context: Context) -> None:
    """List the schedules with the next due time and the last run of each.

    Example: auditor schedule list
    """
    store = context.store
    schedules, latest, now = Schedules(store).list(), Runs(store).latest(), store.ledger.clock()
    data, rows = [], []
    for schedule in schedules:
        due, last = next_due(schedule, now, 1), latest.get(schedule.id)
        data.append(
            {**schedule_data(schedule), "next_due": due, "last_tick": None if last is None else _tick_data(last)}
        )
        next_text = local(cron_of(schedule), due[0]) if due else "paused" if schedule.paused else "never"
        shown = "" if last is None else f"{last.status} {last.due:%Y-%m-%d %H:%M}"
        rows.append((schedule.name, schedule.cron, schedule.timezone, ", ".join(schedule.subjects), next_text, shown))
    columns = ("name", "cron", "time zone", "subjects", "next due", "last run (UTC)")
    context.output.answer({"schedules": data}, context.output.table(columns, rows))


def show(
    context: Context,
    name: Annotated[
        str, typer.Argument(autocompletion=stored("schedule"), help="Name of a schedule, or of one that was removed.")
    ],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many of the last runs.")] = 10,
) -> None:
    """Show a schedule: its next due times, and its last runs with the results of the audits.

    Example: auditor schedule show weekly --limit 5
    """
    from auditor.notifications.missed_runs import recorded_verdicts

    store, output = context.store, context.output
    schedule = Schedules(store).show(name)
    cron, due = cron_of(schedule), next_due(schedule, store.ledger.clock(), _SHOWN)
    runs = Runs(store).of_schedule(schedule.id, limit)
    verdicts = recorded_verdicts(
        store.connection, [run.audit_id(subject) for run in runs for subject in schedule.subjects]
    )
    audits = [
        {subject: _audit(run.audit_id(subject), verdicts) for subject in schedule.subjects}
        if run.status != "skipped"
        else {}
        for run in runs
    ]
    output.answer(
        {
            "schedule": schedule_data(schedule),
            "next_due": due,
            "ticks": [{**_tick_data(run), "audits": found} for run, found in zip(runs, audits, strict=True)],
        },
        output.table(("", ""), _figures(schedule)),
        output.table((schedule.timezone, "UTC"), due_rows(cron, due), title="Next due"),
        output.table(
            ("due (UTC)", "status", "attempts", "audits", ""),
            [_row(run, found) for run, found in zip(runs, audits, strict=True)],
            title="Last runs",
        ),
    )


def _figures(schedule: Schedule) -> list[tuple[str, str]]:
    state = "paused" if schedule.paused else "active"
    if schedule.removed_at is not None:
        state = f"removed {schedule.removed_at:%Y-%m-%d %H:%M}"
    return [
        ("schedule", schedule.name),
        ("cron", schedule.cron),
        ("time zone", schedule.timezone),
        ("subjects", ", ".join(schedule.subjects)),
        ("policy", name_of_policy(schedule.policy_hash) or schedule.policy_hash),
        ("catches up", schedule.catch_up),
        *([] if schedule.protect_k is None else [("exports", f"k = {schedule.protect_k}, {schedule.protect_out}")]),
        ("state", state),
        ("added", f"{schedule.created_at:%Y-%m-%d %H:%M}"),
        ("by", schedule.actor),
    ]


def _audit(id: str, verdicts: dict[str, str]) -> dict[str, str] | None:
    return {"audit": id, "verdict": verdicts[id]} if id in verdicts else None


def _tick_data(run: Run) -> dict[str, Any]:
    return {name: value for name, value in asdict(run).items() if name not in ("id", "schedule", "claim")}


def _row(run: Run, audits: dict[str, dict[str, str] | None]) -> tuple[object, ...]:
    due = f"{run.due:%Y-%m-%d %H:%M}"
    if run.status == "skipped" and run.first_due is not None:
        number = "many" if run.count is None else run.count
        return f"{run.first_due:%Y-%m-%d %H:%M} – {due}", "skipped", "", "", f"due times: {number}"
    found = ", ".join(f"{subject} {audit['verdict']}" for subject, audit in audits.items() if audit is not None)
    again = f"; again at {run.retry_at:%H:%M:%S}" if run.retry_at is not None else ""
    return due, run.status, run.attempts, found, f"{run.reason or ''}{again}"
