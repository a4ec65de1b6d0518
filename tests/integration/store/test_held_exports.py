"""Exports that wait for a second person: held, verified again, and out exactly if somebody else approves."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from auditor.approvals.deciding import approve, reject, withdraw
from auditor.approvals.repository import Approvals
from auditor.audits.overview import Overview
from auditor.audits.running import run_audit
from auditor.core.errors import AlreadyExists, BadInput, NotDelivered, Refused
from auditor.exports import approving
from auditor.exports.approving import approve_export
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published
from auditor.exports.repository import Exports
from auditor.exports.staged import held_folder
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.policy import ExportPolicy, Policy
from auditor.store.opening import Store
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.repository import Networks
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.processes import in_child
from tests.support.store_samples import random_network

pytestmark = pytest.mark.neo4j

TWO = Policy(network=NetworkPolicy(k=2), exports=ExportPolicy(approval="second-person"))
NETWORK = random_network(1, n=12, m=14)


def export(
    store: Store, path: Path, *, policy: Policy = TWO, keep_key: bool = True, force: bool = False, k: int = 2
) -> Published:
    """Protect the stored network, as ann."""
    request = ExportRequest(k, Destination(path, force), policy, "ann", keep_key=keep_key)
    done = export_network(StoredNetwork(store, Networks(store).show("n")), request).published
    assert done is not None
    return done


@pytest.fixture
def network(store: Store) -> Store:
    Networks(store).add("n", NETWORK, source="f", actor="ada")
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "released.csv"


@pytest.fixture(autouse=True)
def folder(path: Path) -> None:
    path.parent.mkdir()


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def let_out(store: Store, id: str, actor: str = "bob") -> str:
    return approve(store, id, actor=actor, clock=lambda: 0.0).approval.state


def test_nothing_appears_before_another_person_approves(network: Store, path: Path) -> None:
    done = export(network, path)
    assert done.approval is not None
    held = held_folder(path, done.manifest.export)
    assert names(path) == [held.name]
    assert stat.S_IMODE(held.stat().st_mode) == 0o700
    assert Exports(network).show(done.manifest.export).state == "pending"
    assert [entry.kind for entry in network.ledger.show(1)] == ["approval_wanted"]
    assert [one.subject for one in Overview(network).read()] == ["network:n"]
    with pytest.raises(BadInput, match="is not out, it is pending"):
        run_audit(network, f"export:{done.manifest.export}", TWO, trigger="command", actor="ann")
    approval = Approvals(network).show(done.approval)
    assert (approval.kind, approval.subject, approval.what["export"]) == ("export", "network:n", done.manifest.export)
    out = approve(network, done.approval, actor="bob", clock=lambda: 0.0)
    assert (out.approval.state, out.path) == ("approved", path)
    assert names(path) == ["released.csv", "released.csv.manifest.json"]
    assert Exports(network).show(done.manifest.export).state == "published"
    assert [(one.family, one.of) for one in Overview(network).read()] == [("export", "network:n"), ("network", None)]
    assert [entry.kind for entry in network.ledger.show(2)] == ["export", "approved"]
    payload = json.loads(network.ledger.show(1)[0].payload)
    assert (payload["export"], payload["approval"]) == (done.manifest.export, done.approval)
    assert network.ledger.verify().intact


def test_without_such_a_policy_it_is_out_at_once(network: Store, path: Path) -> None:
    done = export(network, path, policy=Policy())
    assert done.approval is None
    assert names(path) == ["released.csv", "released.csv.manifest.json"]
    assert Approvals(network).list() == []


@pytest.mark.parametrize("end", ["rejected", "withdrawn"])
def test_a_no_deletes_the_held_files_and_keeps_the_record(network: Store, path: Path, end: str) -> None:
    done = export(network, path)
    id = str(done.approval)
    if end == "rejected":
        assert reject(network, id, actor="bob", reason="no contract").state == end
    else:
        assert withdraw(network, id, actor="ann").state == end
    assert names(path) == []
    found = Exports(network).show(done.manifest.export)
    assert (found.state, found.key_kept, Exports(network).relabelling(found.id)) == (end, False, None)
    with pytest.raises(Refused, match="not pending"):
        let_out(network, id)
    assert network.ledger.verify().intact


def test_nobody_approves_their_own(network: Store, path: Path) -> None:
    id = str(export(network, path).approval)
    for step in (lambda: let_out(network, id, " ANN"), lambda: reject(network, id, actor="Ann", reason="no")):
        with pytest.raises(Refused, match="another person"):
            step()
    assert let_out(network, id) == "approved"


def _remove(file: Path) -> None:
    file.unlink()


def _change(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\n")


def _link(file: Path) -> None:
    file.rename(file.parent.parent / "elsewhere")
    file.symlink_to(file.parent.parent / "elsewhere")


@pytest.mark.parametrize("name", ["released.csv", "released.csv.manifest.json"])
@pytest.mark.parametrize("harm", [_remove, _change, _link])
def test_a_held_file_that_is_not_what_was_verified_is_refused(
    network: Store, path: Path, name: str, harm: Callable[[Path], None]
) -> None:
    done = export(network, path)
    harm(held_folder(path, done.manifest.export) / name)
    with pytest.raises(Refused, match=r"(is missing|was changed).*reject it and make the export again"):
        let_out(network, str(done.approval))
    assert not path.exists()
    assert Approvals(network).show(str(done.approval)).state == "pending"
    assert reject(network, str(done.approval), actor="bob", reason="harmed").state == "rejected"


def test_held_files_that_are_gone_are_refused(network: Store, path: Path) -> None:
    done = export(network, path)
    held = held_folder(path, done.manifest.export)
    held.rename(path.parent / "moved")
    with pytest.raises(Refused, match="missing"):
        let_out(network, str(done.approval))
    (path.parent / "moved").rename(held)
    assert let_out(network, str(done.approval)) == "approved"


def test_another_network_of_the_name_overtakes_it(network: Store, path: Path) -> None:
    done = export(network, path)
    Networks(network).remove("n", actor="ada")
    Networks(network).add("n", random_network(2, n=12, m=14), source="f", actor="ada")
    assert let_out(network, str(done.approval)) == "overtaken"
    assert names(path) == []
    assert Exports(network).show(done.manifest.export).state == "overtaken"


def test_what_the_policy_does_not_allow_is_overtaken(network: Store, path: Path) -> None:
    strict = TWO.model_copy(update={"network": NetworkPolicy(k=4)})
    done = export(network, path, policy=strict)
    found = approve(network, str(done.approval), actor="bob", clock=lambda: 0.0).approval
    assert (found.state, found.reason) == ("overtaken", "by now it does not hold what it should (k)")
    assert names(path) == []


def test_a_name_that_is_taken_by_then_is_told_and_it_goes_on_waiting(network: Store, path: Path) -> None:
    id = str(export(network, path).approval)
    path.write_text("mine")
    with pytest.raises(AlreadyExists):
        let_out(network, id)
    assert path.read_text() == "mine"
    path.unlink()
    assert let_out(network, id) == "approved"


def test_a_name_that_is_taken_in_between_is_told_and_approving_again_goes_on(
    network: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = export(network, path)
    publish = approving.publish_held

    def late(*arguments: object, **options: object) -> None:
        path.write_text("mine")
        publish(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(approving, "publish_held", late)
    with pytest.raises(NotDelivered, match="appeared while this ran"):
        let_out(network, str(done.approval))
    monkeypatch.undo()
    assert path.read_text() == "mine"
    assert Exports(network).show(done.manifest.export).state == "recorded"
    path.unlink()
    assert let_out(network, str(done.approval), "anybody") == "approved"
    assert Exports(network).show(done.manifest.export).state == "published"
    assert [entry.kind for entry in network.ledger.show(20)].count("export") == 1


def test_an_earlier_release_is_replaced_only_if_that_was_asked_for(network: Store, path: Path) -> None:
    export(network, path, policy=Policy())
    first = path.read_bytes()
    done = export(network, path, force=True)
    assert path.read_bytes() == first
    assert let_out(network, str(done.approval)) == "approved"
    assert path.read_bytes() != first
    assert names(path) == ["released.csv", "released.csv.manifest.json"]


def test_a_key_that_is_not_to_be_kept_stays_until_it_was_verified_again(network: Store, path: Path) -> None:
    done = export(network, path, keep_key=False)
    id = done.manifest.export
    assert Exports(network).relabelling(id) is not None
    assert let_out(network, str(done.approval)) == "approved"
    assert Exports(network).relabelling(id) is None
    assert json.loads(network.ledger.show(1)[0].payload)["key_kept"] is False


def test_other_exports_do_not_remove_held_files(network: Store, path: Path) -> None:
    done = export(network, path)
    export(network, path.with_name("other.csv"), policy=Policy())
    assert let_out(network, str(done.approval)) == "approved"


def test_a_vertex_file_is_held_and_appears_too(store: Store, path: Path) -> None:
    town = np.array(["a"] * 6 + ["b"] * 6, dtype=object)
    ring = SimpleGraph.from_edges(np.array([(i, (i + 1) % 12) for i in range(12)]), 12)
    Networks(store).add("n", LoadedNetwork(ring, np.arange(12), {"town": town}), source="f", actor="ada")
    request = ExportRequest(2, Destination(path, keep=("town",)), TWO, "ann")
    done = export_network(StoredNetwork(store, Networks(store).show("n")), request).published
    assert done is not None
    assert len(Approvals(store).show(str(done.approval)).what["files"]) == 3
    assert let_out(store, str(done.approval)) == "approved"
    assert len(names(path)) == 3


def test_the_doors_are_told_apart(network: Store, path: Path) -> None:
    id = str(export(network, path).approval)
    from auditor.subjects.tables.releases.approver import approve_request

    with pytest.raises(BadInput, match="of an export"):
        approve_request(network, id, actor="bob", clock=lambda: 0.0)


MOMENTS = ("recorded", "half", "out", "marked")
"""Of an approval: recorded; the manifest is out; all is out; and it is noted."""


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), 9)


def _approve_and_die(store: Store, id: str, moment: str) -> None:
    """Approve, and be killed on the way."""
    publish, mark = approving.publish_held, Exports.mark_published
    if moment == "recorded":
        approving.publish_held = _die  # type: ignore[assignment]
    elif moment == "half":
        from auditor.core import staging

        link = os.link
        done: list[object] = []

        def one(source: Path, target: Path) -> None:
            if done:
                _die()
            done.append(target)
            link(source, target)

        staging.os.link = one  # type: ignore[assignment,attr-defined]
    elif moment == "out":

        def then_die(*arguments: object, **options: object) -> None:
            publish(*arguments, **options)  # type: ignore[arg-type]
            _die()

        approving.publish_held = then_die  # type: ignore[assignment]
    else:

        def marked(self: Exports, export: str) -> None:
            mark(self, export)
            _die()

        Exports.mark_published = marked  # type: ignore[method-assign]
    approve_export(store, id, actor="bob")


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_approval_that_is_killed_goes_on_when_it_is_approved_again(
    network: Store, path: Path, moment: str, neo4j_settings: object
) -> None:
    done = export(network, path)
    id = str(done.approval)
    assert in_child(neo4j_settings, _approve_and_die, id, moment) == -9  # type: ignore[arg-type]
    assert Approvals(network).show(id).state == "approved"
    # the network comes last: whoever sees it finds its manifest
    assert path.exists() == (moment in ("out", "marked"))
    if moment == "marked":
        with pytest.raises(Refused, match="not pending"):
            let_out(network, id)
    else:
        assert let_out(network, id) == "approved"
    assert names(path) == ["released.csv", "released.csv.manifest.json"]
    assert Exports(network).show(done.manifest.export).state == "published"
    assert [entry.kind for entry in network.ledger.show(20)].count("export") == 1
    assert network.ledger.verify().intact
