"""The docs name everything that users meet, and the examples in the help work."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import auditor.core.errors
import graphkit.errors
from cli.app import root_command
from cli.reference import commands, examples_of, reference

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
COMMANDS = dict(commands())
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_command_reference_is_current() -> None:
    assert page("commands.md") == reference(), "run 'make docs'"


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_documented(path: str) -> None:
    text = page("commands.md")
    assert f"auditor {path}" in text
    for param in [*COMMANDS[path].params, *root_command().params]:
        if param.param_type_name == "option" and param.name != "help":
            assert all(f"`{name}`" in text for name in param.opts), param.opts


@pytest.mark.parametrize("path", COMMANDS)
def test_every_help_explains_its_options_and_has_an_example(path: str) -> None:
    command = COMMANDS[path]
    assert command.help
    assert all(param.help for param in command.params)
    examples = examples_of(command)
    assert examples
    # the first command of the reports needs no name
    assert all(line.startswith(f"auditor {path.removesuffix(' subject')}") for line in examples)


def test_every_error_is_documented() -> None:
    for module in (auditor.core.errors, graphkit.errors):
        for name, error in inspect.getmembers(module, inspect.isclass):
            if issubclass(error, Exception) and error.__module__ == module.__name__:
                assert f"`{name}`" in page("errors.md"), name


def test_every_setting_is_documented() -> None:
    from auditor.config import Settings

    text = page("configuration.md")

    def fields(model: Any) -> list[str]:
        found: list[str] = []
        for name, field in model.model_fields.items():
            inner = field.annotation
            found += fields(inner) if hasattr(inner, "model_fields") else [name]
        return found

    assert [name for name in fields(Settings) if f"`{name}`" not in text] == []


def test_every_environment_variable_is_documented() -> None:
    read = re.compile(r"""(?:["']|\$\{?)((?:AUDITOR|NEO4J)_[A-Z][A-Z_]+)\b""")
    ours = [
        p for package in ("auditor", "cli", "docker") for p in (ROOT / package).rglob("*") if p.suffix in (".py", ".sh")
    ]
    sources = [path.read_text(encoding="utf-8") for path in ours]
    constants = {name for text in sources for name in re.findall(r"^([A-Z0-9_]+)\b.* = ", text, re.MULTILINE)}
    used = {name for text in sources for name in read.findall(text)} - constants
    documented = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert {name for name in used if name not in documented} == set()


def test_every_page_has_its_place_on_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1]
    assert [path.name for path in DOCS.glob("*.md") if f": {path.name}\n" not in navigation] == []


def test_links_between_pages_lead_somewhere() -> None:
    for path in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def expanded(name: str) -> list[str]:
    """Return the names that `{a,b}` in one stands for."""
    match = re.search(r"\{([^}]*)\}", name)
    if match is None:
        return [name]
    return [
        whole for one in match[1].split(",") for whole in expanded(name[: match.start()] + one + name[match.end() :])
    ]


def test_source_files_that_pages_name_exist() -> None:
    named = re.compile(r"`((?:auditor|benchmarks|cli|graphkit|tests)/[\w./{},*-]+)`")
    missing = [
        f"{path.name}: {name}"
        for path in PAGES
        if path.name not in ("CHANGELOG.md", "performance.md")
        for text in named.findall(path.read_text(encoding="utf-8"))
        for name in expanded(text)
        if not any(ROOT.glob(name))
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        (README, "edges added"),
        (DOCS / "tutorial-network.md", "edges added"),
        (DOCS / "tutorial-tables.md", "refuse"),
        (DOCS / "tutorial-records.md", "verified=True"),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_the_python_of_the_readme_and_the_tutorials_runs(
    path: Path, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for code in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, path.name, "exec"), {})
    assert printed in capsys.readouterr().out


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 110


def test_the_examples_from_python_run(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", page("python.md"), re.DOTALL):
        exec(compile(code, "python.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "1",
        "ReleasedNetwork(k=2, vertices=5, edges=4, verified=True)",
        "4",
        "ReleasedRecords(k=2, records=4, verified=True)",
        "0.13 % lost; no groups of 2 lose less than 0.13 %",
    ]


def test_the_python_of_the_page_about_microdata_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", page("microdata.md"), re.DOTALL):
        exec(compile(code, "microdata.md", "exec"), {})
    out = capsys.readouterr().out
    assert out.startswith("[0, 1, 0, 1] ")
    assert "2 records are alone" in out


@pytest.mark.parametrize(
    "line",
    [
        line
        for path in [README, *sorted(DOCS.glob("tutorial-*.md"))]
        for block in re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
        for line in block.splitlines()
        if line.startswith("auditor ")
    ],
)
def test_the_commands_of_the_readme_and_the_tutorials_exist(line: str) -> None:
    words = line.split("#")[0].split()[1:]
    # the command, its group and name, or the group with the command that is meant without a name
    path = next(path for path in (words[0], " ".join(words[:2]), f"{words[0]} subject") if path in COMMANDS)
    options = {name for param in COMMANDS[path].params for name in param.opts}
    assert {word.split("=")[0] for word in words if word.startswith("--")} <= options
