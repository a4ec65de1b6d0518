"""Findings in files as SARIF 2.1.0, which code hosts show beside the files."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from auditor import __version__
from cli.audit.junit import Audited

_LEVELS = {"violation": "error", "undecided": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOT_AUDITED = "could-not-be-audited"


def sarif_json(audits: Sequence[Audited], failures: Mapping[str, str]) -> str:
    """Return the JSON text.

    Parameters
    ----------
    audits : sequence of Audited
        Their subjects are paths. A violation is an error, and so is what was undecided.
    failures : mapping of str to str
        Why files could not be audited.

    Notes
    -----
    Like all that leaves an audit, it holds names of files and rules and figures, never a label or a value.
    """
    results = [
        _result(audit.subject, finding.rule, _LEVELS[finding.severity], f"{finding.where}: {finding.message}")
        for audit in audits
        for finding in audit.findings
    ]
    results += [_result(path, _NOT_AUDITED, "error", reason) for path, reason in failures.items()]
    rules = sorted({result["ruleId"] for result in results})
    driver = {
        "name": "disclosure-auditor",
        "semanticVersion": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": rule.replace("_", " ")}} for rule in rules],
    }
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(path: str, rule: str, level: str, message: str) -> dict[str, Any]:
    location = {"artifactLocation": {"uri": quote(PurePosixPath(Path(path)).as_posix())}}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }
