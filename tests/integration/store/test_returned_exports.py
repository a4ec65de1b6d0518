"""An export that a second person returns: with the k that they agreed to it appears, and only then."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from auditor.approvals.deciding import approve, approve_if
from auditor.approvals.repository import Approvals
from auditor.approvals.reviewing import look_at_risk
from auditor.core.errors import BadInput
from auditor.core.origin import Origin
from auditor.exports import approving
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.policy import ExportPolicy, Policy
from auditor.store.opening import Store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from auditor.web.jobs.exporting import export_result
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

TWO = Policy(network=NetworkPolicy(k=2), exports=ExportPolicy(approval="second-person"))


@pytest.fixture
def network(store: Store) -> Store:
    Networks(store).add("n", random_network(1, n=12, m=14), source="f", actor="ada")
    return store


def export(store: Store, path: Path, k: int, *, force: bool = False) -> Published:
    request = ExportRequest(k, Destination(path, force=force), TWO, "ann", origin=Origin(purpose="a study"))
    done = export_network(StoredNetwork(store, Networks(store).show("n")), request).published
    assert done is not None
    return done


def test_an_export_of_the_agreed_k_appears_and_the_returned_one_is_gone(network: Store, tmp_path: Path) -> None:
    first = export(network, tmp_path / "2.csv", 2)
    risk = look_at_risk(network, str(first.approval), actor="bob", clock=time.monotonic)
    assert risk.rows[2].after == "0"
    assert len(risk.charts) == 2
    assert [title for title, _ in risk.picture.panels] == ["Before", "After"]
    with pytest.raises(BadInput, match="more than 2, at most 12"):
        approve_if(network, str(first.approval), change={"k": 2}, reason="more", actor="bob")
    returned = approve_if(network, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    assert (returned.state, returned.purpose) == ("returned", "a study")
    assert Exports(network).show(first.manifest.export).state == "returned"
    assert list(tmp_path.iterdir()) == []
    # another k than the one that was agreed to waits
    other = export(network, tmp_path / "4.csv", 4)
    assert (other.approval is not None, other.agreed_by) == (True, None)
    done = export(network, tmp_path / "3.csv", 3)
    assert (done.approval, done.agreed_by) == (None, "bob")
    assert export_result(3, done)["agreed_by"] == "bob"
    assert done.files[0] == tmp_path / "3.csv"
    assert done.files[0].is_file()
    assert Exports(network).show(done.manifest.export).state == "published"
    assert [(entry.kind, entry.actor) for entry in network.ledger.show(2)] == [
        ("export", "ann"), ("approved_as_agreed", "ann"),
    ]  # fmt: skip


def test_no_export_ends_in_the_name_of_who_agreed_before(
    network: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = export(network, tmp_path / "2.csv", 2)
    approve_if(network, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    monkeypatch.setattr(approving, "audit_release", lambda *given: [SimpleNamespace(rule="degree.k")])
    waits = export(network, tmp_path / "3.csv", 3)
    assert (waits.agreed_by, Approvals(network).show(str(waits.approval)).state) == (None, "pending")
    assert approve(network, str(waits.approval), actor="carol", clock=time.monotonic).approval.state == "overtaken"


def test_who_agreed_to_replace_a_file_agreed_to_replace_no_other(network: Store, tmp_path: Path) -> None:
    for name in ("one.csv", "other.csv"):
        (tmp_path / name).write_text("a,b\n", encoding="utf-8")
    first = export(network, tmp_path / "one.csv", 2, force=True)
    approve_if(network, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    assert export(network, tmp_path / "other.csv", 3, force=True).agreed_by is None
    assert (tmp_path / "other.csv").read_text(encoding="utf-8") == "a,b\n"
    assert export(network, tmp_path / "one.csv", 3, force=True).agreed_by == "bob"


def test_nobody_agrees_to_what_came_out_beside_it_since(network: Store, tmp_path: Path) -> None:
    first, other = export(network, tmp_path / "2.csv", 2), export(network, tmp_path / "4.csv", 4)
    approve_if(network, str(first.approval), change={"k": 3}, reason="more", actor="bob")
    assert approve(network, str(other.approval), actor="bob", clock=time.monotonic).approval.state == "approved"
    assert export(network, tmp_path / "3.csv", 3).approval is not None
