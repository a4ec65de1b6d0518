"""Networks in a graph database of the owner's: read, counted where they are, looked at again."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.config import Settings
from auditor.config.addresses import graph_address
from auditor.core.errors import BadInput, StoreUnavailable
from auditor.policy import Policy
from auditor.store import open_store
from auditor.store.connection import Connection
from auditor.subjects.networks.live import reading
from auditor.subjects.networks.live.counting import blocks_now, count_blocks
from auditor.subjects.networks.live.opening import LiveGraph, opened_graph
from auditor.subjects.networks.live.origin import LiveOrigin, drift_findings
from auditor.subjects.networks.live.projection import Projection
from auditor.subjects.networks.live.reading import read_graph
from auditor.subjects.networks.port import NetworkPort, subject_of
from auditor.subjects.networks.repository import Networks
from graphkit.arrays import Ints
from tests.support.emptying import empty
from tests.support.live_graphs import address_of, graph_settings, random_people, write_people

pytestmark = [pytest.mark.neo4j, pytest.mark.usefixtures("neo4j_connection")]

PERSONS = ("Person",)
PROJECTIONS = [
    Projection(PERSONS, ("KNOWS",), key="id"),
    Projection(("Person", "Robot"), ("KNOWS",), key="id"),
    Projection(PERSONS, ("KNOWS",), key="id", where="n.active // and nothing else"),
    Projection(PERSONS, ("KNOWS",), key="id", where_relationship="r.year > 2010"),
    Projection(PERSONS, ("KNOWS",), key="id", at_least=2),
    Projection(PERSONS, ("KNOWS",), key="id", weight="year", at_least=4000, where="n.active"),
    Projection(PERSONS, ("IN",), key="id", through=("Group",)),
    Projection(PERSONS, ("IN",), key="id", through=("Group",), at_least=2, where="n.active"),
]
LABELLED = "CREATE (:Person {id: 'a'})-[:KNOWS]->(:Person {id: 'b', sex: 'f'}) CREATE (:Person {id: 'c', sex: true})"


@pytest.mark.parametrize("seed", range(6))
def test_what_is_read_and_what_is_counted_is_the_naive_reading(
    neo4j_settings: Settings, neo4j_connection: Connection, seed: int
) -> None:
    people = random_people(seed)
    write_people(neo4j_connection, people)
    with opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph:
        for projection in PROJECTIONS:
            vertices = people.vertices(projection)
            if not vertices:
                with pytest.raises(BadInput, match="holds no node"):
                    read_graph(graph, projection, "g")
                with pytest.raises(BadInput, match="holds no node"):
                    count_blocks(graph, projection)
                continue
            read = read_graph(graph, projection, "g")
            assert read.labels.tolist() == vertices
            assert {(vertices[a], vertices[b]) for a, b in read.graph.edges.tolist()} == people.ties(projection)
            assert np.array_equal(count_blocks(graph, projection), read.graph.block_sequence())


def test_text_keys_attributes_and_element_ids(neo4j_settings: Settings, neo4j_connection: Connection) -> None:
    neo4j_connection.execute(LABELLED)
    with opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph:
        named = read_graph(graph, Projection(PERSONS, ("KNOWS",), key="id", attributes=("sex",)), "g")
        assert named.labels.tolist() == ["a", "b", "c"]
        assert named.attributes["sex"].tolist() == ["", "f", "true"]
        assert named.graph.edges.tolist() == [[0, 1]]
        assert len(set(read_graph(graph, Projection(PERSONS, ("KNOWS",)), "g").labels.tolist())) == 3


@pytest.mark.parametrize(
    ("projection", "said"),
    [
        (Projection(PERSONS, ("KNOWS",), where="n.id == 'quagmire'"), "must be a Cypher condition"),
        (Projection(PERSONS, ("KNOWS",), where="n.id +"), "must be a Cypher condition"),
        (
            Projection(PERSONS, ("KNOWS",), where="true) CREATE (:Quagmire) WITH n WHERE (true"),
            "must be a Cypher condition",
        ),
        (Projection(PERSONS, ("KNOWS",), weight="year"), "no number as year"),
        (Projection(PERSONS, ("KNOWS",), key="sex"), "a node has no sex"),
        (Projection(("Nobody",), ("KNOWS",)), "no node labelled Nobody"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line_and_nothing_is_written(
    neo4j_settings: Settings, neo4j_connection: Connection, projection: Projection, said: str
) -> None:
    neo4j_connection.execute(LABELLED)
    with opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph:
        with pytest.raises(BadInput, match=said) as caught:
            read_graph(graph, projection, "g")
        assert "uagmire" not in str(caught.value)
        assert "\n" not in str(caught.value)
        if projection.key is None:
            with pytest.raises(BadInput, match=said):
                count_blocks(graph, projection)
    (record,) = neo4j_connection.read("MATCH (n) WHERE n:Quagmire RETURN count(n) AS found")
    assert record["found"] == 0


def test_a_weight_that_changes_after_it_was_checked_is_no_internal_error(
    neo4j_settings: Settings, neo4j_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    neo4j_connection.execute(LABELLED)
    monkeypatch.setattr("auditor.subjects.networks.live.reading.check_weights", lambda *_: None)
    weighted = Projection(PERSONS, ("KNOWS",), weight="year")
    with (
        opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph,
        pytest.raises(BadInput, match="no number as year"),
    ):
        read_graph(graph, weighted, "g")


def test_two_nodes_of_one_key_are_refused(neo4j_settings: Settings, neo4j_connection: Connection) -> None:
    neo4j_connection.execute("CREATE (:Person {id: 1}), (:Person {id: 1})")
    with (
        opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph,
        pytest.raises(BadInput, match="an id of its own"),
    ):
        read_graph(graph, Projection(PERSONS, ("KNOWS",), key="id"), "g")


def test_an_audit_looks_at_the_live_graph_again(neo4j_settings: Settings, neo4j_connection: Connection) -> None:
    settings = graph_settings(neo4j_settings)
    neo4j_connection.execute(LABELLED)
    origin = LiveOrigin(
        address_of(neo4j_settings), Projection(PERSONS, ("KNOWS",), key="id", where="n.id <> 'quagmire'")
    )
    with open_store(settings) as store:
        with opened_graph(settings, graph_address(origin.address)) as graph:
            loaded = read_graph(graph, origin.projection, "g")
        info = Networks(store).add("staff", loaded, source=origin.shown, actor="ada", live=origin)
        assert Networks(store).show("staff") == info

        def found() -> list[tuple[str, str]]:
            findings = NetworkPort().audit(store, subject_of(info), Policy(), float)
            return [(finding.rule, finding.severity) for finding in findings if finding.rule == "same_graph"]

        assert found() == []
        neo4j_connection.execute("MATCH (b:Person {id: 'b'}) MATCH (c:Person {id: 'c'}) CREATE (c)-[:KNOWS]->(b)")
        assert found() == [("same_graph", "violation")]
        neo4j_connection.execute("MATCH (p:Person) DETACH DELETE p")
        assert found() == [("same_graph", "undecided")]
        entries = " ".join(entry.payload for entry in store.ledger.of_subject("network", "staff"))
        assert "quagmire" not in entries
    empty(neo4j_connection)


@pytest.mark.parametrize(("times", "is_told"), [(1, False), (9, True)])
def test_a_graph_that_changes_while_it_is_read_is_read_again_and_then_told(
    neo4j_settings: Settings,
    neo4j_connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    times: int,
    is_told: bool,
) -> None:
    neo4j_connection.execute(LABELLED)
    left = [times]

    def changed_first(graph: LiveGraph, projection: Projection) -> Ints:
        if left[0]:
            left[0] -= 1
            neo4j_connection.execute("MATCH (a:Person {id: 'a'}) CREATE (a)-[:KNOWS]->(:Person {id: $id})", id=left[0])
        return blocks_now(graph, projection)

    monkeypatch.setattr(reading, "blocks_now", changed_first)
    with opened_graph(graph_settings(neo4j_settings), graph_address(address_of(neo4j_settings))) as graph:
        read = read_graph(graph, Projection(PERSONS, ("KNOWS",), key="id"), "g")
    assert (reading.SEVERAL_STATES in read.notes.remarks) == is_told
    assert read.graph.n == 4


def test_a_graph_that_cannot_be_reached_is_told_in_its_own_words(neo4j_settings: Settings) -> None:
    address = graph_address(address_of(neo4j_settings))
    wrong = Settings.model_validate({**neo4j_settings.model_dump(), "graph": {"password": "swordfish"}})
    with (
        pytest.raises(StoreUnavailable, match=r"refused the log-in; check AUDITOR_GRAPH_USERNAME"),
        opened_graph(wrong, address),
    ):
        pass
    gone = LiveOrigin("bolt://127.0.0.1:1", Projection(PERSONS, ("KNOWS",)))
    (finding,) = drift_findings(neo4j_settings, gone, np.array([1]))
    assert (finding.severity, finding.where) == ("undecided", "live graph")
