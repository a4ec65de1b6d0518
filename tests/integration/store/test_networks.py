"""Networks in a real store: whole or not there, whatever they are called and whoever else works on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from auditor.config import Settings
from auditor.core.errors import AlreadyExists, BadInput, NotFound, StoreCorrupt, StoreError
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.opening import Store
from auditor.subjects.networks import load as network_load
from auditor.subjects.networks import parts as network_parts
from auditor.subjects.networks import read as network_read
from auditor.subjects.networks import removal as network_removal
from auditor.subjects.networks.removal import delete_leftovers
from auditor.subjects.networks.repository import Networks
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.adding_races import winner_of_two
from tests.support.store_samples import random_network, same_network

pytestmark = pytest.mark.neo4j

NAMES = [
    "friends",
    "Robert'); DROP TABLE students;--",
    'a"b`c\\d',
    "x'}) DETACH DELETE n //",
    "../../etc/passwd",
    "$name {name} %s",
    "Ελλάδα 🜁 e\u0301",
    " padded ",
    "n" * 200,
]
BAD_NAMES = ["", "  ", "a\nb", "a\tb", "a\x00b", "a\u2028b", "n" * 201, "\udce9"]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every network take several transactions."""
    monkeypatch.setattr(network_load, "_VERTICES", 7)
    monkeypatch.setattr(network_load, "_EDGES", 11)
    monkeypatch.setattr(network_parts, "_STEP", 3)
    monkeypatch.setattr(network_read, "_VERTICES", 10)
    monkeypatch.setattr(network_read, "_EDGES", 13)
    monkeypatch.setattr(network_removal, "_EDGES", 5)
    monkeypatch.setattr(network_removal, "_VERTICES", 4)


@pytest.mark.parametrize(
    "network",
    [
        random_network(1),
        random_network(2, text_labels=True),
        random_network(3, attributes=2),
        random_network(4, n=14, m=11, text_labels=True, attributes=1),
        LoadedNetwork(SimpleGraph.from_edges([], n=5), np.arange(5)),
        LoadedNetwork(SimpleGraph.from_edges([], n=0), np.arange(0)),
        LoadedNetwork(SimpleGraph.from_edges([], n=0), np.empty(0, object), {"a": np.empty(0, object)}),
        LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.array([-(2**63), 2**63 - 1])),
    ],
)
@pytest.mark.usefixtures("small_batches")
def test_what_comes_out_is_what_went_in(store: Store, network: LoadedNetwork) -> None:
    info = Networks(store).add("n", network, source="f.csv", checksum="ab", actor="ada", derived_from="m")
    assert (info.vertices, info.edges) == (network.graph.n, network.graph.m)
    assert (info.source, info.source_checksum, info.derived_from) == ("f.csv", "ab", "m")
    assert Networks(store).show("n") == info
    assert same_network(Networks(store).load("n"), network)
    degrees = network.graph.degrees()
    assert Networks(store).block_sequence("n").tolist() == np.bincount(degrees).tolist()


@pytest.mark.usefixtures("small_batches")
def test_networks_do_not_mix_and_removal_takes_one(store: Store) -> None:
    networks = {name: random_network(seed, n=10 + seed) for seed, name in enumerate("abc")}
    for name, network in networks.items():
        Networks(store).add(name, network, source="f", actor="ada")
    Networks(store).remove("b", actor="ada")
    assert [info.name for info in Networks(store).list()] == ["a", "c"]
    for name in "ac":
        assert same_network(Networks(store).load(name), networks[name])
    with pytest.raises(NotFound):
        Networks(store).show("b")
    with pytest.raises(NotFound):
        Networks(store).remove("b", actor="ada")
    (left,) = store.connection.read(
        "MATCH (v:AuditorVertex) RETURN count(v) AS n, count(DISTINCT v.network) AS networks"
    )
    assert (left["n"], left["networks"]) == (10 + 12, 2)
    # the name is free again, for another network
    again = Networks(store).add("b", networks["a"], source="f", actor="ada")
    assert again.id > max(info.id for info in Networks(store).list() if info.name != "b")


@pytest.mark.parametrize("name", NAMES)
def test_any_name_on_one_line_is_just_a_name(store: Store, name: str) -> None:
    network = random_network(5, n=6, m=5)
    Networks(store).add(name, network, source=name, actor=name)
    assert [info.name for info in Networks(store).list()] == [name]
    assert Networks(store).exists(name)
    assert same_network(Networks(store).load(name), network)
    with pytest.raises(AlreadyExists):
        Networks(store).add(name, network, source="f", actor="ada")
    assert [entry.subject for entry in store.ledger.show()] == [f"network:{name}"]
    Networks(store).remove(name, actor="ada")
    assert not Networks(store).exists(name)
    assert store.ledger.verify().intact


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_before_anything_is_written(store: Store, name: str) -> None:
    with pytest.raises(BadInput):
        Networks(store).add(name, random_network(1), source="f", actor="ada")
    assert not Networks(store).exists(name)
    with pytest.raises(NotFound):
        Networks(store).load(name)
    assert store.ledger.show() == []


