"""README.md, the section on the service: its policy and its commands, as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.access.tokens import Tokens
from auditor.config import Settings
from auditor.schedules.repository import Schedules
from auditor.store.opening import open_store
from tests.support.documented import run_block
from tests.support.friends import write_friends

ROOT = Path(__file__).resolve().parents[3]
SECTION = re.search(r"^## The service\n(.*?)^## ", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", SECTION[1] if SECTION else "", re.DOTALL | re.MULTILINE)
ADD = "auditor -q network add friends friends.csv; auditor -q table add survey survey.csv"
ENDLESS = {
    "auditor serve ": "auditor serve --check ",
    "auditor schedule run": "auditor schedule run --once",
}
"""What goes on until it is told to end, and what of it ends by itself."""


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_first_day_and_the_end_of_the_month(
    tmp_path: Path, neo4j_connection: object, neo4j_settings: Settings
) -> None:
    write_friends(tmp_path / "friends.csv")
    (tmp_path / "survey.csv").write_text("sex,ill,count\nf,yes,12\nf,no,31\nm,yes,9\nm,no,29\n", encoding="utf-8")
    run_block(ADD, tmp_path, neo4j_settings.home, neo4j_settings)
    told = []
    for language, text in BLOCKS:
        if language == "toml":
            changes = f'address = "{tmp_path / "changes.jsonl"}"'
            (tmp_path / "policy.toml").write_text(re.sub(r"^address = .*", changes, text, flags=re.MULTILINE))
            continue
        for endless, once in ENDLESS.items():
            text = text.replace(endless, once)
        told.append(run_block(text, tmp_path, neo4j_settings.home, neo4j_settings))
    first_day, end_of_month = told
    assert "weekly" in first_day
    assert "http://127.0.0.1:8321/" in first_day
    assert "the ledger is intact" in end_of_month
    with open_store(neo4j_settings) as store:
        assert [schedule.subjects for schedule in Schedules(store).list()] == [("network:friends", "table:survey")]
        assert sorted(token.person for token in Tokens(store).list()) == ["ann", "bob"]
