"""docs/operations.md: its commands are run as they stand, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.operating.logs import EVENTS
from auditor.operating.metrics import Metrics
from auditor.store.opening import Store, open_store
from cli.reference import commands
from tests.support.documented import run_block
from tests.support.friends import write_friends

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
RESTORE = re.findall(r"^```sh restore\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = dict(commands())


@pytest.fixture
def folder(tmp_path: Path, neo4j_connection: object, neo4j_settings: Settings) -> Path:
    """A folder, and a store with a network and a token."""
    write_friends(tmp_path / "friends.csv")
    run_block("auditor network add friends friends.csv -q", tmp_path, neo4j_settings.home, neo4j_settings)
    return tmp_path


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_commands_run_one_after_the_other(folder: Path, neo4j_settings: Settings) -> None:
    told = "".join(run_block(block, folder, neo4j_settings.home, neo4j_settings) for block in BLOCKS)
    assert "ready\n" in told
    assert "the ledger is intact" in told
    assert "auditor_ledger_entries" in (folder / "auditor.prom").read_text()


@pytest.mark.neo4j
@pytest.mark.slow
def test_a_backup_is_restored_as_it_says(folder: Path, neo4j_settings: Settings) -> None:
    run_block("auditor store backup backup.jsonl.zst", folder, neo4j_settings.home, neo4j_settings)
    (block,) = RESTORE
    assert "the ledger is intact" in run_block(block, folder, neo4j_settings.home, neo4j_settings)


@pytest.mark.neo4j
def test_every_figure_that_it_watches_is_told(folder: Path, neo4j_settings: Settings) -> None:
    with open_store(neo4j_settings) as store:
        text = figures(store)
    named = set(re.findall(r"`(auditor_[a-z_]+)", PAGE))
    # these are there only once something waits, was signed, or a worker gave a sign of life
    later = {
        "auditor_oldest_message_age_seconds",
        "auditor_checkpoint_age_seconds",
        "auditor_worker_heartbeat_age_seconds",
    }
    assert len(named) > 10
    assert {name for name in named - later if name.removesuffix("_total") not in text} == set()


def figures(store: Store) -> str:
    return Metrics().text(store)


def test_what_it_names_is_there() -> None:
    for name in re.findall(r"docker/[\w.-]+", PAGE):
        assert (ROOT / name).exists(), name
    for words in re.findall(r"(?:`|^)auditor ([a-z-]+(?: [a-z-]+)?)", PAGE, re.MULTILINE):
        assert words in COMMANDS or words.split()[0] in COMMANDS, words
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    assert set(EVENTS) <= {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}


def test_links_within_the_page_lead_to_a_heading() -> None:
    lines = re.findall(r"^#+ (.*)", PAGE, re.MULTILINE)
    headings = {re.sub(r"[^a-z0-9 -]", "", line.lower()).replace(" ", "-") for line in lines}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
