"""The Helm chart, as far as it can be read without helm; `make chart` renders it and checks what comes out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

import auditor
from cli.reference import commands

ROOT = Path(__file__).resolve().parents[3]
CHART = ROOT / "docker" / "chart"


def templates() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((CHART / "templates").iterdir()))


def keys(values: dict[str, Any], before: str = "") -> set[str]:
    """The paths of all settings, those within lists and empty mappings aside."""
    found = set()
    for name, value in values.items():
        path = f"{before}{name}"
        found |= keys(value, f"{path}.") if isinstance(value, dict) and value else {path}
    return found


def test_every_setting_is_used_and_every_one_that_is_used_is_there() -> None:
    values = keys(yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8")))
    used = set(re.findall(r"\.Values\.([\w.]+)", templates()))
    assert used <= values | {"page.resources", "worker.resources"}
    assert {path for path in values if ".resources." not in path} <= used


def test_the_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert chart["version"] == chart["appVersion"] == auditor.__version__


def test_pods_run_commands_that_there_are() -> None:
    known = dict(commands())
    serve, run = re.findall(r"args: \[(.+)\]", templates())
    options = {option for parameter in known["serve"].params for option in parameter.opts}
    assert set(re.findall(r"--[\w-]+", serve)) <= options
    assert serve.startswith("serve,")
    assert run == "schedule, run"


def test_no_pod_has_rights_or_a_password_in_its_description() -> None:
    text = templates()
    for said in (
        "runAsNonRoot: true",
        "readOnlyRootFilesystem: true",
        "drop: [ALL]",
        "automountServiceAccountToken: false",
        "allowPrivilegeEscalation: false",
    ):
        assert said in text
    assert "NEO4J_PASSWORD_FILE" in text
    assert not re.search(r"NEO4J_PASSWORD\b(?!_FILE)", text)
