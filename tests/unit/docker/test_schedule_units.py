"""What runs schedules from outside: systemd units and a CronJob, as far as their files tell."""

from __future__ import annotations

import configparser
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.reference import commands

DOCKER = Path(__file__).resolve().parents[3] / "docker"
COMMANDS = dict(commands())


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(DOCKER / name, encoding="utf-8")
    return parser


@pytest.fixture(scope="module")
def job() -> dict[str, Any]:
    loaded = yaml.safe_load((DOCKER / "auditor-schedule.cronjob.yaml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def pod(job: dict[str, Any]) -> dict[str, Any]:
    found = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    assert isinstance(found, dict)
    return found


def check_command(words: list[str]) -> None:
    path = next(" ".join(words[:count]) for count in (2, 1) if " ".join(words[:count]) in COMMANDS)
    known = {name for param in COMMANDS[path].params for name in param.opts}
    assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("name", ["auditor-schedule.service", "auditor-schedule-once.service", "auditor-serve.service"])
def test_a_service_runs_a_command_that_there_is_without_rights(name: str) -> None:
    service = unit(name)["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/auditor")
    check_command(words)
    assert service["User"] not in ("", "root")
    assert service["NoNewPrivileges"] == "true"


def test_a_worker_has_time_to_finish_and_is_started_again_when_it_fails() -> None:
    service = unit("auditor-schedule.service")["Service"]
    assert service["TimeoutStopSec"] == "10min"
    assert service["Restart"] == "on-failure"


def test_the_timer_starts_the_service_that_ends() -> None:
    assert unit("auditor-schedule-once.timer")["Timer"]["OnCalendar"] == "*:0/5"
    once = unit("auditor-schedule-once.service")["Service"]
    assert (once["Type"], once["SuccessExitStatus"]) == ("oneshot", "1")


def test_the_job_runs_a_command_that_there_is_without_rights(job: dict[str, Any]) -> None:
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "CronJob")
    (container,) = pod(job)["containers"]
    check_command(container["args"])
    assert "/" not in container["image"]
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert pod(job)["securityContext"]["runAsNonRoot"]
    assert pod(job)["terminationGracePeriodSeconds"] >= 300


def test_the_log_in_of_the_job_is_a_mounted_secret(job: dict[str, Any]) -> None:
    (container,) = pod(job)["containers"]
    environment = {variable["name"]: variable["value"] for variable in container["env"]}
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    folder = environment["NEO4J_PASSWORD_FILE"].rpartition("/")[0]
    volumes = {volume["name"]: volume for volume in pod(job)["volumes"]}
    assert "secret" in volumes[mounts[folder]]
    assert set(volumes) == set(mounts.values())


def test_the_job_runs_as_the_user_of_the_image(job: dict[str, Any]) -> None:
    assert f"USER {pod(job)['securityContext']['runAsUser']}:" in (DOCKER / "Dockerfile").read_text(encoding="utf-8")


def test_the_guide_names_every_file() -> None:
    guide = (DOCKER.parent / "docs/schedules.md").read_text(encoding="utf-8")
    assert all(path.name in guide for path in DOCKER.glob("auditor-schedule*"))
