"""What happens to a command whose reader went away, or that has nowhere to write."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import environment

ROOT = Path(__file__).parents[3]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "n.csv").write_text("source,target\n1,2\n2,3\n3,1\n")
    auditor = f"'{sys.executable}' -m cli.app"
    return subprocess.run(
        ["bash", "-c", line.replace("AUDITOR", auditor)],
        cwd=folder,
        env=environment(folder / "home", PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=60,
    )


# `true` may end before or after the first byte is written: waiting for it makes the pipe closed for sure
@pytest.mark.parametrize(
    "arguments", ["network audit n.csv --k 3 -q", "network audit n.csv --k 3 --json", "policy show"]
)
def test_a_closed_pipe_is_not_the_answer_no(arguments: str, tmp_path: Path) -> None:
    ended = shell(
        f"(while [ ! -e gone ]; do :; done; AUDITOR {arguments}) | touch gone; exit ${{PIPESTATUS[0]}}", tmp_path
    )
    assert ended.returncode == 141
    assert ended.stderr == ""


@pytest.mark.parametrize("arguments", ["network audit n.csv --k 3", "policy show --json", "--help"])
def test_a_closed_standard_output_is_one_line(arguments: str, tmp_path: Path) -> None:
    ended = shell(f"AUDITOR {arguments} >&-", tmp_path)
    assert ended.returncode == 4
    assert ended.stderr == "auditor: standard output is closed; give it somewhere to go\n"


def test_a_closed_standard_error_changes_nothing(tmp_path: Path) -> None:
    assert shell("AUDITOR network audit n.csv --k 3 2>&-", tmp_path).returncode == 0
    assert shell("AUDITOR network audit none.csv --k 3 2>&-", tmp_path).returncode == 2
