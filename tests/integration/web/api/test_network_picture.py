"""The picture of a network before and after: for those who may look, recorded, without a label, never in public."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.core.errors import BadInput
from auditor.exports.destination import Destination
from auditor.exports.repository import Exports
from auditor.formats.networks import read_network
from auditor.policy import Policy
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.report.assembling import report_of_stored
from auditor.subjects.networks.report.pages import render_network_report
from auditor.subjects.networks.repository import Networks
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j


def test_who_may_look_sees_it_and_the_ledger_says_so(site: ServedStore, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("".join(f"Canary{a},Canary{b}\n" for a, b in [("A", "B"), ("A", "C"), ("A", "D"), ("E", "F")]))
    Networks(site.store).add("people", read_network(people), source="people.csv", actor="ada")
    network = StoredNetwork(site.store, Networks(site.store).show("people"))
    for kept in (True, False):
        request = ExportRequest(2, Destination(tmp_path / f"{kept}.csv"), Policy(), "ada", keep_key=kept)
        export_network(network, request)
    ids = [one.id for one in sorted(Exports(site.store).list("network:people"), key=lambda one: not one.key_kept)]
    address = f"/exports/{ids[0]}/picture"
    for role in ("viewer", "requester", "administrator"):
        session = site.logged_in(role)
        own = re.search(r'name="csrf" value="([^"]+)"', session.get("/").text)
        assert own is not None
        refused = session.post(address, data={"csrf": own[1]})
        assert (refused.status_code, "this needs the right" in refused.text) == (403, True)
    assert site.store.ledger.show(5, kinds=["picture_shown"]) == []
    officer = site.logged_in("officer")
    token = re.search(r'name="csrf" value="([^"]+)"', officer.get(f"/exports/{ids[0]}").text)
    assert token is not None
    shown = officer.post(address, data={"csrf": token[1]})
    assert shown.status_code == 200
    assert shown.text.count('<svg class="net" role="img"') == 2
    assert 'class="tie added"' in shown.text
    assert "Canary" not in shown.text
    (entry,) = site.store.ledger.show(5, kinds=["picture_shown"])
    assert (entry.actor, entry.subject) == ("officer", "network:people")
    refused = officer.post(f"/exports/{ids[1]}/picture", data={"csrf": token[1]})
    assert refused.status_code >= 400
    assert "key of this export was not kept" in refused.text

    report = report_of_stored(site.store, "people", "internal", export_id=ids[0], picture_for="eve")
    page = render_network_report(report)
    assert 'class="tie added"' in page
    assert "Canary" not in page
    assert [one.actor for one in site.store.ledger.show(5, kinds=["picture_shown"])] == ["eve", "officer"]
    assert "tie added" not in re.sub("<style>.*?</style>", "", render_network_report(report, "public"), flags=re.DOTALL)
    with pytest.raises(BadInput, match="public edition"):
        report_of_stored(site.store, "people", "public", export_id=ids[0], picture_for="eve")
