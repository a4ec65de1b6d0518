"""A released network put into a graph database: nothing is seen before it is whole, compared and shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import AlreadyExists, BadInput, StoreError, VerificationFailed
from auditor.core.progress import silent
from auditor.formats.networks import write_network
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.connection import Connection
from auditor.subjects.networks.live import delivering
from auditor.subjects.networks.live.delivering import deliver
from auditor.subjects.networks.live.released import read_released
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.commands import run_auditor

pytestmark = pytest.mark.neo4j

EDGES = [(0, 1), (1, 2), (2, 3), (0, 3)]


def network(edges: list[tuple[int, int]] = EDGES, n: int = 5) -> LoadedNetwork:
    sexes = np.array(["f", "m", "", "f", "'"], dtype=object)
    return LoadedNetwork(SimpleGraph.from_edges(edges, n=n), np.arange(n), {"sex": sexes})


def held(connection: Connection, label: str) -> tuple[list[tuple[int, str]], list[tuple[int, int]]]:
    vertices = connection.read(f"MATCH (n:{label}) RETURN n.id AS id, n.sex AS sex, keys(n) AS keys ORDER BY id")
    assert all(sorted(record["keys"]) == ["id", "sex"] for record in vertices)
    ties = connection.read(f"MATCH (a:{label})-[:TIED]->(b:{label}) RETURN a.id AS a, b.id AS b")
    return (
        [(record["id"], record["sex"]) for record in vertices],
        sorted((min(record["a"], record["b"]), max(record["a"], record["b"])) for record in ties),
    )


def left(connection: Connection) -> int:
    ours = "MATCH (n) WHERE n:AuditorDelivering OR n:AuditorDelivery OR n:AuditorReplaced RETURN count(n) AS n"
    return int(connection.read(ours)[0]["n"])


def delivered(connection: Connection, content: LoadedNetwork, *, replace: bool = False, **more: object) -> None:
    options = {"label": "Released", "relationship": "TIED", "progress": silent, **more}
    deliver(connection, content, replace=replace, **options)  # type: ignore[arg-type]


def test_what_arrives_is_what_is_in_the_file(neo4j_connection: Connection) -> None:
    delivered(neo4j_connection, network())
    whole = [(0, "f"), (1, "m"), (2, ""), (3, "f"), (4, "'")], sorted(EDGES)
    assert held(neo4j_connection, "Released") == whole
    assert left(neo4j_connection) == 0
    with pytest.raises(AlreadyExists, match="--replace"):
        delivered(neo4j_connection, network())
    assert held(neo4j_connection, "Released") == whole
    delivered(neo4j_connection, network([(0, 1)]), replace=True)
    assert held(neo4j_connection, "Released")[1] == [(0, 1)]
    assert left(neo4j_connection) == 0


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (:AuditorDelivering)-[r]->() WITH r LIMIT 1 DELETE r",
        "MATCH (a:AuditorDelivering {id: 4}) MATCH (b:AuditorDelivering {id: 1}) CREATE (a)-[:TIED]->(b)",
        # folded with another one where it is read
        "MATCH (a:AuditorDelivering {id: 1}) MATCH (b:AuditorDelivering {id: 0}) CREATE (a)-[:TIED]->(b)",
        "MATCH (n:AuditorDelivering {id: 4}) DELETE n",
        "MATCH (n:AuditorDelivering {id: 4}) SET n.sex = 'm'",
        "MATCH (n:AuditorDelivering {id: 4}) SET n.id = 7",
    ],
)
def test_what_is_not_as_in_the_file_is_never_shown(neo4j_connection: Connection, damage: str) -> None:
    neo4j_connection.execute("CREATE (:Released {id: 9, sex: 'old'})")

    def told(phase: str, done: int, of: int) -> None:
        if phase == "read back":
            neo4j_connection.execute(damage)

    with pytest.raises(VerificationFailed, match="nothing was shown"):
        delivered(neo4j_connection, network(), replace=True, progress=told)
    assert held(neo4j_connection, "Released") == ([(9, "old")], [])
    assert left(neo4j_connection) == 0


def test_what_a_killed_delivery_left_is_removed_by_the_next_one_and_that_of_a_living_one_is_not(
    neo4j_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(phase: str, done: int, of: int) -> None:
        if phase == "read back":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(delivering, "_remove", lambda *_: (_ for _ in ()).throw(StoreError("gone")))
        with pytest.raises(KeyboardInterrupt):
            delivered(neo4j_connection, network(), progress=killed)
    assert left(neo4j_connection) == 6
    delivered(neo4j_connection, network())
    assert left(neo4j_connection) == 6, "its lease has not ended"
    neo4j_connection.execute("MATCH (d:AuditorDelivery) SET d.lease = 0")
    delivered(neo4j_connection, network(), replace=True)
    assert left(neo4j_connection) == 0
    assert held(neo4j_connection, "Released")[1] == sorted(EDGES)


def test_what_was_shown_before_a_delivery_was_killed_stays_and_is_tidied_up_by_the_next_one(
    neo4j_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    neo4j_connection.execute("CREATE (:Released {id: 9, sex: 'old'})")
    with monkeypatch.context() as patch:
        patch.setattr(delivering, "_settle", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            delivered(neo4j_connection, network(), replace=True)
    shown = neo4j_connection.read("MATCH (n:Released) RETURN n.id AS id ORDER BY id")
    assert [record["id"] for record in shown] == [0, 1, 2, 3, 4]
    assert left(neo4j_connection) == 7
    neo4j_connection.execute("MATCH (d:AuditorDelivery) SET d.lease = 0")
    delivered(neo4j_connection, network([(0, 1)]), label="Other")
    assert left(neo4j_connection) == 0
    assert held(neo4j_connection, "Released")[1] == sorted(EDGES)


def test_a_transaction_that_is_tried_again_though_it_was_done_replaces_nothing(
    neo4j_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = delivering._show

    def twice(*given: object) -> None:
        show(*given)  # type: ignore[arg-type]
        show(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(delivering, "_show", twice)
    delivered(neo4j_connection, network(), replace=True)
    assert held(neo4j_connection, "Released")[1] == sorted(EDGES)
    assert left(neo4j_connection) == 0


@pytest.mark.parametrize(
    "options", [{"label": "AuditorDelivering"}, {"label": ""}, {"relationship": "A\nB"}, {"label": "x\x00"}]
)
def test_names_that_cannot_be_used_are_refused(neo4j_connection: Connection, options: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        delivered(neo4j_connection, network(), **options)


@pytest.mark.slow
def test_a_released_file_is_delivered_and_one_that_changed_is_not(
    neo4j_connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_network(tmp_path / "friends.csv", LoadedNetwork(SimpleGraph.from_edges(EDGES, n=4), np.arange(4)))
    out = tmp_path / "out.csv"
    assert run_auditor(["network", "anonymize", tmp_path / "friends.csv", "--k", "2", "--out", out], tmp_path).code == 0
    assert read_released(out).graph.n == 4
    refused = run_auditor(["network", "deliver", out, "--to", "bolt://127.0.0.1:1", "--as-label", "Released"], tmp_path)
    assert refused.code == 3
    assert "does not answer" in refused.err
    aside = tmp_path / "import"
    written = run_auditor(["network", "deliver", out, "--to-csv", aside, "--as-label", "Released"], tmp_path)
    assert written.code == 0, written.err
    assert "neo4j-admin database import full --nodes=nodes.csv" in written.out
    with out.open("a", encoding="utf-8") as file:
        file.write("0,2\n")
    with pytest.raises(VerificationFailed, match="not what was published"):
        read_released(out)
    with pytest.raises(BadInput, match="beside the released file"):
        read_released(tmp_path / "friends.csv")
