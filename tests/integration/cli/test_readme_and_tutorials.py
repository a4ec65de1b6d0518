"""The commands of README.md and of the tutorials, block by block as they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from auditor.access.tokens import Tokens
from auditor.config import Settings
from auditor.schedules.repository import Schedules
from auditor.store.opening import open_store
from tests.support.documented import run_block

ROOT = Path(__file__).resolve().parents[3]
REPLACED = {
    # the environment of the tests is there already
    "make env && source .venv/bin/activate\n": "",
    # these run until they are told to end
    "auditor serve ": "auditor serve --check ",
    "auditor schedule run  ": "auditor schedule run --once  ",
}
VIOLATED = re.compile(
    r"network audit|microdata audit people\.csv|--preset internal|table check|"
    r"request survey sex,illness|request survey sex,age --by"
)
"""Commands whose answer is no: exit code 1."""


def blocks_of(page: str) -> list[tuple[str, str]]:
    """Return the language and the text of every block of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


def as_tested(block: str) -> str:
    """Return a block that ends, and that tolerates exactly the commands whose answer is no."""
    for text, other in REPLACED.items():
        block = block.replace(text, other)
    lines = block.splitlines()
    return "\n".join(f"{{ {line}\n}} && exit 99 || test $? -eq 1" if VIOLATED.search(line) else line for line in lines)


def run_page(page: str, folder: Path, settings: Settings) -> Sequence[str]:
    """Run all blocks of a page; those after `cd sample` in that folder."""
    told = []
    for language, text in blocks_of(page):
        if language == "toml":
            changes = f'address = "{folder / "changes.jsonl"}"'
            (folder / "policy.toml").write_text(re.sub(r"^address = .*", changes, text, flags=re.MULTILINE))
        elif language == "sh":
            told.append(run_block(as_tested(text), folder, settings.home, settings))
            folder = folder / "sample" if "cd sample" in text else folder
    return told


@pytest.fixture
def settings(neo4j_connection: object, neo4j_settings: Settings) -> Settings:
    """Settings of a store that is empty."""
    return neo4j_settings


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_readme(tmp_path: Path, settings: Settings) -> None:
    _, network, table, records, service = run_page("README.md", tmp_path, settings)
    assert "proven to be the fewest possible" in network
    assert re.findall(r": (release|refuse)\n", table) == ["release", "release", "refuse", "release"]
    assert "people-released.csv: passed" in records
    assert "the ledger is intact" in service
    assert "http://127.0.0.1:8321/" in service


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("page", ["docs/tutorial-network.md", "docs/tutorial-tables.md", "docs/tutorial-records.md"])
def test_a_tutorial(page: str, tmp_path: Path, settings: Settings) -> None:
    assert len(run_page(page, tmp_path, settings)) >= 5


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_month_of_the_service(tmp_path: Path, settings: Settings) -> None:
    _, first_day, end_of_month = run_page("docs/tutorial-service.md", tmp_path, settings)
    assert "weekly" in first_day
    assert "http://127.0.0.1:8321/" in first_day
    assert "the ledger is intact" in end_of_month
    with open_store(settings) as store:
        assert [schedule.subjects for schedule in Schedules(store).list()] == [("network:friends", "table:survey")]
        assert sorted(token.person for token in Tokens(store).list()) == ["ann", "bob"]
