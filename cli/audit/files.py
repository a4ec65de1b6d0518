"""`auditor audit files`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.core.changes import compare_findings
from auditor.core.errors import AuditorError, BadInput, NotFound
from auditor.core.finding import RecordedFinding, Verdict, verdict_of
from auditor.core.kinds import kinds, part
from cli.audit.junit import junit_xml
from cli.audit.outcome import end, hand_over
from cli.audit.sarif import sarif_json
from cli.terminal.context import Context
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of
from graphkit.errors import GraphkitError

if TYPE_CHECKING:
    from auditor.policy import Policy

_WRITTEN = ("junit", "sarif")


@dataclass(frozen=True, slots=True)
class FileAudit:
    """What an audit found in a file."""

    subject: str
    """The path, as it was given."""
    at: datetime
    seconds: float
    findings: tuple[RecordedFinding, ...]

    @property
    def verdict(self) -> Verdict:
        """What the findings mean together."""
        return verdict_of(self.findings)


def files(
    context: Context,
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files as they would be published.")],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="What they hold: network, or microdata (records).")
    ] = "network",
    roles: Annotated[
        Path | None, typer.Option("--roles", metavar="FILE", help="Of records: roles of the columns (TOML).")
    ] = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    format: Annotated[
        str, typer.Option("--format", metavar="FORM", help="table, json, junit, or sarif (for a code host).")
    ] = "table",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the JUnit or SARIF to this file.")
    ] = None,
) -> None:
    """Audit files before they are published, as a step of a pipeline: no store is needed, and nothing is recorded.

    Exit code 1: a file violates the policy. Exit code 3: something could not be proven, or a file could not be audited.

    Example: auditor audit files friends.csv --preset internal --format sarif --out audit.sarif

    Example: auditor audit files people.csv --kind microdata --roles roles.toml --policy policy.toml
    """
    if format not in ("table", "json", *_WRITTEN):
        raise BadInput(f"--format {format!r}: there are table, json, {' and '.join(_WRITTEN)}")
    if out is not None and format not in _WRITTEN:
        raise BadInput("--out is for --format junit or sarif; leave it out, or redirect the output")
    audited = {one.name: one.files for one in kinds() if one.files}
    if kind not in audited:
        raise BadInput(f"--kind {kind!r}: there are {' and '.join(audited)}")
    if roles is not None and not roles.exists():
        raise NotFound(f"{roles}: no such file; check the path of --roles")
    rules = policy_of(context, policy, preset)
    audits: list[FileAudit] = []
    failures: dict[str, str] = {}
    with context.output.progress("audit") as bar:
        for path in dict.fromkeys(paths):
            bar.phase(path.name)
            try:
                audits.append(_audited(context, path, audited[kind], rules, roles))
            except (AuditorError, GraphkitError) as error:
                if type(error) is BadInput:
                    # of the command, not of a file
                    raise
                # what is wrong with one file is no reason to leave the others out
                failures[str(path)] = str(error)
    changed = _changed(context, kind, paths)
    _answer(context, kind, audits, failures, format, out, changed)
    end((audit.verdict for audit in audits), failures)


def _audited(context: Context, path: Path, audit: str, rules: Policy, roles: Path | None) -> FileAudit:
    started, name = time.monotonic(), str(path)
    found = part(audit)(path, rules, context.settings, roles)
    # no audit was before, and nobody waives what is not stored
    findings, _ = compare_findings(name, found, [], {})
    return FileAudit(name, datetime.now(UTC), time.monotonic() - started, findings)


def _changed(context: Context, kind: str, paths: list[Path]) -> list[str]:
    """Return the releases that are not what their manifests beside them say, and tell so."""
    from auditor.exports.manifest import is_as_released, remark_of_change

    changed = [path for path in dict.fromkeys(paths) if is_as_released(path) is False]
    context.output.note(*(remark_of_change(path, kind) for path in changed))
    return [str(path) for path in changed]


def _answer(
    context: Context,
    kind: str,
    audits: list[FileAudit],
    failures: dict[str, str],
    form: str,
    out: Path | None,
    changed: list[str],
) -> None:
    output = context.output
    if form in _WRITTEN:
        for path, reason in failures.items():
            output.note(f"could not be audited: {reason if path in reason else f'{path}: {reason}'}")
        hand_over(junit_xml(audits, failures) if form == "junit" else sarif_json(kind, audits, failures), out)
        return
    output.json = output.json or form == "json"
    rows: list[tuple[str, ...]] = [
        (audit.subject, audit.verdict, finding.rule, finding.message) for audit in audits for finding in audit.findings
    ]
    rows += [(audit.subject, audit.verdict, "", "nothing found") for audit in audits if not audit.findings]
    rows += [(path, "not audited", "", reason) for path, reason in failures.items()]
    data = {
        "audits": [
            {"file": audit.subject, "verdict": audit.verdict, "seconds": audit.seconds, "findings": audit.findings}
            for audit in audits
        ],
        "failed": failures,
        "changed_releases": changed,
    }
    output.answer(data, output.table(("file", "verdict", "rule", "what was found"), rows))
