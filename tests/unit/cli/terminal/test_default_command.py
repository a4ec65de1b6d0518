"""A command whose name may be left out: what followed the group before it had others beside it still works."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.app import run

FRIENDS = "a,b\nb,c\nc,a\n"


@pytest.mark.parametrize(
    "words",
    [
        ["report", "{file}", "--out", "{out}"],
        ["report", "--out", "{out}", "--json", "{file}"],
        ["report", "--quiet", "--out={out}", "{file}"],
        ["--json", "report", "subject", "{file}", "-o", "{out}"],
    ],
)
def test_the_name_may_be_left_out_wherever_options_stand(words: list[str], tmp_path: Path) -> None:
    file, out = tmp_path / "friends.csv", tmp_path / "report.html"
    file.write_text(FRIENDS)
    assert run([word.format(file=file, out=out) for word in words]) in (0, 1)
    assert out.exists()


def test_a_first_word_that_is_another_command_means_that_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "month", "october"]) == 2
    assert "is no period" in capsys.readouterr().err
    assert run(["report", "--help"]) == 0
    assert "month" in capsys.readouterr().out
