"""`auditor audit list|show`."""

import json
from typing import Annotated, Any

import typer

from auditor.audits.explaining import TERMINAL, shown_findings
from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.subjects import find_subject
from auditor.core.subject import parse_subject, split_subject
from auditor.store.policies import policy_text
from cli.policy.named import name_of_policy
from cli.terminal.completing import subjects
from cli.terminal.context import Context


def list_audits(
    context: Context,
    subject: Annotated[
        str | None,
        typer.Argument(
            autocompletion=subjects,
            help="Only audits of this: NAME of a network, table:NAME, microdata:NAME or export:ID.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many, the newest.")] = 50,
) -> None:
    """List the audits, newest first.

    A network that replaced another one of its name continues its audits.

    Example: auditor audit list

    Example: auditor audit list friends --limit 5
    """
    audits = Audits(context.store).list(None if subject is None else key_of(context, subject), limit=limit)
    rows = [
        (a.id, f"{a.at:%Y-%m-%d %H:%M}", a.subject, a.verdict, len(a.findings), _changes(a), a.trigger) for a in audits
    ]
    columns = ("audit", "at", "subject", "verdict", "findings", "since the one before", "trigger")
    context.output.answer({"audits": audits}, context.output.table(columns, rows))


def show(context: Context, audit: Annotated[str, typer.Argument(help="Id of an audit.")]) -> None:
    """Show an audit with its findings and its policy.

    Example: auditor audit show ID
    """
    found = Audits(context.store).show(audit)
    policy: dict[str, Any] = json.loads(policy_text(context.store, found.policy_hash))
    figures = [
        ("subject", found.subject),
        ("verdict", found.verdict),
        ("at", f"{found.at:%Y-%m-%d %H:%M:%S}"),
        ("by", found.actor),
        ("trigger", found.trigger),
        ("policy", name_of_policy(found.policy_hash) or found.policy_hash),
        ("computed", "no, nothing had changed" if found.repeats else "yes"),
    ]
    rules = [(f"{section}.{key}", value) for section, rows in policy.items() for key, value in _items(rows)]
    gone = [(one.fingerprint, one.rule, one.where) for one in found.gone]
    context.output.answer(
        {"audit": found, "policy": policy},
        context.output.table(("", ""), figures),
        context.output.table(
            ("finding", "rule", "severity", "since", "waived", "what was found"), finding_rows(found), title="Findings"
        ),
        *(
            [context.output.table(("finding", "rule", "where"), gone, title="Gone since the audit before")]
            if gone
            else []
        ),
        context.output.table(("policy", "value"), rules, title="Policy"),
    )


def finding_rows(audit: Audit) -> list[tuple[object, ...]]:
    """Return the rows that tell of an audit's findings."""
    return [
        (f.fingerprint, f.rule, f.severity, f.change, "yes" if f.waiver is not None else "", f.message)
        for f in shown_findings(audit, viewed=TERMINAL)
    ]


def key_of(context: Context, text: str) -> str:
    """Return the key of a subject, given as ``family:name``; a name alone is that of a network.

    Raises
    ------
    NotFound
        If there is no such subject.
    """

    family, _ = split_subject(text)
    return find_subject(context.store, *parse_subject(text if family is not None else f"network:{text}")).key


def _items(section: Any) -> list[tuple[str, Any]]:
    return list(section.items()) if isinstance(section, dict) else [("", section)]


def _changes(audit: Audit) -> str:
    """Return how many findings are new, worse, better and gone."""
    numbers = {change: sum(f.change == change for f in audit.findings) for change in ("new", "worse", "better")}
    numbers["gone"] = len(audit.gone)
    return ", ".join(f"{number} {change}" for change, number in numbers.items() if number)
