"""`network anonymize` with limits on stored networks: earlier exports are found by name, promises are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import Settings
from tests.support.commands import Finished, run_auditor
from tests.support.friends import KARATE, SECRET, write_friends

pytestmark = pytest.mark.neo4j


@pytest.mark.slow
def test_the_newest_export_of_a_stored_network_is_heeded(tmp_path: Path, neo4j_settings: Settings) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(["--json", "network", *arguments], neo4j_settings.home)
        assert ended.code == code, ended.err
        assert SECRET not in ended.out + ended.err
        return ended

    auditor("add", "then", write_friends(tmp_path / "then.csv", KARATE.get_edgelist()[:-3]))
    auditor("add", "now", write_friends(tmp_path / "now.csv"))
    words = ("anonymize", "now", "--k", 3, "--previous", "then")
    assert "nothing of 'then' was published" in auditor(*words, "--dry-run", code=2).err
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    auditor("anonymize", "then", "--k", 3, "--out", first)
    done = auditor(*words, "--out", second).json
    assert "k-anonymous with the earlier versions" in {check["name"] for check in done["verification"]}
    # the terms stay beside the key, so a second look checks the promise again
    assert run_auditor(["--json", "report", "now", "--out", tmp_path / "page.html"], neo4j_settings.home).code == 0

    only = tmp_path / "only.txt"
    only.write_text("".join(f"{SECRET}{v}\n" for v in range(8)), encoding="utf-8")
    limits = ("--only", only, "--allow", "add,delete", "--out", tmp_path / "third.csv")
    third = auditor("anonymize", "now", "--k", 3, *limits).json
    assert third["earlier"] == 1
    assert "k-anonymous within the subset" in {check["name"] for check in third["verification"]}

    for words_of_page in (("--out", tmp_path / "own.html"), ("--out", tmp_path / "public.html", "--public")):
        assert run_auditor(["report", "now", *words_of_page], neo4j_settings.home).code == 0
    made = f"{third['edges_added']} edges were added, {third['edges_deleted']} removed"
    assert made in (tmp_path / "own.html").read_text()
    assert "removed" not in (tmp_path / "public.html").read_text()

    text = first.read_text()
    first.write_text(text + "\n")
    assert "was changed since it was published" in auditor(*words, "--dry-run", code=2).err
    first.unlink()
    assert "not where it was published" in auditor(*words, "--dry-run", code=2).err
