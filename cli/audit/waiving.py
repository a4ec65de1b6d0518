"""`auditor audit waive|waivers|unwaive`."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from auditor.audits.waivers import Waivers
from cli.terminal.context import Context


def waive(
    context: Context,
    finding: Annotated[str, typer.Argument(help="Fingerprint of a finding, from `audit show`.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason, for the ledger.")],
    until: Annotated[
        datetime,
        typer.Option("--until", metavar="DATE", formats=["%Y-%m-%d"], help="Date (UTC) from which it counts again."),
    ],
) -> None:
    """Waive a finding of a subject's latest audit until a date: audits still show it, but do not count it.

    The verdict changes with the next audit.

    Example: auditor audit waive FINGERPRINT --reason "released before the policy" --until 2030-01-01
    """
    waiver = Waivers(context.store).add(finding, reason=reason, until=until.replace(tzinfo=UTC), actor=context.actor)
    context.output.answer(
        {"waiver": waiver},
        f"{waiver.subject}: {waiver.rule} is waived until {waiver.until:%Y-%m-%d}",
        *context.output.advice(f"Next: auditor audit run {waiver.subject}"),
    )


def waivers(context: Context) -> None:
    """List the waivers, newest first, with person, reason and end.

    Example: auditor audit waivers
    """
    found = Waivers(context.store).list()
    now = datetime.now(UTC)
    rows = [
        (w.id, w.subject, w.rule, w.actor, w.reason, f"{w.until:%Y-%m-%d}", w.state(now), w.fingerprint) for w in found
    ]
    columns = ("waiver", "subject", "rule", "by", "reason", "until", "state", "finding")
    context.output.answer({"waivers": found}, context.output.table(columns, rows))


def unwaive(context: Context, waiver: Annotated[str, typer.Argument(help="Id of a waiver.")]) -> None:
    """Revoke a waiver: its finding counts again from the next audit.

    Example: auditor audit unwaive WAIVER
    """
    Waivers(context.store).revoke(waiver, actor=context.actor)
    context.output.answer({"revoked": waiver}, f"waiver {waiver} is ended")
