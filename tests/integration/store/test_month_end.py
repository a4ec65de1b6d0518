"""The report on a period, read from a real store, signed, and held against the exported ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.approvals.repository import Approvals
from auditor.audits.running import run_audit
from auditor.config import Settings
from auditor.core.errors import StoreLocked
from auditor.core.kinds import kinds
from auditor.exports.repository import Exports
from auditor.ledger.keys import create_key, read_private_key
from auditor.ledger.verifier import main as verify
from auditor.month_end.document import Document, report_on, section_on
from auditor.month_end.period import month_of, parse_period
from auditor.month_end.rendering import render_report
from auditor.month_end.rows import SECTIONS
from auditor.month_end.signing import signed_line, signed_page
from auditor.policy import Policy
from auditor.store.connection import Connection
from auditor.store.opening import Store
from tests.support.emptying import emptied
from tests.support.furnished_store import HARMFUL, furnish
from tests.support.schedules import SetClock

pytestmark = pytest.mark.neo4j


CLOCK = SetClock()


@pytest.fixture(scope="module")
def store(neo4j_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Connection.open(neo4j_settings) as connection:
        emptied(connection)
        found = Store(connection, CLOCK)
        furnish(found, tmp_path_factory.mktemp("furniture"))
        yield found


def report(store: Store) -> Document:
    return report_on(store, month_of(store.ledger.clock()))


def test_it_counts_what_repositories_have(store: Store) -> None:
    export = next(one for one in Exports(store).list() if one.is_out)
    run_audit(store, f"export:{export.id}", Policy(), trigger="command", actor="eve")
    found = report(store)
    totals = found["totals"]
    out = [one.id for one in Exports(store).list() if one.is_out]
    assert {row["export"] for row in found["reverified"]} == set(out)
    assert totals["released_by_family"]["networks"] + totals["released_by_family"]["microdata"] == len(out)
    answers = [entry.payload for entry in store.ledger.show(500, kinds=["table_request"])]
    assert totals["refused"] == sum('"answer":"release"' not in payload for payload in answers) > 0
    assert {row["id"] for row in found["waiting"]} == {one.id for one in Approvals(store).list(state="pending")}
    assert [(row["subject"], row["actor"]) for row in found["waivers_ending"]] == [(f"network:{HARMFUL}", HARMFUL)]
    assert [(row["export"], row["times"]) for row in found["reverified"] if row["times"]] == [(export.id, 1)]
    assert totals["failed_audits"] == sum(
        '"verdict":"passed"' not in entry.payload for entry in store.ledger.show(500, kinds=["audit"])
    )
    assert found["ledger"]["entries"] == len(store.ledger.show(500))


def test_what_happened_later_is_not_in_it(store: Store) -> None:
    month = month_of(CLOCK())
    before = report_on(store, month)
    CLOCK.go(days=40)
    waiting = Approvals(store).list(state="pending")[0]
    Approvals(store).reject(waiting.id, actor="someone else", reason="no")
    after = report_on(store, month)
    assert after["waiting"] == before["waiting"]
    assert after["decided"] == []
    assert [row["approval"] for row in report(store)["decided"]] == [waiting.id]
    assert report(store)["released"] == []


def test_files_follow_from_the_ledger_and_show_every_change(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_key(tmp_path / "key")
    key, found = read_private_key(tmp_path / "key"), report_on(store, parse_period("2026"))
    page, line, ledger = tmp_path / "r.html", tmp_path / "r.json", tmp_path / "ledger.jsonl"
    page.write_text(signed_page(render_report(found), found, key), encoding="utf-8")
    line.write_text(signed_line(found, key) + "\n", encoding="utf-8")
    store.ledger.export(ledger)
    public = ["--public-key", f"{tmp_path / 'key'}.pub"]
    for file in (page, line):
        assert verify([str(ledger), "--report", str(file), *public]) == 0, capsys.readouterr().out
        assert verify(["--report", str(file), *public]) == 0
        text = file.read_text(encoding="utf-8")
        # only the page has words around what it says
        words = [("Released", "Leaked")] if file == page else []
        for old, new in (*words, ('"refused":', '"refused": '), ('"actor":"', '"actor":"x'), ("violated", "passed")):
            changed = text.replace(old, new, 1)
            assert changed != text, (file, old)
            file.write_text(changed, encoding="utf-8")
            assert verify(["--report", str(file), *public]) == 1, (file, old)
        file.write_text(text, encoding="utf-8")
    rows = [{**row, "actor": "mallory"} for row in found["released"]]
    forgeries: list[Document] = [
        {"waiting": []},
        {"released": rows},
        {"released": [{**row, "entry": 10**6} for row in found["released"]]},
        {"failed_audits": found["failed_audits"][1:]},
        {"failed_audits": [{**row, "verdict": "undecided"} for row in found["failed_audits"]]},
        {"waiting": [{**row, "asked_by": "mallory"} for row in found["waiting"]]},
        {"waivers_given": [{**row, "reason": "forged"} for row in found["waivers_given"]]},
        {"waivers_ending": [{"id": "x"}]},
        {"views": [{"person": "ann", "kinds": {"findings_shown": 1}, "views": 1, "words": {}}]},
        {"totals": {**found["totals"], "refused": 10**6}},
        {"totals": {**found["totals"], "released_by_family": {}}},
        {"period": {**found["period"], "as_of": found["period"]["until"]}},
    ]
    for forged in forgeries:
        assert {**found, **forged} != found, forged
        line.write_text(signed_line({**found, **forged}, key), encoding="utf-8")
        assert verify([str(ledger), "--report", str(line), *public]) == 1, forged
    capsys.readouterr()
    lines = ledger.read_text(encoding="utf-8").splitlines()
    ledger.write_text("\n".join(lines[: len(lines) // 2]) + "\n", encoding="utf-8")
    assert verify([str(ledger), "--report", str(page), *public]) == 1
    assert "is missing" in capsys.readouterr().out


def test_it_is_read_as_one_moment(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.month_end import reading

    heads = []

    whole = reading._read

    def meddled(tx: object, period: object, at: str, sections: object) -> object:
        heads.append(at)
        if len(heads) == 1:
            # somebody else commits between two queries
            def late() -> object:
                store.connection.write(lambda other: store.ledger.append(other, "messages_retried", {}, actor="x"))
                monkeypatch.setattr("auditor.month_end.reading.kinds", kinds)
                return kinds()

            monkeypatch.setattr("auditor.month_end.reading.kinds", late)
        return whole(tx, period, at, sections)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "_read", meddled)
    found = report(store)
    assert len(heads) == 2
    assert found["ledger"]["head"]["entry"] == found["ledger"]["last"]["entry"]
    assert found["ledger"]["kinds"]["messages_retried"] == 1
    monkeypatch.setattr(reading, "_read", lambda *_: None)
    with pytest.raises(StoreLocked, match="again in a minute"):
        report_on(store, month_of(CLOCK()), patient=False)


def test_a_section_alone_is_that_of_the_whole_report(store: Store) -> None:
    year = parse_period("2026")
    whole = report_on(store, year)
    for name in SECTIONS:
        assert section_on(store, year, name)[name] == whole[name]


def test_no_category_and_no_figure_is_in_the_file(store: Store, tmp_path: Path) -> None:
    create_key(tmp_path / "key")
    found = report_on(store, parse_period("2026"))
    text = signed_page(render_report(found), found, read_private_key(tmp_path / "key"))
    for canary in ("yes <script>", "yes &lt;script", '"checksum"', "<script>alert"):
        assert canary not in text
