"""The month-end report on the command line: shown, signed, verified, tampered with, and free of what is protected."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.schema.head import ensure_schema
from tests.support.commands import Finished, run_auditor

pytestmark = pytest.mark.neo4j

COUNTS = (79190041, 15485863, 32452843, 2)
SURVEY = "sex,ill,count\n" + "".join(
    f"{sex},{ill},{COUNTS[2 * s + i]}\n" for s, sex in enumerate("fm") for i, ill in enumerate(("CanaryYes", "no"))
)
PEOPLE = "CanaryAnn,b\nCanaryAnn,c\nb,c\nc,d\nd,b\n"
MONTH = f"{datetime.now(UTC):%Y}"


@pytest.fixture
def folder(tmp_path: Path, neo4j_connection: Connection) -> Path:
    ensure_schema(neo4j_connection)
    (tmp_path / "survey.csv").write_text(SURVEY)
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


def test_a_report_is_signed_verified_and_every_change_is_seen(
    folder: Path, neo4j_settings: Settings, neo4j_connection: Connection
) -> None:
    def auditor(*arguments: object, code: int = 0) -> Finished:
        ended = run_auditor(arguments, neo4j_settings.home)
        assert ended.code == code, ended.out + ended.err
        assert "Traceback" not in ended.err
        return ended

    key, page, line, ledger = (folder / name for name in ("audit.key", "r.html", "r.json", "ledger.jsonl"))
    auditor("table", "add", "survey", folder / "survey.csv")
    auditor("table", "request", "survey", "sex", "--by", "bob")
    auditor("table", "request", "survey", "sex,ill", "--by", "bob", code=1)
    auditor("network", "add", "people", folder / "people.csv")
    auditor("network", "anonymize", "people", "--k", "2", "--out", folder / "released.csv", "--effort", "1")
    auditor("ledger", "create-key", key)
    auditor("ledger", "checkpoint", "--key", key, "--out", folder / "checkpoint")
    shown = auditor("report", "month", MONTH)
    told = json.loads(auditor("report", "month", MONTH, "--json").out)
    assert told["totals"]["released_by_family"] == {"networks": 1, "tables": 1}
    assert [row["about"] for row in told["refused"]] == ["sex, ill"]
    assert told["refused"][0]["rules"]
    assert told["ledger"]["checkpoint"]["entries"] == told["ledger"]["entries"] - 1
    auditor("report", "month", MONTH, "--out", page, "--out", line, "--key", key)
    auditor("report", "month", MONTH, "--out", page, "--key", key, code=2)
    auditor("ledger", "export", ledger)
    files = [page.read_text(encoding="utf-8"), line.read_text(encoding="utf-8")]
    for text in (*files, shown.out, json.dumps(told)):
        for canary in ("Canary", *(str(count) for count in COUNTS[:3]), "79,190,041"):
            assert canary not in text
    public = ("--public-key", f"{key}.pub")
    for file in (page, line):
        assert "it follows from" in auditor("report", "verify", file, *public, "--ledger", ledger).out
    page.write_text(files[0].replace("No audit failed", "No audit fai1ed"), encoding="utf-8")
    assert "not what" in auditor("report", "verify", page, *public, code=1).out
    auditor("ledger", "create-key", folder / "other.key")
    auditor("report", "verify", line, "--public-key", folder / "other.key.pub", code=1)
    auditor("report", "verify", folder / "survey.csv", *public, code=2)
    # a stored network of the name of a command is still reached
    auditor("report", "network:people", "--out", folder / "people.html")
    forged = "MATCH (e:AuditorEntry {kind: 'table_request'}) SET e.actor = 'x' + e.actor"
    neo4j_connection.execute(forged)
    auditor("report", "month", MONTH, "--out", folder / "forged.json", "--key", key, code=1)
    # other tests use the same store
    neo4j_connection.execute(forged.replace("'x' + e.actor", "substring(e.actor, 1)"))
    auditor("ledger", "verify")
    assert not (folder / "forged.json").exists()
