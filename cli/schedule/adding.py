"""`auditor schedule add`, and what it asks of the exports that a schedule is to make."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from auditor.core.errors import BadInput
from auditor.core.subject import parse_subject, split_subject
from cli.terminal.completing import subjects
from cli.terminal.context import Context
from cli.terminal.policy_option import PolicyOption, policy_of

if TYPE_CHECKING:
    from auditor.policy import Policy

_SHOWN = 5


def add(
    context: Context,
    name: Annotated[str, typer.Argument(help="Name of the schedule.")],
    subjects: Annotated[
        list[str],
        typer.Argument(
            metavar="SUBJECT...", autocompletion=subjects, help="network:NAME, table:NAME, microdata:NAME or export:ID."
        ),
    ],
    cron: Annotated[
        str,
        typer.Option("--cron", metavar="EXPRESSION", help="Minute, hour, day of the month, month, day of the week."),
    ],
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="ZONE", help="Time zone, for example Europe/Berlin.")
    ] = "UTC",
    policy: PolicyOption = None,
    catch_up: Annotated[
        str,
        typer.Option("--catch-up", metavar="WHICH", help="Missed runs to catch up on: none, last or all."),
    ] = "last",
    protect_k: Annotated[
        int | None,
        typer.Option(
            "--protect-k", metavar="K", min=2, help="Also make protected exports of the network, with this k."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Destination; each export gets a dated name beside it.")
    ] = None,
) -> None:
    """Audit subjects at set times: a cron expression in a time zone.

    Each local time that exists is due once: one that is skipped when the clocks go forward is left out that day, one
    that comes twice when they go back counts the first time. The policy is kept as it is now. Audits are made by
    'auditor schedule run', which must be running, or started now and then with --once.

    With --protect-k and --out a tick also makes a protected export where there is none that holds: when the network was
    replaced since the last one, or that one fails its audit. It waits for a second person where the policy says so.

    Example: auditor schedule add weekly network:friends table:survey --cron "0 6 * * 1" --timezone Europe/Berlin

    Example: auditor schedule add nightly network:friends --cron "30 1 * * *" --policy policy.toml --catch-up none

    Example: auditor schedule add fresh network:friends --cron "0 2 * * *" --protect-k 5 --out friends-protected.csv
    """
    from auditor.schedules.cron import parse_cron
    from auditor.schedules.repository import CatchUp, NewSchedule, Schedules
    from auditor.schedules.representation import schedule_data
    from cli.schedule.shown import due_rows

    if catch_up not in get_args(CatchUp):
        raise BadInput(f"--catch-up {catch_up!r}: there are none, last and all")
    times = parse_cron(cron, timezone)
    rules = policy_of(context, policy)
    wanted = [_whole(context, *parse_subject(subject)) for subject in dict.fromkeys(subjects)]
    place = protected_place(wanted, rules, protect_k, out)
    with context.output.progress(f"schedule {name}"):
        schedule = Schedules(context.store).add(
            NewSchedule(
                name,
                cron=times.expression,
                timezone=timezone,
                subjects=wanted,
                policy_hash=rules.digest(),
                policy_text=rules.text(),
                catch_up=cast("CatchUp", catch_up),
                actor=context.actor,
                protect_k=protect_k,
                protect_out=None if place is None else str(place),
            )
        )
    due = times.upcoming(schedule.created_at, _SHOWN)
    output = context.output
    output.answer(
        {"schedule": schedule_data(schedule), "next_due": due},
        f"{name} is scheduled: {', '.join(wanted)}",
        output.table((timezone, "UTC"), due_rows(times, due), title="Next due"),
        *output.advice("Audits are made by 'auditor schedule run', or now and then 'auditor schedule run --once'."),
    )


def _whole(context: Context, family: str, name: str) -> str:
    """Return a subject as it is recorded: an export may be named by the beginning of its id."""
    from auditor.audits.subjects import find_subject

    return find_subject(context.store, family, name).shown if family == "export" else f"{family}:{name}"


def protected_place(subjects: Sequence[str], policy: Policy, k: int | None, out: Path | None) -> Path | None:
    """Return where exports of a schedule go, from anywhere; None where it makes none.

    Raises
    ------
    BadInput
        If one of k and place is missing, it is not about one network, the policy asks for more, or nothing could be
        written there.
    """
    from auditor.exports.destination import Destination
    from auditor.schedules.protecting import dated_path
    from auditor.subjects.networks.exports.place import check_network_destination

    if k is None and out is None:
        return None
    if k is None or out is None:
        raise BadInput("--protect-k and --out belong together: the k, and where the exports go")
    if len(subjects) != 1 or split_subject(subjects[0])[0] != "network":
        raise BadInput("--protect-k is for a schedule of one network; add a schedule for each")
    if k < policy.network.k:
        raise BadInput(f"the policy requires k = {policy.network.k} (network.k); --protect-k {k} is less")
    check_network_destination(Destination(dated_path(out.absolute(), datetime.now(UTC))))
    return out.absolute()
