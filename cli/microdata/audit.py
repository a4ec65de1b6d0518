"""`auditor microdata audit`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.microdata.options import Reading, Records, RoleOptions
from cli.microdata.policies import policy_for_microdata
from cli.microdata.reports import AuditPage
from cli.microdata.source import check_as_stored, find_microdata_or_file, opened_records
from cli.terminal.context import Context
from cli.terminal.options import as_share
from cli.terminal.policy_option import PolicyOption, PresetOption

if TYPE_CHECKING:
    from auditor.core.finding import Finding
    from auditor.formats.records.exposed import ExposedClass
    from auditor.formats.records.roles import Roles
    from auditor.policy import Policy
    from auditor.subjects.microdata.auditing import RecordsAudit
    from auditor.subjects.microdata.repository import MicrodataInfo

_MOST_SHOWN = 1_000


def _at_least(least: int) -> Callable[[int | None], int | None]:
    def check(value: int | None) -> int | None:
        if value is not None and value < least:
            raise typer.BadParameter(f"must be at least {least}")
        return value

    return check


def _share(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise typer.BadParameter("must be a number from 0 to 1, such as 0.2")
    return value


def _seconds(value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise typer.BadParameter("must be a positive number of seconds")
    return value


def audit(
    context: Context,
    records: Records,
    *,
    roles: RoleOptions,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", callback=_at_least(2), help="Required size of a class; overrules the policy."),
    ] = None,
    distinct: Annotated[
        int | None,
        typer.Option(
            "--l", callback=_at_least(1), help="Required sensitive values in each class; overrules the policy."
        ),
    ] = None,
    distance: Annotated[
        float | None,
        typer.Option("--t", callback=_share, help="Largest distance from the whole file; overrules the policy."),
    ] = None,
    suda: Annotated[
        int | None,
        typer.Option(
            "--suda",
            metavar="SIZE",
            min=1,
            max=4,
            help="Search for what singles records out: up to SIZE quasi-identifiers.",
        ),
    ] = None,
    sampled: Annotated[
        float | None,
        typer.Option(
            "--sampled",
            metavar="SHARE",
            parser=as_share,
            help="Share of the population in the file, for the chances of --suda; by default as the weights say.",
        ),
    ] = None,
    show_values: Annotated[
        bool,
        typer.Option(
            "--show-values",
            metavar="",
            help="List the values of the quasi-identifiers in classes of fewer than k (recorded in the ledger).",
        ),
    ] = False,
    page: AuditPage,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    reading: Reading,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", metavar="SECONDS", callback=_seconds, help="End the search of --suda after so many seconds."
        ),
    ] = None,
) -> None:
    """Audit a file of records: how many can be singled out by their quasi-identifiers?

    The columns need roles: an attacker may know the quasi-identifiers, and must not learn the sensitive columns. A file
    needs no store; the audit of stored microdata is recorded. Exit code 1 when the policy is violated, 3 when the
    search ended before it was decided. No value of a record is shown without `--show-values`, which is for the owner of
    the data, on purpose.

    Example: auditor microdata audit people.csv --quasi-identifier age,sex,region --sensitive income --k 5

    Example: auditor microdata audit people.parquet --roles roles.toml --suda 3 --report report.html
    """
    from auditor.core.errors import BadInput
    from cli.microdata.audit_answer import answer_audit, answer_changed

    if sampled is not None and not 0 < sampled <= 1:
        raise BadInput("--sampled is a share of the population, above 0 and at most 1, such as 0.01 or 1%")
    if sampled is not None and suda is None:
        raise BadInput("--sampled is for the chances of special uniques; add --suda")
    page.check([one for one in (Path(records), roles.roles, policy) if one is not None])
    rules = policy_for_microdata(context, policy, preset, k=k, distinct_l=distinct, t=distance)
    subject = find_microdata_or_file(context, records)
    started, identifier = time.monotonic(), None
    if isinstance(subject, Path):
        task = _Task(subject, roles.declared(), rules, suda, sampled, reading, time_limit, show_values)
        shown = records
        done = task.run(context)
    else:
        from auditor.subjects.microdata.port import audited_or_changed

        check_as_stored(subject, roles, reading)
        task = _Task(subject, subject.declared, rules, suda, sampled, None, time_limit, show_values)
        shown = subject.name
        found = audited_or_changed(subject, partial(task.run, context))
        seconds = time.monotonic() - started
        if isinstance(found, tuple):
            identifier = _record(context, subject, rules, found, seconds, show_values=False)
            answer_changed(context.output, shown, rules, subject.declared, found, identifier)
        done = found
        identifier = _record(context, subject, rules, done.result.findings, seconds, show_values=show_values)
    page.write(context.output, Path(shown).name, done.result)
    answer_audit(
        context.output,
        shown,
        rules,
        done.result,
        done.remarks,
        identifier,
        done.exposed,
        page.report,
        claims_another=done.claims_another,
    )


@dataclass(frozen=True, slots=True)
class _Done:
    """An audit of a file, how the file was understood, and the values that were asked for."""

    result: RecordsAudit
    remarks: list[str]
    exposed: list[ExposedClass] | None
    claims_another: bool
    """Whether the file's manifest claims what this audit does not see."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What is audited, and how."""

    subject: Path | MicrodataInfo
    roles: Roles
    rules: Policy
    suda: int | None
    sampled: float | None
    reading: Reading | None
    time_limit: float | None
    show_values: bool

    def run(self, context: Context) -> _Done:
        """Audit the file."""
        from auditor.formats.records.exposed import exposed_classes
        from auditor.formats.records.missing import missing_words
        from auditor.subjects.microdata.auditing import audit_records
        from graphkit.microdata.risk.intrusion import MOST_ATTRIBUTES

        policy = self.rules.microdata
        with (
            context.output.progress("audit") as bar,
            opened_records(context, self.subject, self.reading) as opened,
        ):
            result = audit_records(
                opened,
                self.roles,
                policy,
                special=self.suda,
                sampled=self.sampled,
                clock=time.monotonic,
                time_limit=self.time_limit,
                progress=bar.report,
            )
            words = missing_words(opened) if isinstance(self.subject, Path) else ()
            used = set(self.roles.named())
            types = ", ".join(f"{column.name} {column.type}" for column in opened.columns if column.name in used)
            exposed = None
            if self.show_values:
                exposed = exposed_classes(opened, self.roles.quasi_identifiers, policy.k, _MOST_SHOWN)
        wrong_test = _wrong_test(self.subject)
        remarks = [f"read as {opened.format}: {types}", *(one.remark for one in words), *wrong_test]
        if self.sampled is not None and result.risk.intrusion is None:
            remarks.append(
                f"DIS and its scores were left out: they need special uniques (--suda), and at most {MOST_ATTRIBUTES} "
                "quasi-identifiers"
            )
        return _Done(result, remarks, exposed, bool(wrong_test))


def _wrong_test(subject: Path | MicrodataInfo) -> list[str]:
    """Return what to say of a file whose manifest claims what this audit does not see."""
    from auditor.subjects.microdata.exports.claimed import is_generalized

    if not (isinstance(subject, Path) and is_generalized(subject)):
        return []
    return [
        "its manifest claims freeform generalization: each record hides among others with overlapping values, which an "
        "audit that counts equal records does not see; the test that counts is 'auditor microdata verify ORIGINAL "
        f"{subject.name}'"
    ]


def _record(
    context: Context,
    info: MicrodataInfo,
    rules: Policy,
    findings: tuple[Finding, ...],
    seconds: float,
    *,
    show_values: bool,
) -> str:
    """Record an audit, and that values will be shown: before they are. Return its id."""
    from auditor.audits.record import NewAudit
    from auditor.audits.repository import Audits
    from auditor.subjects.microdata.port import subject_of
    from auditor.subjects.microdata.repository import Microdata

    new = NewAudit(subject_of(info), findings, rules.digest(), rules.text(), "command", seconds, context.actor)
    recorded = Audits(context.store).record(new)
    if show_values:
        Microdata(context.store).record_values_view(info, actor=context.actor)
    return recorded.id
