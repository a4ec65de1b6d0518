"""`auditor audit run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.subjects import all_subjects, find_subject
from auditor.core.errors import AuditorError, BadInput
from auditor.core.subject import parse_subject
from cli.audit.junit import junit_xml
from cli.audit.outcome import end, hand_over
from cli.policy.named import change_of_policy
from cli.terminal.completing import subjects
from cli.terminal.context import Context
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of
from graphkit.errors import GraphkitError

if TYPE_CHECKING:
    from auditor.policy import Policy
    from cli.terminal.output import Output
    from graphkit.verification import Check


def run(
    context: Context,
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUBJECT]...",
            autocompletion=subjects,
            help="network:NAME, table:NAME, microdata:NAME or export:ID.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", metavar="", help="Everything in the store and every published export.")
    ] = False,
    stale: Annotated[
        bool, typer.Option("--stale", metavar="", help="Subjects whose audit may have another result now.")
    ] = False,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    again: Annotated[
        bool, typer.Option("--again", metavar="", help="Compute even if nothing changed since the last audit.")
    ] = False,
    format: Annotated[
        str, typer.Option("--format", metavar="FORM", help="table, json or junit (XML for a CI server).")
    ] = "table",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the JUnit XML to this file.")] = None,
) -> None:
    """Audit subjects against the policy: networks, records, the released marginals of tables, published exports.

    Each audit records what is new, worse, better or gone since the previous one. Exit code 1: a policy is
    violated. Exit code 3: something could not be proven, or a subject could not be audited.

    Example: auditor audit run network:friends table:survey --policy policy.toml

    Example: auditor audit run --all --format junit --out audits.xml
    """
    if format not in ("table", "json", "junit"):
        raise BadInput(f"--format {format!r}: there are table, json and junit")
    if out is not None and format != "junit":
        raise BadInput("--out is for --format junit; leave it out, or redirect the output")
    if (bool(subjects) + everything + stale) != 1:
        raise BadInput("say what to audit: subjects, or --all, or --stale")
    rules = policy_of(context, policy, preset)
    with context.output.progress("audit") as bar:
        bar.phase("find")
        chosen = _chosen(context, subjects or [], rules, stale=stale)
        audits: list[Audit] = []
        failures: dict[str, str] = {}
        for subject in chosen:
            bar.phase(subject)
            audit = _audited(context, subject, rules, failures, again=again)
            if audit is not None:
                audits.append(audit)
    checked = _checked(context, audits if subjects and format != "junit" else [], rules)
    _note_other_policy(context, audits, rules, policy if policy is not None else context.settings.policy)
    _answer(context, audits, failures, format, out, checked)
    end((audit.verdict for audit in audits), failures)


def _chosen(context: Context, subjects: list[str], rules: Policy, *, stale: bool) -> list[str]:
    from auditor.audits.running import is_stale

    if subjects:
        found = [find_subject(context.store, *parse_subject(text)).shown for text in dict.fromkeys(subjects)]
        return list(dict.fromkeys(found))
    everything = [f"{family}:{name}" for family, name in all_subjects(context.store.connection)]
    return [subject for subject in everything if not stale or is_stale(context.store, subject, rules)]


def _audited(context: Context, subject: str, rules: Policy, failures: dict[str, str], *, again: bool) -> Audit | None:
    """Audit one subject; what goes wrong with it is no reason to leave the others out."""
    from auditor.audits.running import run_audit

    try:
        return run_audit(context.store, subject, rules, trigger="command", actor=context.actor, again=again)
    except (AuditorError, GraphkitError) as error:
        failures[subject] = str(error)
        return None


@dataclass(frozen=True, slots=True)
class CheckedRelease:
    """The checks of an export that was named, made again."""

    subject: str
    verification: Sequence[Check]
    not_checked: Sequence[str]
    """What was checked at publication and cannot be checked again, and why."""


def _checked(context: Context, audits: list[Audit], rules: Policy) -> list[CheckedRelease]:
    """Return the checks of the exports among the subjects: a finding tells only of those that fail."""
    from auditor.exports.auditing import checks_of_release

    found = []
    with context.output.progress("verify"):
        for audit in audits:
            kind, name = parse_subject(audit.subject)
            if kind == "export":
                found.append(CheckedRelease(audit.subject, *checks_of_release(context.store, name, rules)))
    return found


def _note_other_policy(context: Context, audits: list[Audit], rules: Policy, path: Path | None) -> None:
    """Say where an audit is compared with one under another policy: what it finds new may be the policy's doing."""
    now, others = rules.digest(), []
    for audit in audits:
        before = Audits(context.store).list(audit.key, limit=1, skip=1)
        if before and before[0].policy_hash != now:
            others.append((audit.subject, before[0].policy_hash))
    if others:
        subject, digest = others[0]
        more = f", and {len(others) - 1} more," if len(others) > 1 else ""
        change = change_of_policy(context, digest, rules, path=path)
        context.output.note(
            f"{subject}{more} had another policy at the audit before ({change}): what is new, worse or better is "
            "against that; --policy, or AUDITOR_POLICY for all commands, says which one holds"
        )


def _answer(
    context: Context,
    audits: list[Audit],
    failures: dict[str, str],
    form: str,
    out: Path | None,
    checked: list[CheckedRelease],
) -> None:
    output = context.output
    for subject, reason in failures.items():
        output.note(f"{subject} could not be audited: {reason}")
    if form == "junit":
        hand_over(junit_xml(audits, failures), out)
        return
    data = {"audits": audits, "failed": failures, "releases": checked}
    columns = ("subject", "verdict", "rule", "since", "", "what was found")
    output.json = output.json or form == "json"
    rows = [row for audit in audits for row in _rows(audit)]
    output.answer(data, output.table(columns, rows), *(_checks_table(output, one) for one in checked))


def _checks_table(output: Output, release: CheckedRelease) -> Any:
    left = [("", text) for text in release.not_checked]
    title = f"Verified now: {release.subject}"
    return output.checks(release.verification, "of the released file", left, title=title)


def _rows(audit: Audit) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [
        (audit.subject, audit.verdict, f.rule, f.change, "waived" if f.waiver is not None else "", f.message)
        for f in audit.findings
    ] or [(audit.subject, audit.verdict, "", "", "", "nothing found")]
    return [*found, *((audit.subject, audit.verdict, one.rule, "gone", "", "") for one in audit.gone)]