def test_labels_that_are_no_text_are_refused_before_anything_is_written(store: Store) -> None:
    labels = np.array(["a", "\ud800"], dtype=object)
    with pytest.raises(BadInput) as refused:
        Networks(store).add("n", LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), labels), source="f", actor="ada")
    assert "\ud800" not in str(refused.value)
    assert store.ledger.show() == []


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (v:AuditorVertex {index: 0}) SET v.label = v.label + 1",
        "MATCH (v:AuditorVertex {index: 3}) DETACH DELETE v",
        "MATCH (:AuditorVertex)-[t:TIE]->() WITH t LIMIT 1 DELETE t",
        "MATCH (a:AuditorVertex {index: 27}) MATCH (b:AuditorVertex {index: 28}) CREATE (b)-[:TIE]->(a)",
        "MATCH (n:AuditorNetwork) SET n.checksum = 'f00'",
    ],
)
def test_a_network_that_was_changed_behind_our_back_is_noticed(store: Store, damage: str) -> None:
    Networks(store).add("n", random_network(8), source="f", actor="ada")
    store.connection.execute(damage)
    with pytest.raises(StoreCorrupt):
        Networks(store).load("n")


def test_a_failed_load_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreCorrupt("no")

    monkeypatch.setattr(Networks, "_check_content", broken)
    with pytest.raises(StoreCorrupt):
        Networks(store).add("n", random_network(1), source="f", actor="ada")
    assert store.connection.read("MATCH (n) WHERE NOT n:AuditorStore RETURN count(n) AS left")[0]["left"] == 0


def test_a_load_that_was_published_unnoticed_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost in the very moment of the commit: it failed as far as we know, but it did not."""
    write = store.connection.write

    def unnoticed(work: Callable[[object], object]) -> object:
        before = Networks(store).exists("n")
        result = write(work)
        if Networks(store).exists("n") and not before:
            raise StoreError("lost")
        return result

    monkeypatch.setattr(store.connection, "write", unnoticed)
    with pytest.raises(StoreError, match="lost"):
        Networks(store).add("n", random_network(1), source="f", actor="ada")
    assert same_network(Networks(store).load("n"), random_network(1))
    assert store.ledger.verify().entries == 1


def test_a_removal_that_was_committed_unnoticed_is_not_done_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    Networks(store).add("n", random_network(1), source="f", actor="ada")
    write = store.connection.write

    def repeated(work: Callable[[object], object]) -> object:
        """The acknowledgement is lost once, so that the connection runs the transaction again."""
        removed = not Networks(store).exists("n")
        result = write(work)
        return write(work) if not removed and not Networks(store).exists("n") else result

    monkeypatch.setattr(store.connection, "write", repeated)
    Networks(store).remove("n", actor="ada")
    monkeypatch.undo()
    assert [entry.kind for entry in store.ledger.show()] == ["network_removed", "network_added"]
    with pytest.raises(NotFound):
        Networks(store).remove("n", actor="ada")


def test_nobody_sees_a_network_before_it_is_whole_and_its_name_is_taken(store: Store) -> None:
    seen: list[tuple[bool, int]] = []
    refused: list[str] = []

    def look(what: str, done: int, total: int) -> None:
        seen.append((Networks(store).exists("n"), len(Networks(store).list())))
        # a running load is no leftover
        assert delete_leftovers(store.connection, lambda *_: None) == 0
        with pytest.raises(AlreadyExists) as error:
            Networks(store).add("n", random_network(2), source="f", actor="eve")
        refused.append(str(error.value))

    Networks(store).add("n", random_network(1), source="f", actor="ada", progress=look)
    assert len(seen) == 2
    assert set(seen) == {(False, 0)}
    assert all("being loaded" in message for message in refused)
    assert same_network(Networks(store).load("n"), random_network(1))


def _add(store: Store, seed: int) -> None:
    Networks(store).add("n", random_network(seed), source=str(seed), actor="ada")


def test_of_two_processes_that_add_one_name_one_wins_and_the_other_is_told(
    store: Store, neo4j_settings: Settings
) -> None:
    for round in range(3):
        winner = winner_of_two(neo4j_settings, _add, (10 * round + 1, 10 * round + 2))
        assert same_network(Networks(store).load("n"), random_network(winner))
        Networks(store).remove("n", actor="ada")
    assert store.ledger.verify().intact
    kinds = [entry.kind for entry in store.ledger.show()]
    assert sorted(kinds) == ["network_added"] * 3 + ["network_removed"] * 3
