"""What `auditor config show` tells of the settings: all of them, where they came from, and no secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.config import Settings
from cli.app import run

SECRET = "swordfish-7431"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings in a file and in the environment, and a store that does not answer."""
    path = tmp_path / "config.toml"
    path.write_text(f'home = "/srv/auditor"\n[store]\npassword = "{SECRET}"\nuser = "file"\nheap = "2g"\n')
    for name in ("NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD", "AUDITOR_HOME", "AUDITOR_LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AUDITOR_CONFIG", str(path))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("NEO4J_USERNAME", "environment")
    monkeypatch.setenv("AUDITOR_SMTP_PASSWORD", SECRET)
    monkeypatch.setenv("AUDITOR_LEDGER_KEY_COMMAND", f"echo {SECRET}")
    return path


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, tuple[object, str]]:
    capsys.readouterr()
    assert run(["config", "show", "--json", *words]) == 0
    out = capsys.readouterr().out
    assert SECRET not in out
    return {item["key"]: (item["value"], item["source"]) for item in json.loads(out)["settings"]}


def test_each_setting_is_told_with_what_gave_it(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "--store", "bolt://127.0.0.1:2")
    assert found["store.url"] == ("bolt://127.0.0.1:2", "--store")
    assert found["store.user"] == ("environment", "NEO4J_USERNAME")
    assert found["store.heap"] == ("2g", str(machine))
    assert found["store.password"] == ("(hidden)", str(machine))
    assert found["store.page_cache"] == ("256m", "default")
    assert found["log.format"] == ("auto", "default")
    assert found["AUDITOR_SMTP_PASSWORD"] == ("(hidden)", "AUDITOR_SMTP_PASSWORD")
    assert shown(capsys)["store.url"] == ("bolt://127.0.0.1:1", "NEO4J_URI")


def test_no_setting_is_missing(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys)
    for name, field in Settings.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        for key in [name] if inner is None else [f"{name}.{key}" for key in inner]:
            assert key in found


def test_a_password_file_of_the_environment_replaces_the_password(
    machine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD_FILE", "/run/secrets/neo4j")
    found = shown(capsys)
    assert found["store.password"] == (None, "default")
    assert found["store.password_file"] == ("/run/secrets/neo4j", "NEO4J_PASSWORD_FILE")


def test_people_see_a_table_without_secrets(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "show"]) == 0
    out = capsys.readouterr().out
    assert SECRET not in out
    assert f"configuration file: {machine}\n" in out
    machine.write_text("[store]\nheap = 'lots'\n")
    assert run(["config", "show"]) == 2
    assert "store.heap" in capsys.readouterr().err
