"""`auditor report` says in its exit code what its page says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.app import run

pytestmark = pytest.mark.usefixtures("friends_folder")


@pytest.mark.parametrize(("rules", "code"), [(("--k", "5"), 1), (("--policy", "lenient.toml"), 0)])
def test_the_page_of_a_file_says_no_with_exit_code_1(
    rules: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lenient.toml").write_text("[network]\nmax_share_below_k = 1.0\nmax_unique_vertices = 1000\n")
    assert run(["--json", "report", "friends.csv", "--out", "page.html", *rules]) == code
    assert json.loads(capsys.readouterr().out)["passed"] == (code == 0)
    assert ("Not passed" in Path("page.html").read_text()) == (code == 1)


def test_people_read_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "friends.csv", "--out", "page.html"]) == 1
    assert capsys.readouterr().out == "page.html: internal report: not passed\n"
