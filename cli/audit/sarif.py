"""Findings in files as SARIF 2.1.0, which code hosts show beside the files."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from auditor import __version__
from auditor.policy import key_of
from cli.audit.junit import Audited

_LEVELS = {"violation": "error", "undecided": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOT_AUDITED = "could-not-be-audited"
_NO_KEY = {_NOT_AUDITED: ("the file can be read and audited", "Its message says what is wrong with the file.")}


def sarif_json(kind: str, audits: Sequence[Audited], failures: Mapping[str, str]) -> str:
    """Return the JSON text.

    Parameters
    ----------
    kind : str
        Kind of the files: the section of a policy that holds the rules.
    audits : sequence of Audited
        Their subjects are paths. A violation is an error, and so is what was undecided.
    failures : mapping of str to str
        Why files could not be audited.

    Notes
    -----
    Like all that leaves an audit, it holds names of files and rules and figures, never a label or a value. Of a rule it
    holds what code hosts ask for beyond the schema: a full description, and help.
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
        "rules": [_rule(kind, rule) for rule in rules],
    }
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(kind: str, rule: str) -> dict[str, Any]:
    described = {"id": rule, "shortDescription": {"text": rule.replace("_", " ")}}
    if key := key_of(f"{kind}.{rule}"):
        full, help = key.asks, f"{key.meaning.why} More: auditor policy explain {key.name}"
    else:
        full, help = _NO_KEY.get(rule, (rule.replace("_", " "), "Its message says what was found, and what to do."))
    return described | {"fullDescription": {"text": full}, "help": {"text": help}}


def _result(path: str, rule: str, level: str, message: str) -> dict[str, Any]:
    found = Path(path)
    # a host finds a relative path in the checkout; what has a drive or begins at the root is an address of its own
    uri = found.as_uri() if found.is_absolute() else quote(os.fsencode(found.as_posix()))
    location = {"artifactLocation": {"uri": uri}}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }
