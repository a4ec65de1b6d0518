"""`auditor audit`: what audits found."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.context import context_of

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.command("list")
def list_audits(
    ctx: typer.Context,
    subject: Annotated[str | None, typer.Argument(help="Only audits of this stored network.")] = None,
) -> None:
    """List the audits that were made, newest first.

    Example: auditor audit list
    """
    context = context_of(ctx)
    audits = context.store.audits.list(subject=subject)
    rows = [(a.id, f"{a.at:%Y-%m-%d %H:%M}", a.subject, a.verdict, len(a.findings), a.trigger) for a in audits]
    columns = ("audit", "at", "subject", "verdict", "findings", "trigger")
    context.output.answer({"audits": audits}, context.output.table(columns, rows))


@app.command("show")
def show(ctx: typer.Context, audit: Annotated[str, typer.Argument(help="Id of an audit.")]) -> None:
    """Show an audit with its findings and the policy under which it was made.

    Example: auditor audit show ID
    """
    import json

    context = context_of(ctx)
    found = context.store.audits.show(audit)
    policy: dict[str, Any] = json.loads(context.store.audits.policy_text(found.policy_hash))
    figures = [
        ("subject", found.subject),
        ("verdict", found.verdict),
        ("at", f"{found.at:%Y-%m-%d %H:%M:%S}"),
        ("by", found.actor),
        ("trigger", found.trigger),
        ("policy", found.policy_hash[:16]),
    ]
    rules = [(f"{section}.{key}", value) for section, rows in policy.items() for key, value in rows.items()]
    findings = [(f.rule, f.severity, f.message) for f in found.findings]
    context.output.answer(
        {"audit": found, "policy": policy},
        context.output.table(("", ""), figures),
        context.output.table(("rule", "severity", "what was found"), findings, title="Findings"),
        context.output.table(("policy", "value"), rules, title="Policy"),
    )
