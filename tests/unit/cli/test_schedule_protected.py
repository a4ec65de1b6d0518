"""What a schedule may make exports of, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.core.errors import BadInput, NotFound
from auditor.policy import Policy
from auditor.subjects.networks.policy import NetworkPolicy
from cli.schedule.adding import protected_place

POLICY = Policy(network=NetworkPolicy(k=3))
ONE = ["network:n"]


@pytest.mark.parametrize(
    ("subjects", "k", "out", "message"),
    [
        (ONE, 3, None, "belong together"),
        (ONE, None, "n.csv", "belong together"),
        (["table:t"], 3, "n.csv", "of one network"),
        (["network:n", "network:m"], 3, "n.csv", "of one network"),
        (ONE, 2, "n.csv", "requires k = 3"),
        (ONE, 3, "n.xyz", "n-"),
    ],
)
def test_what_cannot_be_made_is_told(
    subjects: list[str], k: int | None, out: str | None, message: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=message):
        protected_place(subjects, POLICY, k, None if out is None else tmp_path / out)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="does not exist"):
        protected_place(ONE, POLICY, 3, tmp_path / "nowhere" / "n.csv")


def test_the_place_holds_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert protected_place(ONE, POLICY, 3, Path("n.csv")) == tmp_path / "n.csv"
    assert protected_place(["table:t"], POLICY, None, None) is None
