"""What must not be in the repository: paths of a machine, addresses of registries, huge files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# put together here, so that this file does not hold what it looks for
MACHINE_PATHS = re.compile("|".join("/" + name + r"/\w" for name in ("work", "root", "tmp", "Users")))
REGISTRIES = re.compile(
    "|".join(
        re.escape(host + "." + domain)
        for host, domain in [
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("maven", "org"),
            ("maven.apache", "org"),
            ("npmjs", "org"),
            ("crates", "io"),
            ("debian", "org"),
            ("docker", "io"),
        ]
    )
)
LONGEST_SOURCE = 400
TEST_DATA = 5 * 2**20


def tracked_files() -> list[Path]:
    """Files that git knows or would add."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked_files()
        if path.name != "LICENSE"
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_path_of_a_machine() -> None:
    assert lines_with(MACHINE_PATHS) == []


def test_no_registry_address() -> None:
    assert lines_with(REGISTRIES) == []


def test_no_source_file_is_two_things() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in ("auditor", "benchmarks", "cli", "graphkit")
        if (lines := len(text_of(path).splitlines())) > LONGEST_SOURCE
    }
    assert long == {}


def test_test_data_is_small() -> None:
    data = [path for path in tracked_files() if path.relative_to(ROOT).parts[0] == "tests" and path.suffix != ".py"]
    assert sum(path.stat().st_size for path in data) <= TEST_DATA
