"""What can be known about the images without an engine: their files say it."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.reference import commands

ROOT = Path(__file__).resolve().parents[3]
DOCKER = ROOT / "docker"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", (DOCKER / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [(name.upper(), " ".join(rest.split())) for name, rest in (line.split(None, 1) for line in lines)]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    start = max(i for i, (name, _) in enumerate(found) if name == "FROM")
    return found[start:]


def test_base_images_are_slim_and_tagged() -> None:
    for name, rest in instructions():
        if name == "FROM":
            assert re.match(r"python:3\.\d+-slim-\w+( AS \w+)?$", rest)


def test_the_image_runs_without_rights() -> None:
    stage = last_stage()
    users = [rest for name, rest in stage if name == "USER"]
    assert users
    assert users[-1].split(":")[0] not in ("0", "root")
    assert [name for name, _ in stage].index("USER") < [name for name, _ in stage].index("ENTRYPOINT")


def test_a_check_of_health_never_starts_a_store(compose: dict[str, Any]) -> None:
    # in an image without a server, a command would fetch and start the private one
    assert not [rest for name, rest in instructions() if name == "HEALTHCHECK"]
    check = compose["services"]["page"]["healthcheck"]["test"]
    assert check[:3] == ["CMD", "python", "-c"]
    compile(check[3], "healthcheck", "exec")
    (port,) = [rest for name, rest in last_stage() if name == "EXPOSE"]
    assert f":{port}/readyz" in check[3]
    assert compose["services"]["page"]["ports"][0].endswith(f":{port}")


def test_page_and_worker_run_commands_that_there_are_with_what_the_command_has(compose: dict[str, Any]) -> None:
    services = compose["services"]
    known = dict(commands())
    for name in ("page", "worker"):
        service = services[name]
        path = "serve" if name == "page" else "schedule run"
        words = service["command"]
        assert " ".join(words).startswith(path)
        options = {option for parameter in known[path].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options
        for key in ("read_only", "cap_drop", "security_opt", "secrets", "volumes", "depends_on", "image"):
            assert service[key] == services["auditor"][key]


def test_everything_is_installed_at_pinned_versions() -> None:
    for name, rest in instructions():
        for command in rest.split("&&") if name == "RUN" else []:
            if "pip install" in command:
                assert "-c constraints.txt" in command


def test_what_is_copied_is_there_and_not_kept_out() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"}
    for name, rest in instructions():
        if name == "COPY" and "--from" not in rest:
            *sources, _ = [word for word in rest.split() if not word.startswith("--")]
            for source in sources:
                assert (ROOT / source).exists(), source
                assert source in kept, source


def test_all_that_the_wheel_is_made_of_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    copied = " ".join(rest for name, rest in instructions() if name == "COPY").split()
    metadata = ("pyproject.toml", project["project"]["readme"], *project["project"]["license-files"])
    assert {*wheel["packages"], *wheel["force-include"], *metadata} <= set(copied)


def test_no_secret_is_in_the_files() -> None:
    for path in DOCKER.iterdir():
        if path.suffix != ".txt" and path.is_file():
            assert not re.search(r"(?i)password\s*[:=]\s*['\"]?\w", path.read_text(encoding="utf-8")), path.name
    assert "docker/neo4j_auth.txt" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_database_is_the_pinned_community_edition(compose: dict[str, Any]) -> None:
    assert re.fullmatch(r"neo4j:5\.26\.\d+-community", compose["services"]["neo4j"]["image"])


def test_the_database_is_checked_and_waited_for(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["neo4j"]["healthcheck"]["test"]
    assert services["auditor"]["depends_on"]["neo4j"]["condition"] == "service_healthy"


def test_data_outlives_the_containers(compose: dict[str, Any]) -> None:
    named = set(compose["volumes"])
    for service in compose["services"].values():
        mounted = {volume.split(":")[0] for volume in service["volumes"]}
        assert mounted & named
    assert "neo4j-data:/data" in compose["services"]["neo4j"]["volumes"]


def test_the_log_in_is_a_secret_that_both_read(compose: dict[str, Any]) -> None:
    (secret,) = compose["secrets"]
    for service in compose["services"].values():
        assert service["secrets"] == [secret]
        assert service["environment"]["NEO4J_AUTH_FILE"] == f"/run/secrets/{secret}"


def test_ports_are_open_to_this_machine_alone(compose: dict[str, Any]) -> None:
    ports = [port for service in compose["services"].values() for port in service.get("ports", ())]
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("password", ["plain", "with/slash", "with space $HOME 'quotes'"])
def test_the_entrypoint_takes_the_log_in_from_the_secret(tmp_path: Path, password: str) -> None:
    secret = tmp_path / "auth"
    secret.write_text(f"neo4j/{password}", encoding="utf-8")
    done = subprocess.run(
        ["sh", str(DOCKER / "entrypoint.sh"), "sh", "-c", 'printf "%s|%s" "$NEO4J_USERNAME" "$NEO4J_PASSWORD"'],
        env={"PATH": os.environ["PATH"], "NEO4J_AUTH_FILE": str(secret)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"neo4j|{password}"


def test_the_entrypoint_leaves_an_environment_without_secret_alone() -> None:
    done = subprocess.run(
        ["sh", str(DOCKER / "entrypoint.sh"), "sh", "-c", 'echo "${NEO4J_PASSWORD-unset}"'],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "unset\n"
